import type { CallCard, Json, ResultCard } from "@gantry/contracts";
import { presentAskCall, presentAskResult } from "./ask-user.ts";
import { presentBashCall, presentBashResult } from "./bash.ts";
import { presentEditCall, presentEditResult } from "./edit.ts";
import { presentReadCall, presentReadResult } from "./read.ts";
import { presentReadImageCall, presentReadImageResult } from "./read-image.ts";
import { presentGlobCall, presentGrepCall, presentSearchResult } from "./search.ts";
import { presentTodoCall } from "./todo.ts";
import type { PresentedResult } from "./types.ts";
import { presentWriteCall, presentWriteResult } from "./write.ts";

type Presenter = {
  call(args: Json): CallCard | null;
  result?(args: Json, result: PresentedResult): ResultCard | null;
};

const presenters: ReadonlyMap<string, Presenter> = new Map<string, Presenter>([
  ["bash", { call: presentBashCall, result: presentBashResult }],
  ["read", { call: presentReadCall, result: presentReadResult }],
  ["read_image", { call: presentReadImageCall, result: presentReadImageResult }],
  ["write", { call: presentWriteCall, result: presentWriteResult }],
  ["edit", { call: presentEditCall, result: presentEditResult }],
  ["glob", { call: presentGlobCall, result: presentSearchResult }],
  ["grep", { call: presentGrepCall, result: presentSearchResult }],
  ["ask_user_question", { call: presentAskCall, result: presentAskResult }],
  ["todo_write", { call: presentTodoCall }],
]);

/**
 * The card of a call, from the log alone, so that a replay draws the same (UIP-1). Null where there is none: show the generic card then.
 * Pure and safe in a browser; never throws, whatever the model wrote.
 */
export function presentCall(name: string, argumentsRaw: string): CallCard | null {
  const args = parse(argumentsRaw);
  return args === undefined ? null : (presenters.get(name)?.call(args) ?? null);
}

/** The card of a result, as `presentCall`. @param meta the `meta` of the stored `tool/result` */
export function presentResult(
  name: string,
  argumentsRaw: string,
  resultText: string,
  meta: Json | undefined,
  isError: boolean,
): ResultCard | null {
  const args = parse(argumentsRaw);
  return args === undefined ? null : (presenters.get(name)?.result?.(args, { text: resultText, meta, isError }) ?? null);
}

function parse(raw: string): Json | undefined {
  if (raw === "") return {};
  try {
    return JSON.parse(raw) as Json;
  } catch {
    return undefined; // a model may write anything; such a call has no card of its own
  }
}
