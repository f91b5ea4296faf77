import type { Metadata } from "next";
import type { ReactNode } from "react";
import { SystemPage } from "../../../features/admin/system-page.tsx";
import { admin } from "../../../strings/en/admin.ts";

export const metadata: Metadata = { title: admin.system.title };

export default async function AdminPage({ params }: { params: Promise<{ org: string }> }): Promise<ReactNode> {
  return <SystemPage org={(await params).org} />;
}
