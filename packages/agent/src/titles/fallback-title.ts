import { isEvent } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import { z } from "zod";
import type { Agent } from "../loop/agent.ts";
import "../loop/events.ts";

/** Gives a session its first title from the first words a person wrote (TTL-1). A later title replaces it. */
export const name = "session-title-fallback";
export const inject = [];
export const Config = z.object({ maxWords: z.number().int().positive().default(5), maxBytes: z.number().int().positive().default(40) });

export function apply(ctx: Context, config: z.infer<typeof Config>): void {
  ctx.on("session/event", ({ agent, event }) => {
    if (!isEvent(event, "user/message") || event.data.source.kind !== "user") return;
    const text = event.data.content.map((block) => (block.type === "text" ? block.text : "")).join(" ");
    // an observer may not append from inside the publication of an event
    queueMicrotask(() => write(agent, event.seq, titleOf(text, config)));
  });
}

function write(agent: Agent, seq: number, title: string): void {
  if (title === "" || agent.log.isFenced || agent.log.events.some((event) => isEvent(event, "session/title"))) return;
  agent.log.append({ type: "session/title", data: { title, messageSeqs: [seq], source: { kind: "fallback" } } });
  agent.log.show({ title });
}

/** The first words, without control, escape and direction characters, cut at a code point within the byte limit. */
export function titleOf(text: string, { maxWords, maxBytes }: { maxWords: number; maxBytes: number }): string {
  const plain = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is removed here
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "")
    .replace(/[\p{Cc}\p{Cf}]/gu, (char) => (/\s/.test(char) ? " " : ""));
  const words = plain.trim().split(/\s+/).slice(0, maxWords).join(" ");
  let title = "";
  for (const char of words) {
    if (Buffer.byteLength(title + char) > maxBytes) break;
    title += char;
  }
  return title.trim();
}
