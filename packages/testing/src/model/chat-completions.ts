import type { Reply, ScriptMessage, Usage } from "./script.ts";
import { argumentsText, type Body, imageCount, isRecord, pieces, textOf, type Wire } from "./wire.ts";

/** The chat-completions stream with `reasoning_content`, split and interleaved tool call arguments and a last usage event. */
export const chatCompletions: Wire = {
  name: "chat-completions",
  endMark: "data: [DONE]\n\n",
  wrapRaw: (data) => `data: ${data}\n\n`,
  errorBody: (message, type) => ({ error: { message, type, code: type } }),
  errorEvent: (message, type) => `data: ${JSON.stringify({ error: { message, type, code: type } })}\n\n`,
  parse(body) {
    const all = list(body.messages);
    return {
      model: String(body.model ?? ""),
      system: all
        .filter((message) => message.role === "system")
        .map((message) => textOf(message.content))
        .join("\n"),
      messages: all.filter((message) => message.role !== "system").map(toMessage),
      tools: list(body.tools).map((tool) => {
        const fn = isRecord(tool.function) ? tool.function : {};
        return { name: String(fn.name), description: String(fn.description ?? ""), parameters: fn.parameters };
      }),
    };
  },
  events(reply, { model, id }) {
    const event = (fields: object) => `data: ${JSON.stringify({ id, object: "chat.completion.chunk", created: 1, model, ...fields })}\n\n`;
    const delta = (value: object) => event({ choices: [{ index: 0, delta: value, finish_reason: null }] });
    const size = reply.chunkSize ?? 7;
    const finish = reply.finish ?? (reply.toolCalls?.length ? "tool_calls" : "stop");
    return [
      delta({ role: "assistant", content: "" }),
      ...pieces(reply.reasoning ?? "", size).map((text) => delta({ reasoning_content: text })),
      ...pieces(reply.text ?? "", size).map((text) => delta({ content: text })),
      ...toolDeltas(reply, size).map((call) => delta({ tool_calls: [call] })),
      event({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }),
      ...(reply.usage ? [event({ choices: [], usage: usageOf(reply.usage) })] : []),
    ];
  },
};

function toolDeltas(reply: Reply, size: number): object[] {
  const calls = reply.toolCalls ?? [];
  const heads = calls.map((call, index) => ({
    index,
    id: call.id ?? `call_${index}`,
    type: "function",
    function: { name: call.name, arguments: "" },
  }));
  const queues = calls.map((call) => pieces(argumentsText(call.arguments), size));
  const rest: object[] = [];
  for (let round = 0; queues.some((queue) => round < queue.length); round++) {
    for (const [index, queue] of queues.entries()) {
      if (round < queue.length) rest.push({ index, function: { arguments: queue[round] } });
    }
  }
  return [...heads, ...rest];
}

function usageOf(usage: Usage): object {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
}

function toMessage(message: Body): ScriptMessage {
  if (message.role === "tool") return { role: "tool", callId: String(message.tool_call_id), text: textOf(message.content) };
  if (message.role !== "assistant") return { role: "user", text: textOf(message.content), ...imageCount(message.content) };
  const toolCalls = list(message.tool_calls).map((call) => {
    const fn = isRecord(call.function) ? call.function : {};
    return { id: String(call.id), name: String(fn.name), arguments: String(fn.arguments) };
  });
  return { role: "assistant", text: textOf(message.content), reasoning: textOf(message.reasoning_content), toolCalls };
}

function list(value: unknown): Body[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
