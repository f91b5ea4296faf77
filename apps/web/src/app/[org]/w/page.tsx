import type { Metadata } from "next";
import type { ReactNode } from "react";
import { WorkspaceList } from "../../../features/workspaces/workspace-list.tsx";
import { en } from "../../../strings/en.ts";

export const metadata: Metadata = { title: en.workspaces.title };

export default async function WorkspacesPage({ params }: { params: Promise<{ org: string }> }): Promise<ReactNode> {
  return <WorkspaceList org={(await params).org} />;
}
