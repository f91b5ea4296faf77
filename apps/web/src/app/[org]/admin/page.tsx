import type { Metadata } from "next";
import type { ReactNode } from "react";
import { SystemPage } from "../../../features/admin/system-page.tsx";
import { en } from "../../../strings/en.ts";

export const metadata: Metadata = { title: en.system.title };

export default async function AdminPage({ params }: { params: Promise<{ org: string }> }): Promise<ReactNode> {
  return <SystemPage org={(await params).org} />;
}
