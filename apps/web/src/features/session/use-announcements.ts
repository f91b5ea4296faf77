"use client";
import { useEffect, useRef, useState } from "react";
import { stripAnsi } from "../../lib/ansi.ts";
import { sessionTexts } from "../../strings/en/session.ts";
import { openTurn, type SessionState } from "./model/state.ts";

const keptLines = 6;
const maxChars = 600;

/** Texts for screen readers: each block of the agent once it is finished, what it asks people, and how a turn ended. Nothing of what was there before. */
export function useAnnouncements(state: SessionState): readonly { key: string; text: string }[] {
  const [said, setSaid] = useState<readonly { key: string; text: string }[]>([]);
  const known = useRef<Set<string> | null>(null);
  const turn = openTurn(state) ?? state.turns.at(-1);
  const rows = turn?.rows;
  const { caughtUp, asks } = state;

  useEffect(
    function announceFinishedBlocks() {
      if (!caughtUp) return;
      const asked = asks.map(({ id, kind }) => ({ key: `ask:${id}`, text: sessionTexts.asked[kind] }));
      const blocks = (rows ?? []).flatMap((row) => {
        if (row.kind === "text") return [{ key: row.key, text: stripAnsi(row.text).slice(0, maxChars) }];
        return row.kind === "end"
          ? [{ key: row.key, text: row.reason.kind === "error" ? sessionTexts.ends.error.what : sessionTexts.ends.user.what }]
          : [];
      });
      const lines = [...blocks, ...asked];
      const isFirstLook = known.current === null;
      known.current ??= new Set();
      const fresh = lines.filter((line) => !known.current?.has(line.key));
      for (const line of fresh) known.current.add(line.key);
      if (!isFirstLook && fresh.length > 0) setSaid((old) => [...old, ...fresh].slice(-keptLines));
    },
    [rows, asks, caughtUp],
  );
  return said;
}
