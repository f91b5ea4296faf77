"use client";
import type { ReactNode } from "react";
import { commonTexts } from "../strings/en/common.ts";
import { ErrorState } from "../ui/states.tsx";

// One module on purpose: the error page and the not-found page come with every first load, and apart from the layout each of them
// carries a copy of the parts that it is made of.
export { Providers } from "../trpc/providers.tsx";
export { Denied } from "../ui/states.tsx";

/** What stands in the place of a page that threw. */
export function BrokenPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }): ReactNode {
  return (
    <main id="content" className="mx-auto max-w-xl p-8">
      <ErrorState
        level={1}
        what={commonTexts.errors.pageWhat}
        why={commonTexts.errors.unknown}
        todo={commonTexts.errors.unknownTodo}
        id={error.digest ?? null}
        onRetry={reset}
      />
    </main>
  );
}
