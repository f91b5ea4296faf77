import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ProviderList } from "../../../../features/providers/provider-list.tsx";
import { modelTexts } from "../../../../strings/en/models.ts";

export const metadata: Metadata = { title: modelTexts.title };

type Props = { params: Promise<{ org: string }>; searchParams: Promise<{ add?: string | string[] }> };

export default async function ModelsPage({ params, searchParams }: Props): Promise<ReactNode> {
  const [{ org }, { add }] = await Promise.all([params, searchParams]);
  return <ProviderList org={org} add={add !== undefined} />;
}
