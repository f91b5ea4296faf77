import { WorkspaceId } from "@gantry/contracts";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { WorkspacePage } from "../../../../features/workspaces/workspace-page.tsx";
import { homeTexts } from "../../../../strings/en/home.ts";

export const metadata: Metadata = { title: homeTexts.workspace };

export default async function OneWorkspacePage({ params }: { params: Promise<{ org: string; workspace: string }> }): Promise<ReactNode> {
  const { org, workspace } = await params;
  if (!WorkspaceId.safeParse(workspace).success) notFound();
  return <WorkspacePage org={org} workspaceId={workspace} />;
}
