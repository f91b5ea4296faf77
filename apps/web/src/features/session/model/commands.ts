import type { SessionEvent } from "@gantry/contracts";
import { humanCommands, parseCommand } from "@gantry/contracts/parse-command";

/** The commands that a text which is one word after a slash may become; none for any other text. */
export function matchingCommands(text: string): readonly string[] {
  const typed = /^\/([a-z0-9-]*)$/.exec(text)?.[1];
  return typed === undefined ? [] : humanCommands.filter((name) => name.startsWith(typed));
}

/** Whether the text asks for a command, known or not; a space before the slash makes it a message. */
export const isCommand = (text: string): boolean => parseCommand(text.trimEnd()) !== null;

/** How a command that was typed ended; null while the loaded log does not say. */
export function commandEnd(log: readonly SessionEvent[], runId: string): "success" | "error" | null {
  const done = log.findLast((event) => event.type === "command/done" && event.data.commandId === runId);
  return done?.type === "command/done" ? done.data.kind : null;
}
