import type { Reply, Script, ScriptRequest, ScriptToolCall } from "./script.ts";

export type ScriptResult = ScriptToolCall & { readonly text: string };

/** The newest text a person (or the harness, in a user-role message) wrote. */
export function lastUserText(request: ScriptRequest): string {
  return request.messages.findLast((message) => message.role === "user")?.text ?? "";
}

/** Every tool result of the conversation with its call, oldest first. */
export function toolResults(request: ScriptRequest): ScriptResult[] {
  const calls = new Map<string, ScriptToolCall>();
  const results: ScriptResult[] = [];
  for (const message of request.messages) {
    if (message.role === "assistant") for (const call of message.toolCalls) calls.set(call.id, call);
    if (message.role !== "tool") continue;
    const call = calls.get(message.callId) ?? { id: message.callId, name: "", arguments: "" };
    results.push({ ...call, text: message.text });
  }
  return results;
}

/** The newest result of the tool `name`, or null. */
export function lastResultOf(request: ScriptRequest, name: string): ScriptResult | null {
  return toolResults(request).findLast((result) => result.name === name) ?? null;
}

/** 0 for the first answer to the newest user message, 1 after its first tool calls, and so on. */
export function stepOf(request: ScriptRequest): number {
  const from = request.messages.findLastIndex((message) => message.role === "user");
  return request.messages.slice(from + 1).filter((message) => message.role === "assistant").length;
}

type Step = Reply | ((request: ScriptRequest) => Reply | Promise<Reply>);

/** Answers step by step within a turn; the last entry repeats. Reads the history only, so a retried step gets the same reply. */
export function bySteps(...replies: readonly [Step, ...Step[]]): Script {
  return (request) => resolve(replies[Math.min(stepOf(request), replies.length - 1)] as Step, request);
}

/**
 * Answers by what happened last: the name of the tool whose result is newest, or `start` when the newest message is a user's.
 * A name without an entry is an error of the script and fails the request with status 400.
 */
export function afterResult(routes: { readonly start: Step; readonly [tool: string]: Step }): Script {
  return (request) => {
    const last = request.messages.at(-1);
    const name = last?.role === "tool" ? (toolResults(request).at(-1)?.name ?? "") : "start";
    const step = Object.hasOwn(routes, name) ? routes[name] : undefined;
    if (!step) return { fault: { kind: "status", status: 400, message: `the script has no answer after "${name}"` } };
    return resolve(step, request);
  };
}

/** One reply a request, in order of arrival, whatever was asked; the last repeats. For faults that must pass, such as a retry. */
export function inOrder(...replies: readonly [Step, ...Step[]]): Script {
  let next = 0;
  return (request) => resolve(replies[Math.min(next++, replies.length - 1)] as Step, request);
}

function resolve(step: Step, request: ScriptRequest): Reply | Promise<Reply> {
  return typeof step === "function" ? step(request) : step;
}
