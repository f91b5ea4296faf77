import { isEvent, type SessionEvent, surfaceTypes } from "../events.ts";
import { estimateHeaderParts, estimateMessage } from "../token-estimate.ts";
import { defineUnit } from "./unit.ts";

/** What the next request is made of, in tokens by rule of thumb (PRJ-5, TOK-1). What providers measured is `contextPressure`. */
export type ContextBreakdown = { readonly system: number; readonly tools: number; readonly messages: number };

type Node = { readonly seq: number; readonly tokens: number };
type State = { readonly system: number; readonly tools: number; readonly nodes: readonly Node[] };

/** Null until the session has asked a model for the first time. */
export const contextBreakdown = defineUnit<ContextBreakdown | null, State | null>({
  key: "contextBreakdown",
  init: null,
  apply(state, event) {
    const { system, tools, nodes } = state ?? { system: 0, tools: 0, nodes: [] };
    if (isEvent(event, "request/header")) {
      const parts = estimateHeaderParts(event.data.header);
      return state && parts.system === system && parts.tools === tools ? state : { ...parts, nodes };
    }
    if (!(surfaceTypes as readonly string[]).includes(event.type)) return state;
    return { system, tools, nodes: withEvent(nodes, event) };
  },
  view(state) {
    if (!state || state.system + state.tools === 0) return null;
    const messages = state.nodes.reduce((sum, { tokens }) => sum + tokens, 0);
    return { system: Math.ceil(state.system), tools: Math.ceil(state.tools), messages };
  },
});

function withEvent(nodes: readonly Node[], event: SessionEvent): readonly Node[] {
  const node = { seq: event.seq, tokens: tokensOf(event) };
  const { surfaceOp } = event;
  if (typeof surfaceOp !== "object") return [...nodes, node];
  const at = (seq: number) => nodes.findIndex((other) => other.seq === seq);
  const [from, to] = [at(surfaceOp.start), at(surfaceOp.end)];
  if (from < 0 || to < from) throw new RangeError(`event ${event.seq} replaces what is not on the surface`);
  return nodes.toSpliced(from, to - from + 1, node);
}

/** An answer without content is kept for its usage only and is not sent. */
function tokensOf(event: SessionEvent): number {
  if (isEvent(event, "user/message")) return estimateMessage(event.data);
  if (isEvent(event, "tool/result")) return estimateMessage(event.data.message);
  return isEvent(event, "assistant/message") && event.data.message.content.length > 0 ? estimateMessage(event.data.message) : 0;
}
