import { SessionId } from "@gantry/contracts";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { SessionView } from "../../../../features/session/session-view.tsx";
import { homeTexts } from "../../../../strings/en/home.ts";

export const metadata: Metadata = { title: homeTexts.sessions };

export default async function SessionPage({ params }: { params: Promise<{ org: string; session: string }> }): Promise<ReactNode> {
  const { org, session } = await params;
  if (!SessionId.safeParse(session).success) notFound();
  return <SessionView key={session} org={org} sessionId={session} />;
}
