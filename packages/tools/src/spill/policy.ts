import { type TextBlock, type ToolContentBlock, textsOf } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import { z } from "zod";
import type { PostToolDecision, SettledCall, ToolExecution } from "../registry/types.ts";
import { shorten, tokensOf } from "./shorten.ts";
import "./seam.ts";

export const name = "spill-policy";
export const inject = ["tools"];
export const Config = z.strictObject({
  /** The most that a result may put into the conversation, in estimated tokens; absent: no cap. */
  maxInlineTokens: z.number().int().nonnegative().optional(),
});

/** What is never shortened: a page of `read` is as long as it was asked for. */
const exempt: ReadonlySet<string> = new Set(["read"]);

/**
 * Keeps long results out of the conversation (POL-2, tools §19.2): the whole text goes to `spill`, head, tail and its place remain. Runs after every
 * other listener. Without a store, or when saving fails, the result stays whole.
 */
export function apply(ctx: Context, { maxInlineTokens }: z.infer<typeof Config>): void {
  if (maxInlineTokens === undefined) return;
  ctx.on(
    "tools/post-execute",
    async (execution, settled, next) => {
      const decision = await next();
      const content = shortenable(execution, settled, decision);
      if (!content || tokensOf(content) <= maxInlineTokens) return decision;
      const short = await spilled(ctx, execution, content, maxInlineTokens);
      return short ? { ...decision, content: [short] } : decision;
    },
    { prepend: true },
  );
}

/** The content to judge, or null where the policy has no say. */
function shortenable(execution: ToolExecution, settled: SettledCall, decision: PostToolDecision): readonly ToolContentBlock[] | null {
  if (execution.parentToken !== undefined || !execution.agent || exempt.has(execution.name)) return null;
  return decision.kind === "accept" && decision.value === undefined ? (decision.content ?? settled.content) : null;
}

async function spilled(
  ctx: Context,
  { agent, callId, name }: ToolExecution,
  content: readonly ToolContentBlock[],
  maxTokens: number,
): Promise<TextBlock | null> {
  const spill = ctx.get("spill");
  if (!agent) return null;
  const stays = (why: string, fields: object = {}) => {
    ctx.logger.warn({ tool: name, sessionId: agent.sessionId, ...fields }, `a long result stays whole: ${why}`);
    return null;
  };
  if (!spill) return stays("nothing keeps long results here");
  if (content.some((block) => block.type === "image")) {
    // an attachment has no path inside the world, so a stored text could not say where to look at it
    return stays("it has images");
  }
  const text = textsOf(content).join("\n\n");
  const source = { toolName: name, callId, label: name };
  try {
    const stored = await spill.saveText({ owner: agent, source, suggestedName: `${name}.txt`, content: text });
    return shorten(text, stored, maxTokens) ?? stays("where it was stored does not fit within the cap");
  } catch (err) {
    return stays("it could not be stored", { err });
  }
}
