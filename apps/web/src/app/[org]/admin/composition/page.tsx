import type { Metadata } from "next";
import type { ReactNode } from "react";
import { CompositionPage } from "../../../../features/composition/composition-page.tsx";
import { admin } from "../../../../strings/en/admin.ts";

export const metadata: Metadata = { title: admin.places.composition };

export default async function CompositionRoute({ params }: { params: Promise<{ org: string }> }): Promise<ReactNode> {
  return <CompositionPage org={(await params).org} />;
}
