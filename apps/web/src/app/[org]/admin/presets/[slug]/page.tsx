import { PresetSlug } from "@gantry/contracts";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { PresetPage } from "../../../../../features/presets/preset-page.tsx";
import { admin } from "../../../../../strings/en/admin.ts";

export const metadata: Metadata = { title: admin.places.presets };

export default async function PresetRoute({ params }: { params: Promise<{ org: string; slug: string }> }): Promise<ReactNode> {
  const { org, slug } = await params;
  if (!PresetSlug.safeParse(slug).success) notFound();
  return <PresetPage key={slug} org={org} slug={slug} />;
}
