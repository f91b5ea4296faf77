"use client";
import { useEffect, useRef, useState } from "react";
import { fill } from "../../../strings/en.ts";
import { agentTexts } from "../../../strings/en-agent.ts";
import type { SessionState } from "../model/state.ts";
import { nameOf } from "../session-context.ts";

const shownMs = 10_000;

/** Says for a while who answered a question that this page was showing, when it was not this person. */
export function useDecided({ answered, asks, people }: SessionState, me: string | null): string | null {
  const seen = useRef(new Set<string>());
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    for (const { id } of asks) seen.current.add(id);
  }, [asks]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a name that becomes known later does not say it again
  useEffect(
    function sayWhoDecided() {
      if (!answered || !seen.current.delete(answered.id) || answered.by === me) return;
      setText(fill(agentTexts.decided[answered.outcome], { name: nameOf(people, answered.by) }));
      const timer = setTimeout(setText, shownMs, null);
      return () => clearTimeout(timer);
    },
    [answered],
  );
  return text;
}
