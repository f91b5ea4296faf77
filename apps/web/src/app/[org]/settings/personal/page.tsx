import type { Metadata } from "next";
import type { ReactNode } from "react";
import { PersonalPage } from "../../../../features/settings/personal-page.tsx";
import { admin } from "../../../../strings/en/admin.ts";

export const metadata: Metadata = { title: admin.settings.personalTitle };

export default async function PersonalRoute({ params }: { params: Promise<{ org: string }> }): Promise<ReactNode> {
  return <PersonalPage org={(await params).org} />;
}
