import type { Message } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import type { SystemPromptResult } from "@gantry/tools";
import type { Agent } from "./agent.ts";

const owner = "system-prompt";
const heading = "Current facts about this session. They replace every earlier list of such facts:";
const cleared = "The facts about this session that were listed before no longer apply.";

/**
 * The runtime snapshot as a message, only if it differs from the one the model has (CTX-2). What the model has is read from
 * the log's surface, so a snapshot that a compaction hid is sent again (CTX-3).
 */
export function contextMessage(agent: Agent, contexts: SystemPromptResult["contexts"]): Message | null {
  const kept = agent.log.surface.newestOf(owner);
  const text = contexts.length > 0 ? [heading, ...contexts.map((context) => context.text)].join("\n\n") : null;
  const before = kept?.content.map((block) => (block.type === "text" ? block.text : "")).join("") ?? null;
  const wanted = text ?? (kept && before !== cleared ? cleared : before);
  if (wanted === before || wanted === null) return null;
  const form = text === null ? {} : { form: "snapshot" as const, summary: "facts about this session" };
  return { id: newId(), role: "user", content: [{ type: "text", text: wanted }], source: { kind: "plugin", plugin: owner, ...form } };
}
