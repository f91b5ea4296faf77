import type { Metadata } from "next";
import type { ReactNode } from "react";
import { NewSession } from "../../features/home/new-session.tsx";
import { SessionTable } from "../../features/home/session-table.tsx";
import { homeTexts } from "../../strings/en/home.ts";
import { Page } from "../../ui/page.tsx";

export const metadata: Metadata = { title: homeTexts.sessions };

type Props = { params: Promise<{ org: string }>; searchParams: Promise<{ prompt?: string | string[] }> };

/** `?prompt=` fills the field and never sends. */
export default async function HomePage({ params, searchParams }: Props): Promise<ReactNode> {
  const [{ org }, { prompt }] = await Promise.all([params, searchParams]);
  return (
    <Page title={homeTexts.title}>
      <NewSession org={org} {...(typeof prompt === "string" && { prompt })} />
      <h2 id="sessions" className="mt-10 mb-3 font-medium text-base">
        {homeTexts.sessions}
      </h2>
      <SessionTable org={org} empty={{ title: homeTexts.noSessions, text: homeTexts.noSessionsText }} />
    </Page>
  );
}
