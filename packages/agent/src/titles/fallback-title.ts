import { isEvent } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import { z } from "zod";
import type { Agent } from "../loop/agent.ts";
import { cleanTitle } from "./title-text.ts";
import "../loop/events.ts";

/** Gives a session its first title from the first words a person wrote (TTL-1). A later title replaces it. */
export const name = "session-title-fallback";
export const inject = [];
export const Config = z.strictObject({
  maxWords: z.number().int().positive().default(5),
  maxBytes: z.number().int().positive().default(40),
});

export function apply(ctx: Context, config: z.infer<typeof Config>): void {
  ctx.on("session/event", ({ agent, event }) => {
    if (!isEvent(event, "user/message") || event.data.source.kind !== "user") return;
    const text = event.data.content.map((block) => (block.type === "text" ? block.text : "")).join(" ");
    // an observer may not append from inside the publication of an event
    queueMicrotask(() => write(agent, event.seq, cleanTitle(text, config)));
  });
}

function write(agent: Agent, seq: number, title: string): void {
  if (title === "" || agent.log.isFenced || agent.log.events.some((event) => isEvent(event, "session/title"))) return;
  agent.log.append({ type: "session/title", data: { title, messageSeqs: [seq], source: { kind: "fallback" } } });
  agent.log.show({ title });
}
