import type { Reply, ScriptMessage, Usage } from "./script.ts";
import { argumentsText, type Body, imageCount, isRecord, pieces, textOf, type Wire } from "./wire.ts";

/** The responses stream: items with summaries of sealed thinking, text and function calls. The last event tells how it ended. */
export const responses: Wire = {
  name: "responses",
  endMark: "",
  wrapRaw: (data) => `data: ${data}\n\n`,
  errorBody: (message, type) => ({ error: { message, type, code: type } }),
  errorEvent: (message, type) => event({ type: "error", sequence_number: 1, error: { type, code: type, message, param: null } }),
  parse(body) {
    const input = list(body.input);
    const isSystem = (item: Body) => item.role === "system" || item.role === "developer";
    return {
      model: String(body.model ?? ""),
      system: input
        .filter(isSystem)
        .map((item) => textOf(item.content))
        .join("\n"),
      messages: gathered(input.filter((item) => !isSystem(item))),
      tools: list(body.tools).map((tool) => ({
        name: String(tool.name),
        description: String(tool.description ?? ""),
        parameters: tool.parameters,
      })),
    };
  },
  events(reply, { model, id }) {
    const created = { type: "response.created", response: { id, created_at: 1, model, service_tier: null } };
    return [event(created), ...items(reply).flatMap((item, index) => itemEvents(item, index)), event(ended(reply, id))];
  },
};

type Item = { readonly open: Body; readonly done: Body; readonly deltas: readonly Body[] };

/** A stand-in for the provider's sealed thinking, checkable by a test. */
const sealOf = (reasoning: string): string => `sealed:${reasoning.length}`;

function items(reply: Reply): Item[] {
  const size = reply.chunkSize ?? 7;
  const out: Item[] = [];
  if (reply.reasoning) {
    const open = { type: "reasoning", id: "rs_0", encrypted_content: null, summary: [] };
    const parts = pieces(reply.reasoning, size).map((delta) => ({
      type: "response.reasoning_summary_text.delta",
      summary_index: 0,
      delta,
    }));
    const deltas = [{ type: "response.reasoning_summary_part.added", summary_index: 0 }, ...parts];
    out.push({ open, deltas, done: { ...open, encrypted_content: sealOf(reply.reasoning) } });
  }
  if (reply.text) {
    const open = { type: "message", id: "msg_0", role: "assistant", status: "in_progress", content: [] };
    const deltas = pieces(reply.text, size).map((delta) => ({ type: "response.output_text.delta", content_index: 0, delta }));
    out.push({ open, deltas, done: { ...open, status: "completed" } });
  }
  for (const [index, call] of (reply.toolCalls ?? []).entries()) {
    const text = argumentsText(call.arguments);
    const open = { type: "function_call", id: `fc_${index}`, call_id: call.id ?? `call_${index}`, name: call.name, arguments: "" };
    const deltas = pieces(text, size).map((delta) => ({ type: "response.function_call_arguments.delta", delta }));
    out.push({ open, deltas, done: { ...open, arguments: text, status: "completed" } });
  }
  return out;
}

function itemEvents({ open, deltas, done }: Item, index: number): string[] {
  const at = { output_index: index };
  return [
    event({ type: "response.output_item.added", ...at, item: open }),
    ...deltas.map((delta) => event({ ...delta, ...at, item_id: open.id })),
    event({ type: "response.output_item.done", ...at, item: done }),
  ];
}

const reasons: { readonly [word: string]: string } = { length: "max_output_tokens" };

function ended(reply: Reply, id: string): Body {
  const { finish } = reply;
  const cut = finish !== undefined && finish !== "stop" && finish !== "tool_calls";
  const details = cut ? { reason: reasons[finish] ?? finish } : null;
  const response = { id, incomplete_details: details, usage: usageOf(reply.usage ?? { input: 1, output: 1 }), service_tier: null };
  return { type: cut ? "response.incomplete" : "response.completed", response };
}

const usageOf = (usage: Usage): object => ({
  input_tokens: usage.input,
  input_tokens_details: { cached_tokens: usage.cached ?? 0 },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
});

function event(data: Body): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

type Answer = { role: "assistant"; text: string; reasoning: string; signature?: string; toolCalls: ToolCall[] };
type ToolCall = { id: string; name: string; arguments: string };

/** Items that belong to one answer of the model become one message, as on the other wires. */
function gathered(input: readonly Body[]): ScriptMessage[] {
  const out: ScriptMessage[] = [];
  let open: Answer | null = null;
  for (const item of input) {
    const other = otherMessage(item);
    if (other) {
      out.push(other);
      open = null;
      continue;
    }
    if (!open) {
      open = { role: "assistant", text: "", reasoning: "", toolCalls: [] };
      out.push(open);
    }
    addTo(open, item);
  }
  return out;
}

function otherMessage(item: Body): ScriptMessage | null {
  if (item.type === "function_call_output")
    return { role: "tool", callId: String(item.call_id), text: textOf(item.output), ...imageCount(item.output) };
  return item.role === "user" ? { role: "user", text: textOf(item.content), ...imageCount(item.content) } : null;
}

function addTo(answer: Answer, item: Body): void {
  if (item.type === "reasoning") {
    answer.reasoning += list(item.summary)
      .map((part) => String(part.text))
      .join("");
    if (typeof item.encrypted_content === "string") answer.signature = item.encrypted_content;
  } else if (item.type === "function_call") {
    answer.toolCalls.push({ id: String(item.call_id), name: String(item.name), arguments: String(item.arguments) });
  } else answer.text += textOf(item.content);
}

function list(value: unknown): Body[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
