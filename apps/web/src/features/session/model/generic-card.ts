import type { CallCard, ResultCard } from "@gantry/contracts";
import type { ToolResultView } from "./rows.ts";

/** Arguments that say best what a call is about, first match first. */
const telling = ["file_path", "path", "command", "pattern", "query", "url", "name"];
const maxTargetChars = 200;

/** The card of a call that has no presenter, or whose arguments are still being written: its name and what it is about. */
export function genericCall(name: string, argumentsRaw: string): CallCard {
  const target = targetOf(argumentsRaw);
  return { card: "generic", title: target ? `${name} ${target}` : name, kind: "other" };
}

/** The card of a result that has no presenter: its text. */
export function genericResult({ text, isError }: ToolResultView): ResultCard {
  return { card: "generic", text, format: isError ? "console" : "plain" };
}

/** Reads a string argument also from JSON that is not complete yet. */
function targetOf(raw: string): string {
  for (const key of telling) {
    const value = new RegExp(`"${key}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`).exec(raw)?.[1];
    if (value)
      return value
        .replace(/\\[nrt]/g, " ")
        .replace(/\\(["\\/])/g, "$1")
        .slice(0, maxTargetChars);
  }
  return "";
}
