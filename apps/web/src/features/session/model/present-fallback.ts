import type { CallCard, CardKind, ResultCard } from "@gantry/contracts";
import type { ToolResultView } from "./rows.ts";

type Args = Record<string, unknown>;

function parse(raw: string): Args {
  try {
    const value: unknown = JSON.parse(raw === "" ? "{}" : raw);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Args) : {};
  } catch {
    return {}; // still being written, or not JSON: the card shows the name alone
  }
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const kinds: Record<string, CardKind> = { read: "read", write: "edit", edit: "edit", glob: "search", grep: "search", bash: "execute" };

/** A card for a call that no presenter knows. */
export function fallbackCall(name: string, raw: string): CallCard {
  const args = parse(raw);
  const path = text(args.file_path ?? args.path);
  if (name === "bash" && text(args.command)) return { card: "terminal", title: text(args.command), description: text(args.description) };
  if (name === "write" && path)
    return { card: "diff", title: `Write ${path}`, diffs: [{ path, oldText: null, newText: text(args.content) }] };
  if (name === "edit" && path)
    return { card: "diff", title: `Edit ${path}`, diffs: [{ path, oldText: text(args.old_string), newText: text(args.new_string) }] };
  const target = path || text(args.pattern) || text(args.query);
  return { card: "generic", title: target ? `${name} ${target}` : name, kind: kinds[name] ?? "other" };
}

/** A card for a result that no presenter knows: its text. */
export function fallbackResult(name: string, _raw: string, result: ToolResultView): ResultCard {
  return { card: "generic", text: result.text, format: name === "bash" || result.isError ? "console" : "plain" };
}
