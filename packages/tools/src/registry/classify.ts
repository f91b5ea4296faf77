import { violations } from "../schema/validate.ts";
import { readArguments } from "./pipeline/execution.ts";
import type { ToolCall, ToolDefinition } from "./types.ts";

/** Whether a call may overlap with others: only when its tool answers exactly `true` for arguments that fit (T-20, TLS-14). */
export function classify(definition: ToolDefinition | undefined, call: ToolCall): "parallel" | "exclusive" {
  if (!definition?.isConcurrencySafe) return "exclusive";
  try {
    const { value, problem } = readArguments(call.arguments);
    if (problem || violations(definition.parameters, value).length > 0) return "exclusive";
    return definition.isConcurrencySafe(value) === true ? "parallel" : "exclusive";
  } catch {
    return "exclusive"; // a classifier that fails cannot vouch for the call
  }
}
