import { maxNoteBytes } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import type { CommandOutcome, CommandRun } from "../commands/index.ts";

/** The command `/feedback <text>`: writes what a person thinks of the session into its log; the model never sees it (FBK-2). */
export const name = "command-feedback";
export const inject = ["commands"];

export function apply(ctx: Context): void {
  ctx.commands.register({
    name: "feedback",
    description: "Write down what you think of this session",
    recordInput: false, // the record has the text
    run: record,
  });
}

/** Where a record goes: there is no export of telemetry. */
const disclosure =
  "It is kept in the session's log. Sharing of feedback is not configured here, so nobody outside this installation gets it.";

function record({ agent, args }: CommandRun): CommandOutcome {
  const text = args.trim();
  if (text === "") return { kind: "error", text: "Write what you think behind the command: /feedback it forgot to run the tests." };
  const bytes = Buffer.byteLength(text);
  if (bytes > maxNoteBytes) return { kind: "error", text: `Feedback may have ${maxNoteBytes} bytes, and this has ${bytes}. Shorten it.` };
  const { seq } = agent.append({ type: "feedback/record", data: { text } });
  return { kind: "success", text: `Thank you. ${disclosure}`, sourceEventSeq: seq };
}
