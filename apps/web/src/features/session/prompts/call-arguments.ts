import type { CallCard } from "@gantry/contracts";
import { presentCall } from "@gantry/tools/present";
import { visibleText } from "../../../lib/visible-text.ts";
import { permissionTexts } from "../../../strings/en/permissions.ts";
import { fill } from "../../../strings/fill.ts";

export type ShownArgument = { readonly name: string; readonly text: string };
/** The argument that says most, and the rest. `raw`: all of it as the model wrote it. */
export type ShownArguments = { readonly main: ShownArgument | null; readonly others: readonly ShownArgument[]; readonly raw: string };

/** What a call will really do, where a tool has one argument for that. */
const mains = ["command", "file_path", "path", "url", "query"];
/** Where a call runs; shown as the directory. */
const places = ["cwd", "workdir", "directory"];

/**
 * The arguments of a call as whoever decides has to see them: whole, each string with its line breaks, everything hidden as an escape (SC-P2).
 * What is no JSON object is shown as it was written.
 */
export function shownArguments(raw: string): ShownArguments {
  const args = parse(raw);
  if (!args) return { main: null, others: [], raw: visibleText(raw) };
  const all = Object.entries(args).map(([name, value]) => ({ name: visibleText(name), text: shown(value) }));
  const main = mains.map((name) => all.find((one) => one.name === name)).find((one) => one !== undefined) ?? null;
  return { main, others: all.filter((one) => one !== main), raw: visibleText(raw) };
}

/** The directory that the call names, else the workspace's own. */
export function directoryOf({ others }: ShownArguments): string {
  return others.find(({ name }) => places.includes(name))?.text ?? "/workspace";
}

/**
 * Why a call is asked about. A wish for wider permissions names them as the composer does; `told`: the arguments that it repeats, with their texts.
 * Every other reason stays as it is.
 */
export function shownReason(reason: string): { text: string; told: Readonly<Record<string, string>> } {
  const [, mode = "", why = ""] = /^escalate sandbox to ([a-z-]+): (.*)$/s.exec(reason) ?? [];
  if (!Object.hasOwn(permissionTexts.names, mode)) return { text: reason, told: {} };
  const name = permissionTexts.names[mode as keyof typeof permissionTexts.names];
  return { text: fill(permissionTexts.forOneCall, { name, why }), told: { sandbox_permissions: mode, justification: why } };
}

type Diffs = Extract<CallCard, { card: "diff" }>["diffs"];

/** The change of a call that writes files, line by line and with everything hidden as an escape; null for other calls. */
export function shownDiffs(toolName: string | null, raw: string): Diffs | null {
  const card = toolName === null ? null : presentCall(toolName, raw);
  if (card?.card !== "diff") return null;
  return card.diffs.map(({ path, oldText, newText, ...rest }) => ({
    ...rest,
    path: visibleText(path),
    oldText: oldText === null ? null : visibleText(oldText),
    newText: visibleText(newText),
  }));
}

const shown = (value: unknown): string => visibleText(typeof value === "string" ? value : JSON.stringify(value, null, 2));

function parse(raw: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null; // the model wrote no JSON, or the server made something hidden in it visible
  }
}
