import type { Context } from "@gantry/kernel";
import type { CommandOutcome, CommandRun } from "../commands/index.ts";

/**
 * The command `/export` (EXP-1): leaves its pair in the log. The download is made from the stored log by the web process; whoever typed the command begins it
 * once the pair is there, so that it is part of what they get (AG-166).
 */
export const name = "command-export";
export const inject = ["commands"];

export function apply(ctx: Context): void {
  ctx.commands.register({
    name: "export",
    description: "Download the session's log, with those of its forks",
    run: ready,
  });
}

function ready({ args }: CommandRun): CommandOutcome {
  if (args.trim() !== "")
    return { kind: "error", text: "/export takes no arguments. Write just /export; other forms are in the session's menu." };
  return { kind: "success", text: "The log up to here is ready to be downloaded." };
}
