import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { LlmAdapter } from "../adapter.ts";
import type { StreamChunk } from "../chunks.ts";
import { asking, wishOf } from "../demo/asking.ts";
import { followUp } from "../demo/follow-up.ts";
import type { DemoReply } from "../demo/reply.ts";
import { tour } from "../demo/tour.ts";
import { textOf, viewTurn } from "../demo/turn-view.ts";
import type { AdapterRequest } from "../request.ts";

export const DemoConfig = z.object({
  slug: z.string().min(1).default("demo"),
  models: z.array(z.string().min(1)).min(1).default(["scripted"]),
  /** Pause before each piece of the stream, ms. */
  delayMs: z.number().int().nonnegative().max(1_000).default(35),
});
export type DemoConfig = z.infer<typeof DemoConfig>;

/** Most pieces of one block: long texts go in larger pieces, so that no step takes longer than a few seconds. */
const maxPieces = 100;

/**
 * A scripted stand-in for a model that needs no key: it says that it is a script and does a short real job with the session's own
 * tools. Its answer depends on the request alone, so a repeated or resumed step says the same.
 */
export function demoAdapter(config: DemoConfig): LlmAdapter {
  return {
    slug: config.slug,
    models: config.models,
    resolve: (model) => ({ provider: config.slug, model, contextWindow: 200_000 }),
    stream: (request) => stream(request, config.delayMs),
  };
}

async function* stream(request: AdapterRequest, delayMs: number): AsyncGenerator<StreamChunk, void, undefined> {
  const reply = replyTo(request);
  const wait = () => (delayMs > 0 ? pause(delayMs, undefined, { signal: request.signal }) : undefined);
  let index = 0;
  for (const type of ["reasoning", "text"] as const) {
    const text = reply[type];
    if (!text) continue;
    for (const piece of piecesOf(text)) {
      await wait();
      yield { type: `${type}-delta`, index, text: piece };
    }
    yield { type: "block-end", index: index++, block: { type, text } };
  }
  for (const call of reply.calls ?? []) {
    const id = `call-${request.messages.length}-${index}`;
    const args = JSON.stringify(call.arguments);
    yield { type: "tool-call-delta", index, id, name: call.name, argumentsDelta: "" };
    for (const piece of piecesOf(args)) {
      await wait();
      yield { type: "tool-call-delta", index, id, argumentsDelta: piece };
    }
    yield { type: "block-end", index: index++, block: { type: "tool-call", id, name: call.name, arguments: args } };
  }
  yield { type: "finish", reason: { kind: reply.calls?.length ? "tool-calls" : "stop" } };
}

function replyTo(request: AdapterRequest): DemoReply {
  const view = viewTurn(request.messages);
  if (request.purpose === "session-title") return { text: "A tour by the scripted model" };
  if (request.purpose === "compaction") {
    return { text: `The scripted model keeps no summary. Last message: ${textOf(request.messages.at(-1)).slice(0, 500).toWellFormed()}` };
  }
  const names = new Set(request.tools?.map((tool) => tool.name));
  const hasTool = (tool: string) => names.has(tool);
  const wish = wishOf(view.asked);
  if (wish) return asking(wish, view, hasTool);
  return view.toured ? followUp(view, hasTool) : tour(view, hasTool);
}

function piecesOf(text: string): string[] {
  const size = Math.max(12, Math.ceil(text.length / maxPieces));
  return text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
}
