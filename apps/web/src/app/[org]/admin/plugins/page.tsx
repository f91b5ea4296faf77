import type { Metadata } from "next";
import type { ReactNode } from "react";
import { PluginsPage } from "../../../../features/plugins/plugins-page.tsx";
import { admin } from "../../../../strings/en/admin.ts";

export const metadata: Metadata = { title: admin.places.plugins };

export default async function PluginsRoute({ params }: { params: Promise<{ org: string }> }): Promise<ReactNode> {
  return <PluginsPage org={(await params).org} />;
}
