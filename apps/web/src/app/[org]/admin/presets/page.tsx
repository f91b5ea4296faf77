import type { Metadata } from "next";
import type { ReactNode } from "react";
import { PresetList } from "../../../../features/presets/preset-list.tsx";
import { admin } from "../../../../strings/en/admin.ts";

export const metadata: Metadata = { title: admin.places.presets };

export default async function PresetsRoute({ params }: { params: Promise<{ org: string }> }): Promise<ReactNode> {
  return <PresetList org={(await params).org} />;
}
