import { historyFold } from "./history-fold.ts";
import type { AdapterRequest } from "./request.ts";

/**
 * Gives every tool call of a response an id that is usable and new to the conversation. Models leave ids out, repeat them
 * within a response, or start over with `call_0` in each one; results are matched by id, so a repeat would be ambiguous.
 */
export function uniqueCallIds(request: Pick<AdapterRequest, "messages" | "signal">): (index: number, proposed: string) => string {
  const given = new Map<number, string>();
  const ofThis = new Set<string>();
  const isTaken = (id: string): boolean => ofThis.has(id) || idsOf(request).has(id);
  return (index, proposed) => {
    const known = given.get(index);
    if (known !== undefined) return known;
    const base = /^[\x21-\x7e]{1,128}$/.test(proposed) ? proposed : "call";
    let id = base === "call" ? "call-1" : base;
    for (let n = 2; isTaken(id); n++) id = `${base}-${n}`;
    ofThis.add(id);
    given.set(index, id);
    return id;
  };
}

const idsOf = historyFold<Set<string>>({
  start: () => new Set(),
  take(ids, { role, content }) {
    if (role !== "assistant") return;
    for (const block of content) if (block.type === "tool-call") ids.add(block.id);
  },
});
