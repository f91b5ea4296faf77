"use client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTRPC } from "../../trpc/client.ts";
import { profile } from "../composition/profile.ts";
import { NewerRevisions } from "../yaml/newer-revisions.tsx";

/** What others saved in the organisation's layer since revision `seen`. */
export function LayerNews({ org, seen }: { org: string; seen: number }): ReactNode {
  const { data } = useQuery(useTRPC().composition.layer.queryOptions({ org, profile }));
  return data && <NewerRevisions revisions={data.revisions} seen={seen} current={data.revision} />;
}
