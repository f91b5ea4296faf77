"use client";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { commonTexts } from "../../strings/en/common.ts";
import { useTRPC } from "../../trpc/client.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";

/** Goes on to the person's first organisation. */
export function ToFirstOrg(): ReactNode {
  const trpc = useTRPC();
  const router = useRouter();
  const { data, error, refetch } = useQuery(trpc.me.get.queryOptions());
  const slug = data?.orgs[0]?.slug;
  useEffect(
    function goThere() {
      if (slug) router.replace(`/${slug}`);
    },
    [slug, router],
  );
  return (
    <main id="content" className="mx-auto max-w-xl p-8">
      {error ? (
        <ProblemState level={1} error={error} onRetry={() => void refetch()} />
      ) : (
        <p role="status" className="appear-late text-soft">
          {commonTexts.loading}
        </p>
      )}
    </main>
  );
}
