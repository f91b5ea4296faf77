"use client";
import { useEffect, useRef, useState } from "react";
import { agentTexts } from "../../../strings/en/agent.ts";
import { fill } from "../../../strings/fill.ts";
import type { SessionState } from "../model/state.ts";
import { nameOf } from "../session-context.ts";

const shownMs = 10_000;

/** Says for a while who answered a question that this page was showing, when it was not this person. */
export function useDecided({ answered, asks }: SessionState, people: SessionState["people"], me: string | null): string | null {
  const seen = useRef(new Set<string>());
  const [said, setSaid] = useState<SessionState["answered"]>(null);
  useEffect(() => {
    for (const { id } of asks) seen.current.add(id);
  }, [asks]);
  useEffect(
    function sayWhoDecided() {
      const isNews = answered !== null && seen.current.has(answered.id) && answered.by !== me;
      setSaid(isNews ? answered : null);
      const timer = setTimeout(setSaid, shownMs, null);
      return () => clearTimeout(timer);
    },
    [answered, me],
  );
  return said && fill(agentTexts.decided[said.outcome], { name: nameOf(people, said.by) });
}
