import type { StreamChunk } from "../chunks.ts";

export type CallDelta = {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: string | null } | null;
};
type Call = { id: string; name: string; parts: string[]; block: number };
/** Before its name is known a call says nothing. */
const unopened = -1;

/** The tool calls of one response, put together from their pieces. */
export class ChatCalls {
  private readonly all: Call[] = [];
  private readonly byIndex = new Map<number, Call>();
  private readonly nextBlock: () => number;

  constructor(nextBlock: () => number) {
    this.nextBlock = nextBlock;
  }

  get sawCall(): boolean {
    return this.all.length > 0;
  }

  /** @throws TypeError for a piece that is none */
  *take(delta: CallDelta): Generator<StreamChunk, void, undefined> {
    const [id, name, args] = [text(delta.id), text(delta.function?.name), text(delta.function?.arguments)];
    const call = this.callOf(delta.index, id, name.trim());
    call.id ||= id;
    call.name ||= name.trim();
    if (args !== "") call.parts.push(args);
    if (call.name === "") return;
    if (call.block === unopened) {
      call.block = this.nextBlock();
      yield { type: "block-start", index: call.block, blockType: "tool-call" };
      yield { type: "tool-call-delta", index: call.block, id: call.id, name: call.name, argumentsDelta: call.parts.join("") };
    } else if (args !== "") yield { type: "tool-call-delta", index: call.block, id: call.id, argumentsDelta: args };
  }

  /** @throws TypeError for a call that never got a name */
  *end(): Generator<StreamChunk, void, undefined> {
    for (const { id, name, parts, block } of this.all) {
      if (block === unopened) throw new TypeError("a call without a name");
      yield { type: "block-end", index: block, block: { type: "tool-call", id, name, arguments: parts.join("") } };
    }
  }

  /** By number; servers that number nothing by id, else the newest. A new id with a name under a known number is another call. */
  private callOf(index: number | null | undefined, id: string, name: string): Call {
    const numbered = typeof index === "number" ? this.byIndex.get(index) : this.unnumbered(id, name);
    const isAnother = numbered && id !== "" && numbered.id !== "" && id !== numbered.id && name !== "";
    if (numbered && !isAnother) return numbered;
    const call: Call = { id: "", name: "", parts: [], block: unopened };
    this.all.push(call);
    if (typeof index === "number") this.byIndex.set(index, call);
    return call;
  }

  private unnumbered(id: string, name: string): Call | undefined {
    const known = id === "" ? undefined : this.all.find((call) => call.id === id);
    return known ?? (name === "" ? this.all.at(-1) : undefined);
  }
}

function text(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") throw new TypeError("a piece of a call is text");
  return value;
}
