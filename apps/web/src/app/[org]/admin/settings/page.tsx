import type { Metadata } from "next";
import type { ReactNode } from "react";
import { SettingsPage } from "../../../../features/settings/settings-page.tsx";
import { admin } from "../../../../strings/en/admin.ts";

export const metadata: Metadata = { title: admin.places.settings };

export default async function SettingsRoute({ params }: { params: Promise<{ org: string }> }): Promise<ReactNode> {
  return <SettingsPage org={(await params).org} />;
}
