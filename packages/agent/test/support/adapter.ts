import type { LlmAdapter, LlmRequest, ModelInfo, StreamChunk } from "@gantry/llm";

type Reply = (request: LlmRequest, signal: AbortSignal) => AsyncIterable<StreamChunk> | Iterable<StreamChunk>;

/** A model provider inside the process, for what no server would send; `requests` are those of turns and compactions. It gives titles by itself. */
export function adapter(slug: string, info: Omit<ModelInfo, "provider" | "model">, reply: Reply): LlmAdapter & { requests: LlmRequest[] } {
  const requests: LlmRequest[] = [];
  return {
    slug,
    models: ["m"],
    requests,
    resolve: (model) => ({ provider: slug, model, ...info }),
    async *stream(request) {
      if (request.purpose === "session-title") return yield* says("a title");
      requests.push(request);
      yield* reply(request, request.signal);
    },
  };
}

export const says = (text: string): StreamChunk[] => [
  { type: "text-delta", index: 0, text },
  { type: "finish", reason: { kind: "stop" } },
];
