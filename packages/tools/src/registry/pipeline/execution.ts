import { type Json, toLosslessJson } from "@gantry/contracts";
import { messageOf, ToolError, tooLarge } from "../errors.ts";
import type { CallOptions, ToolCall, ToolExecution } from "../types.ts";

/** Bytes of raw arguments one call may carry (T-26). */
const maxArgumentBytes = 1024 * 1024;

export type Minted = { execution: ToolExecution; problem?: ToolError };

/**
 * Gives a call its identity and its one, frozen reading of the arguments. An unreadable string becomes the argument itself, so that
 * validation answers it after policy; what is not lossless JSON is a problem before any policy runs (KN-046).
 */
export function mintExecution(call: ToolCall, options: CallOptions): Minted {
  const { callId, name, arguments: raw } = call;
  const { agent, signal, turn, step, parent, isRejoin = false } = options;
  const reading = readArguments(raw);
  const execution: ToolExecution = {
    token: Symbol(callId),
    callId,
    rootCallId: parent?.rootCallId ?? callId,
    name,
    arguments: reading.value,
    turn,
    step,
    signal,
    isRejoin,
    ...(parent === undefined ? {} : { parentToken: parent.token }),
    ...(agent === undefined ? {} : { agent, orgId: agent.orgId, sessionId: agent.sessionId, userId: agent.userId }),
  };
  return { execution: Object.freeze(execution), ...(reading.problem === undefined ? {} : { problem: reading.problem }) };
}

/** The one reading of a raw argument string, where nothing means no arguments (BAT-1): `problem` when it can never be arguments. */
export function readArguments(raw: string): { value: Json; problem?: ToolError } {
  if (raw === "") return { value: Object.freeze({}) };
  if (Buffer.byteLength(raw) > maxArgumentBytes) {
    return { value: null, problem: tooLarge("ARGUMENTS_TOO_LARGE", "the arguments have", Buffer.byteLength(raw), maxArgumentBytes) };
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(raw);
  } catch {
    return { value: raw }; // not JSON: the string itself goes on and fails validation
  }
  try {
    return { value: toLosslessJson(parsed) };
  } catch (error) {
    return { value: null, problem: new ToolError("INVALID_ARGS", `the arguments are not lossless JSON: ${messageOf(error)}`) };
  }
}
