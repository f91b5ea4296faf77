import type { Message } from "@gantry/contracts";

/**
 * Gives every tool call of a response an id that is usable and new to the conversation. Models leave ids out, repeat them
 * within a response, or start over with `call_0` in each one; results are matched by id, so a repeat would be ambiguous.
 */
export function uniqueCallIds(history: readonly Message[]): (index: number, proposed: string) => string {
  const given = new Map<number, string>();
  const ofThis = new Set<string>();
  // looked for call by call: a set of all would be made anew for each request
  const isTaken = (id: string): boolean => ofThis.has(id) || hasCall(history, id);
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

/** Loops and no callbacks: a long history is walked at every step. */
function hasCall(history: readonly Message[], id: string): boolean {
  for (const { role, content } of history) {
    if (role !== "assistant") continue;
    for (const block of content) if (block.type === "tool-call" && block.id === id) return true;
  }
  return false;
}
