import type { Message } from "@gantry/contracts";

/**
 * Gives every tool call of a response an id that is usable and new to the conversation. Models leave ids out, repeat them
 * within a response, or start over with `call_0` in each one; results are matched by id, so a repeat would be ambiguous.
 */
export function uniqueCallIds(history: readonly Message[]): (index: number, proposed: string) => string {
  const taken = new Set<string>();
  for (const message of history) {
    for (const block of message.content) if (block.type === "tool-call") taken.add(block.id);
  }
  const given = new Map<number, string>();
  return (index, proposed) => {
    const known = given.get(index);
    if (known !== undefined) return known;
    const base = /^[\x21-\x7e]{1,128}$/.test(proposed) ? proposed : "call";
    let id = base === "call" ? "call-1" : base;
    for (let n = 2; taken.has(id); n++) id = `${base}-${n}`;
    taken.add(id);
    given.set(index, id);
    return id;
  };
}
