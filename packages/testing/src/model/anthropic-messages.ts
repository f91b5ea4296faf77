import type { Reply, ScriptMessage } from "./script.ts";
import { argumentsText, type Body, imageCount, isRecord, pieces, textOf, type Wire } from "./wire.ts";

const stopReasons: { readonly [word: string]: string } = { stop: "end_turn", tool_calls: "tool_use", length: "max_tokens" };

/** The messages stream: content blocks with signed thinking, tool input as partial JSON. */
export const anthropicMessages: Wire = {
  name: "messages",
  endMark: event({ type: "message_stop" }),
  wrapRaw: (data) => `data: ${data}\n\n`,
  errorBody: (message, type) => ({ type: "error", error: { type, message } }),
  errorEvent: (message, type) => event({ type: "error", error: { type, message } }),
  parse(body) {
    return {
      model: String(body.model ?? ""),
      system: textOf(body.system),
      messages: list(body.messages).flatMap(toMessages),
      tools: list(body.tools).map((tool) => ({
        name: String(tool.name),
        description: String(tool.description ?? ""),
        parameters: tool.input_schema,
      })),
    };
  },
  events(reply, { model, id }) {
    const finish = reply.finish ?? (reply.toolCalls?.length ? "tool_calls" : "stop");
    const input = Math.max(0, (reply.usage?.input ?? 1) - (reply.usage?.cached ?? 0) - (reply.usage?.cacheWritten ?? 0));
    const start = {
      input_tokens: input,
      output_tokens: 1,
      cache_read_input_tokens: reply.usage?.cached ?? 0,
      cache_creation_input_tokens: reply.usage?.cacheWritten ?? 0,
    };
    return [
      event({
        type: "message_start",
        message: { id, type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null, usage: start },
      }),
      ...blocks(reply).flatMap((block, index) => blockEvents(block, index)),
      event({
        type: "message_delta",
        delta: { stop_reason: stopReasons[finish] ?? finish, stop_sequence: null },
        usage: { output_tokens: reply.usage?.output ?? 1 },
      }),
    ];
  },
};

type Block = { readonly open: object; readonly deltas: readonly object[] };

function blocks(reply: Reply): Block[] {
  const size = reply.chunkSize ?? 7;
  const out: Block[] = [];
  if (reply.reasoning) {
    const thinking = pieces(reply.reasoning, size).map((text) => ({ type: "thinking_delta", thinking: text }));
    out.push({
      open: { type: "thinking", thinking: "", signature: "" },
      deltas: [...thinking, { type: "signature_delta", signature: signatureOf(reply.reasoning) }],
    });
  }
  if (reply.text) {
    out.push({ open: { type: "text", text: "" }, deltas: pieces(reply.text, size).map((text) => ({ type: "text_delta", text })) });
  }
  for (const [index, call] of (reply.toolCalls ?? []).entries()) {
    const parts = pieces(argumentsText(call.arguments), size).map((text) => ({ type: "input_json_delta", partial_json: text }));
    out.push({ open: { type: "tool_use", id: call.id ?? `toolu_${index}`, name: call.name, input: {} }, deltas: parts });
  }
  return out;
}

/** A stand-in for the provider's signature, checkable by a test. */
export function signatureOf(reasoning: string): string {
  return `signed:${reasoning.length}`;
}

function blockEvents(block: Block, index: number): string[] {
  return [
    event({ type: "content_block_start", index, content_block: block.open }),
    ...block.deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
    event({ type: "content_block_stop", index }),
  ];
}

function event(data: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function toMessages(message: Body): ScriptMessage[] {
  const parts = typeof message.content === "string" ? [{ type: "text", text: message.content }] : list(message.content);
  const of = (type: string) => parts.filter((part): part is Body => (part as Body).type === type);
  if (message.role === "assistant") {
    const signature = of("thinking").map((part) => String(part.signature))[0];
    const toolCalls = of("tool_use").map((part) => ({
      id: String(part.id),
      name: String(part.name),
      arguments: JSON.stringify(part.input),
    }));
    const reasoning = of("thinking")
      .map((part) => String(part.thinking))
      .join("");
    return [{ role: "assistant", text: textOf(of("text")), reasoning, toolCalls, ...(signature ? { signature } : {}) }];
  }
  const results = of("tool_result").map(
    (part) => ({ role: "tool", callId: String(part.tool_use_id), text: textOf(part.content), ...imageCount(part.content) }) as const,
  );
  const text = textOf(of("text"));
  const images = imageCount(parts);
  return text || images.images ? [...results, { role: "user", text, ...images }] : results;
}

function list(value: unknown): Body[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
