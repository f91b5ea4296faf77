import { type Json, type ToolContentBlock, textsOf, toLosslessJson } from "@gantry/contracts";
import { listed, violations } from "../../schema/validate.ts";
import { aborted, abortedBeforeDispatch, type ErrorInfo, errorInfo, messageOf, ToolError, tooLarge } from "../errors.ts";
import type { AdditionalContext, ToolDefinition, ToolExecution } from "../types.ts";
import { blocks } from "./content.ts";

/** Bytes that the texts of one result may have before any spill, and what goes into the log with them after the post stage (T-26). */
const maxResultBytes = 8 * 1024 * 1024;

/** A call with a result, somewhere between body and commit. `final` results skip the post stage. */
export type Settled = {
  readonly final: boolean;
  readonly isError: boolean;
  readonly content: readonly ToolContentBlock[];
  readonly error?: ErrorInfo;
  readonly value?: Json;
  readonly meta?: Json;
  readonly contexts: readonly AdditionalContext[];
  readonly concludesTurn: boolean;
};

/** A failed call as the model sees it: one block `Error: <message>`, and a code only for coded errors. */
export function failed(
  message: string,
  info?: ErrorInfo,
  options: { final?: boolean; contexts?: readonly AdditionalContext[] } = {},
): Settled {
  return {
    final: options.final ?? false,
    isError: true,
    content: [{ type: "text", text: `Error: ${message}` }],
    contexts: options.contexts ?? [],
    concludesTurn: false,
    ...(info === undefined ? {} : { error: { name: info.name, code: info.code } }),
  };
}

export function failedBy(error: unknown, options: { final?: boolean; contexts?: readonly AdditionalContext[] } = {}): Settled {
  return failed(messageOf(error), errorInfo(error), options);
}

/** A body's value as a result: lossless JSON, inside its schema, rendered. Whatever goes wrong on the way is a failed result. */
export function settleValue(definition: ToolDefinition, execution: ToolExecution, raw: unknown): Settled {
  try {
    const value = checkedValue(definition, raw);
    const content = blocks(definition.output.render(value, execution.arguments));
    requireSize(textBytes(content));
    const meta = execution.parentToken === undefined ? definition.output.presentationMeta?.(value, execution.arguments) : undefined;
    return {
      final: false,
      isError: false,
      content,
      value,
      contexts: [],
      concludesTurn: false,
      ...(meta === undefined ? {} : { meta: toLosslessJson(meta) }),
    };
  } catch (error) {
    return failedBy(error);
  }
}

/** A result that post policy, the tool's last word or an error text made too large is replaced by a failure that says so (T-26). */
export function withinSize(settled: Settled): Settled {
  const { content, contexts, meta } = settled;
  const notices = contexts.reduce((sum, context) => sum + textBytes(context.content), 0);
  try {
    requireSize(textBytes(content) + notices + (meta === undefined ? 0 : Buffer.byteLength(JSON.stringify(meta))));
    return settled;
  } catch (error) {
    return failedBy(error, { final: true });
  }
}

const textBytes = (content: readonly ToolContentBlock[]) => textsOf(content).reduce((sum, text) => sum + Buffer.byteLength(text), 0);

function requireSize(bytes: number): void {
  if (bytes > maxResultBytes) throw tooLarge("RESULT_TOO_LARGE", "the result has", bytes, maxResultBytes);
}

function checkedValue(definition: ToolDefinition, raw: unknown): Json {
  let value: Json;
  try {
    value = toLosslessJson(raw);
  } catch (cause) {
    throw new ToolError("INVALID_TOOL_OUTPUT", `${definition.name} returned a value that is not JSON: ${messageOf(cause)}`, { cause });
  }
  const wrong = violations(definition.output.schema, value);
  if (wrong.length > 0) {
    throw new ToolError("INVALID_TOOL_OUTPUT", `${definition.name} returned a value outside its schema: ${listed(wrong)}`);
  }
  return value;
}

/** A success that settled after the caller cancelled is an abort; failures and denials stay what they are (TLS-11). */
export function afterCancellation(settled: Settled, execution: ToolExecution, started: boolean): Settled {
  if (settled.isError || !execution.signal.aborted) return settled;
  return failedBy(started ? aborted() : abortedBeforeDispatch(), { contexts: settled.contexts });
}
