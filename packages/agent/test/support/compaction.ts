import { randomUUID } from "node:crypto";
import type { TestContext } from "node:test";
import { composePreset } from "@gantry/compose";
import type { EventDraft, JsonObject, SessionEvent } from "@gantry/contracts";
import type { LlmRequest, StreamChunk } from "@gantry/llm";
import { applyCommand } from "../../src/session/apply-command.ts";
import { adapter, says } from "./adapter.ts";
import { dataOf, testAgent, textOf } from "./agent.ts";
import { draft, logOf } from "./log.ts";

type Reply = StreamChunk[] | AsyncIterable<StreamChunk>;
type Options = {
  events?: readonly SessionEvent[];
  /** of `compaction-basic` */
  config?: JsonObject;
  pruner?: JsonObject | null;
  contextWindow?: number;
  summary?: (request: LlmRequest, index: number) => Reply;
  answer?: (request: LlmRequest, index: number) => Reply;
  write?: () => Promise<void>;
};

export const fail = (code: string): StreamChunk[] => [
  { type: "finish", reason: { kind: "error", failure: { code, message: `refused: ${code}` } } },
];

/** A live agent whose preset compacts, on a model inside the process; its requests are kept by purpose. */
export async function compactingAgent(t: TestContext, options: Options) {
  const { config = {}, pruner = {}, contextWindow, summary = () => says("short"), answer = () => says("ok") } = options;
  const row = (name: string, own: JsonObject = {}) => ({ id: name, name, config: own });
  const children = [row("compaction-basic", config), row("command-compact"), ...(pruner ? [row("tool-result-pruner", pruner)] : [])];
  const isolate = { compaction: true as const, ...(pruner ? { toolResultPruner: true as const } : {}) };
  const group = { id: "compaction", name: "cordis:group", group: true as const, isolate, config: children };
  const { mounts } = composePreset({ slug: "test", revision: 1, rows: [group], facts: {} });
  const { agent, say, root, warnings } = await testAgent(t, {
    script: () => ({ text: "unused" }),
    rows: mounts,
    host: { "llm-retry": { baseDelayMs: 1, maxDelayMs: 2 } },
    ...(options.events ? { events: options.events } : {}),
    ...(options.write ? { write: options.write } : {}),
  });
  const summaries: LlmRequest[] = [];
  const answers: LlmRequest[] = [];
  const model = adapter("fake", contextWindow ? { contextWindow } : {}, (request) => {
    const kept = request.purpose === "compaction" ? summaries : answers;
    kept.push(request);
    return request.purpose === "compaction" ? summary(request, summaries.length - 1) : answer(request, answers.length - 1);
  });
  agent.ctx.llm.register(model);
  agent.ctx.on("agent/request", async (_input, next) => ({ ...(await next()), provider: "fake", model: "m" }));
  const command = (name: string, args = "") => {
    applyCommand(agent, { kind: "command", commandId: randomUUID(), name, args, userId: "u" });
    return agent.whenIdle();
  };
  const seen = (request: LlmRequest | undefined) => request?.messages.map(textOf).join("\n") ?? "";
  const ends = () => dataOf(agent, "turn/end").map(({ reason }) => reason.kind);
  const brackets = () => dataOf(agent, "compaction/end").map(({ error }) => error?.split(":")[0] ?? "ok");
  return { agent, say, root, warnings, summaries, answers, command, seen, ends, brackets };
}

const route = { provider: "fake", model: "m" };

/** A finished turn of questions and answers, each `chars` long, on a route with a window of `contextWindow` tokens. */
export function history({ steps = 4, chars = 4_000, contextWindow = 10_000 } = {}): readonly SessionEvent[] {
  const pairs = Array.from({ length: steps }, (_, index) => [
    draft.stepStart(1, index + 1),
    draft.user(`q${index}`, `question ${index} ${"q".repeat(chars)}`),
    draft.assistant(1, index + 1, [], `answer ${index} ${"a".repeat(chars)}`),
    draft.stepEnd(1, index + 1),
  ]).flat();
  return logOf(draft.turnStart(1), ...seeded(contextWindow), ...pairs, draft.turnEnd(1));
}

/** A finished turn in which each of `results` was read by a call, one a step. */
export function toolHistory(results: readonly string[], contextWindow = 10_000): readonly SessionEvent[] {
  const steps = results.map((text, index) => {
    const [step, id] = [index + 1, `c${index}`];
    const result = draft.result(1, step, id) as Extract<EventDraft, { type: "tool/result" }>;
    const content = [{ type: "tool-result" as const, toolCallId: id, content: [{ type: "text" as const, text }], isError: false }];
    return [
      draft.stepStart(1, step),
      ...(index === 0 ? [draft.user("q", "read it all")] : []),
      draft.assistant(1, step, [{ id, name: "read" }]),
      draft.call(1, step, id, "read"),
      { ...result, data: { ...result.data, meta: { path: id }, message: { ...result.data.message, content } } },
      draft.stepEnd(1, step),
    ];
  });
  return logOf(draft.turnStart(1), ...seeded(contextWindow), ...steps.flat(), draft.turnEnd(1));
}

const seeded = (contextWindow: number): EventDraft[] => [
  { type: "request/header", data: { header: { config: route }, reason: "initial" } },
  { type: "request/context", data: { ...route, ...(contextWindow > 0 ? { contextWindow } : {}) } },
];
