import type { Context } from "@gantry/kernel";
import type { CommandOutcome, CommandRun } from "../commands/index.ts";
import type {} from "../compaction/compaction.ts";
import { CompactionError } from "../compaction/error.ts";

/** The command `/compact`: sums up the conversation so far (CMP-4). */
export const name = "command-compact";
export const inject = ["commands", "compaction"];

export function apply(ctx: Context): void {
  ctx.commands.register({
    name: "compact",
    description: "Sum up the conversation so far to make room in the model's context",
    run: (run) => compactNow(ctx, run),
  });
}

async function compactNow(ctx: Context, { agent, args, commandId, signal }: CommandRun): Promise<CommandOutcome> {
  if (args.trim() !== "") return { kind: "error", text: "/compact takes no arguments. Write just /compact." };
  try {
    const done = await ctx.compaction.compactNow(agent, { commandId, signal });
    if (!done) return { kind: "success", text: "There is nothing to sum up yet." };
    const tokens = Math.round(done.tokens).toLocaleString("en-US");
    return { kind: "success", text: `Summed up ${done.items} items, about ${tokens} tokens.`, sourceEventSeq: done.seq };
  } catch (error) {
    if (error instanceof CompactionError) return { kind: "error", text: error.message };
    throw error;
  }
}
