import type { Metadata } from "next";
import type { ReactNode } from "react";
import { WorkspaceList } from "../../../features/workspaces/workspace-list.tsx";
import { workspaceTexts } from "../../../strings/en/workspaces.ts";

export const metadata: Metadata = { title: workspaceTexts.title };

export default async function WorkspacesPage({ params }: { params: Promise<{ org: string }> }): Promise<ReactNode> {
  return <WorkspaceList org={(await params).org} />;
}
