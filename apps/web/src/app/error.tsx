"use client";
import type { ReactNode } from "react";
import { en } from "../strings/en.ts";
import { ErrorState } from "../ui/states.tsx";

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }): ReactNode {
  return (
    <main id="content" className="mx-auto max-w-xl p-8">
      <ErrorState
        level={1}
        what={en.errors.pageWhat}
        why={en.errors.unknown}
        todo={en.errors.unknownTodo}
        id={error.digest ?? null}
        onRetry={reset}
      />
    </main>
  );
}
