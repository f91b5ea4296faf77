"use client";
import { UserCheck } from "lucide-react";
import type { ReactNode } from "react";
import type { SessionState } from "../model/state.ts";
import { useDecided } from "./use-decided.ts";

type Props = { state: SessionState; people: SessionState["people"]; me: string | null };

/** Where a question went that stood here a moment ago. */
export default function DecidedNote({ state, people, me }: Props): ReactNode {
  const text = useDecided(state, people, me);
  return (
    <p role="status" className="mb-2 flex items-center gap-2 text-soft text-tool empty:hidden">
      {text && <UserCheck aria-hidden className="size-4 shrink-0" />}
      {text}
    </p>
  );
}
