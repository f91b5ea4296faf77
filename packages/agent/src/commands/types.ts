import type { Agent } from "../loop/agent.ts";

/** One use of a command. The id is unique across processes (CMD-5). */
export type CommandCall = {
  readonly commandId: string;
  readonly name: string;
  /** what stands behind the name, as it was written */
  readonly args: string;
  readonly userId?: string;
  readonly attachments?: readonly { readonly id: string }[];
};

/** What a handler gets. */
export type CommandRun = CommandCall & { readonly agent: Agent; readonly signal: AbortSignal };

/** `sourceEventSeq`: an earlier event that the command caused. What can be expected to go wrong is an outcome, not a throw (CMD-2). */
export type CommandOutcome =
  | { readonly kind: "success"; readonly text?: string; readonly sourceEventSeq?: number }
  | { readonly kind: "error"; readonly text: string };

export type HumanCommand = {
  /** lower case, digits and hyphens, without the slash */
  readonly name: string;
  readonly description: string;
  readonly acceptsAttachments?: boolean;
  /** false: another event owns the text, so the log of commands leaves it out (CMD-3) */
  readonly recordInput?: boolean;
  run(run: CommandRun): CommandOutcome | Promise<CommandOutcome>;
};
