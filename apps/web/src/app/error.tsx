"use client";
import type { ReactNode } from "react";
import { commonTexts } from "../strings/en/common.ts";
import { ErrorState } from "../ui/states.tsx";

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }): ReactNode {
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
