import { z } from "zod";
import { PresetId } from "./ids.ts";
import { StoredJson } from "./json.ts";
import { LlmFailure, Message, Usage } from "./messages.ts";
import { parsingAsIs } from "./parse-as-is.ts";
import { ApprovalOutcome, ApprovalPolicy, Question, QuestionAnswer, SandboxModeName } from "./permissions.ts";

const turnStep = { turn: z.number().int().positive(), step: z.number().int().positive() };

/** `turn` null: between turns, asked for by a person (CMP-4). */
const compaction = { compactionId: z.string(), sourceCommandId: z.string().optional(), turn: z.number().int().positive().nullable() };
/** What a replacement hides from the model; token counts are estimates. */
const shadowed = {
  shadowedRange: z.object({ start: z.number().int().nonnegative(), end: z.number().int().nonnegative() }),
  shadowedSeqs: z.array(z.number().int().nonnegative()),
  shadowedTokenCount: z.number().int().nonnegative(),
};

export const Todo = z.strictObject({ content: z.string(), status: z.enum(["pending", "in_progress", "completed"]) });
export type Todo = z.infer<typeof Todo>;

export const TurnEndReason = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("completed") }),
  z.object({ kind: z.literal("aborted"), reason: z.enum(["user", "parent", "hook", "disposed"]), detail: z.string().optional() }),
  z.object({ kind: z.literal("blocked"), detail: z.string().optional() }),
  z.object({ kind: z.literal("error"), error: LlmFailure }),
  z.object({ kind: z.literal("max-tokens") }),
  z.object({ kind: z.literal("interrupted") }),
]);
export type TurnEndReason = z.infer<typeof TurnEndReason>;

/** A run of streamed deltas of one block, packed: at most 200 ms of stream or up to the next barrier. Offsets count UTF-16 units. */
export const ChunkRun = z.object({
  index: z.number().int().nonnegative(),
  block: z.enum(["text", "reasoning", "tool-call"]),
  offset: z.number().int().nonnegative(),
  text: z.string(),
  callId: z.string().optional(),
  name: z.string().optional(),
});
export type ChunkRun = z.infer<typeof ChunkRun>;

export const ToolSchema = z.object({ name: z.string(), description: z.string(), parameters: z.record(z.string(), StoredJson) });
export type ToolSchema = z.infer<typeof ToolSchema>;

export const CallConfig = z.object({
  provider: z.string(),
  model: z.string(),
  maxTokens: z.number().int().positive().optional(),
  reasoningEffort: z.string().optional(),
});
export type CallConfig = z.infer<typeof CallConfig>;

/**
 * The catalogue of session events (specs/agent-core §1.3): type → payload. New meaning gets a new type; new fields are optional.
 * `user/message`, `assistant/message` and `tool/result` are the surface types, the only ones that reach the model (SES-6). Shapes from before the
 * first release are no part of it and are refused (SES-11).
 */
export const eventData = {
  "turn/start": z.object({ turn: turnStep.turn }),
  "turn/end": z.object({ turn: turnStep.turn, reason: TurnEndReason }),
  "step/start": z.object(turnStep),
  "step/end": z.object(turnStep),
  "user/message": Message,
  "assistant/chunk": z.object({
    ...turnStep,
    messageId: z.string(),
    runs: z.array(ChunkRun),
    /** the runs were given up after their time; what there was (SES-33) */
    pruned: z.object({ runs: z.number().int().nonnegative(), chars: z.number().int().nonnegative() }).optional(),
  }),
  "assistant/message": z.object({
    ...turnStep,
    message: Message,
    usage: Usage.optional(),
    interrupted: z.literal(true).optional(),
    /** it ended where the model's limit of tokens was; its calls are not part of it (STP-8) */
    cutOff: z.literal(true).optional(),
  }),
  "tool/call": z.object({ ...turnStep, callId: z.string(), name: z.string(), arguments: z.string() }),
  "tool/result": z.object({
    ...turnStep,
    message: Message,
    error: z.object({ name: z.string(), code: z.string() }).optional(),
    meta: StoredJson.optional(),
    /** its step is the turn's last, unless something waits for the next one (BAT-5) */
    concludesTurn: z.literal(true).optional(),
  }),
  "request/header": z.object({
    header: z.object({
      config: CallConfig,
      /** values of `config` that nobody chose: another route gets its own (LLM-9) */
      adapterDefaults: z.array(z.enum(["maxTokens", "reasoningEffort"])).optional(),
      system: z.string().optional(),
      tools: z.array(ToolSchema).optional(),
    }),
    reason: z.enum(["initial", "resume", "change"]),
  }),
  "request/context": z.object({ provider: z.string(), model: z.string(), contextWindow: z.number().int().positive().optional() }),
  "agent/inbox/spliced": z.object({
    target: z.enum(["next-turn", "next-step"]),
    start: z.number().int().nonnegative(),
    removedCount: z.number().int().nonnegative().optional(),
    inserted: z.array(Message),
    outcome: z.literal("canceled").optional(),
  }),
  "session/end-seed": z.object({}),
  "session/title": z.object({
    title: z.string(),
    messageSeqs: z.array(z.number().int()),
    source: z.object({ kind: z.enum(["fallback", "provider", "user"]), provider: z.string().optional(), model: z.string().optional() }),
  }),
  /** From here on the session runs on this preset revision (G-19). */
  "agent-preset/selected": z.object({ presetId: PresetId, revision: z.number().int().positive(), slug: z.string(), hash: z.string() }),
  /** What the session's file tools have seen of a file, so that the next holder still knows (POL-4). `target` is the file's identity in its world. */
  "fs/observed": z.object({ target: z.string(), state: z.enum(["present", "absent"]), version: z.string().optional() }),
  "todo/write": z.object({ todos: z.array(Todo) }),
  "llm/retry": z.object({
    ...turnStep,
    retryId: z.string(),
    provider: z.string(),
    retry: z.number().int().positive(),
    maxRetries: z.number().int().optional(),
    delayMs: z.number().nonnegative(),
    failure: LlmFailure,
  }),
  "llm/retry-started": z.object({ ...turnStep, retryId: z.string(), retry: z.number().int().positive() }),
  "permission/preset": z.object({ preset: z.string() }),
  "sandbox/mode": z.object({ mode: SandboxModeName, source: z.literal("delegation").optional() }),
  "approval/policy": z.object({ policy: ApprovalPolicy, source: z.literal("delegation").optional() }),
  "approval/asked": z.object({ id: z.string(), toolName: z.string(), callId: z.string().optional(), reason: z.string().optional() }),
  "approval/decided": z.object({ id: z.string(), outcome: ApprovalOutcome, by: z.string().optional() }),
  "question/asked": z.object({ id: z.string(), callId: z.string(), questions: z.array(Question) }),
  "question/answered": z.object({
    id: z.string(),
    outcome: z.enum(["answered", "dismissed", "cancelled"]),
    answers: z.array(QuestionAnswer).optional(),
    by: z.string().optional(),
  }),
  /** A human command such as `/compact`; `args` are left out where a domain event owns the text (CMD-3). */
  "command/run": z.object({ commandId: z.string(), name: z.string(), args: z.string().optional(), userId: z.string().optional() }),
  "command/done": z.object({
    commandId: z.string(),
    kind: z.enum(["success", "error"]),
    text: z.string().optional(),
    sourceEventSeq: z.number().int().nonnegative().optional(),
  }),
  "feedback/record": z.object({ text: z.string() }),
  /** The audit record of a title request, written before it is sent (TTL-3). */
  "session/title-llm-request": z.object({
    titleProvider: z.string(),
    messageSeqs: z.array(z.number().int()),
    route: z.object({ provider: z.string(), model: z.string() }),
    system: z.string(),
    messages: z.array(Message),
    maxTokens: z.number().int().positive(),
  }),
  "compaction/start": z.object(compaction),
  "compaction/end": z.object({ ...compaction, error: z.string().optional() }),
  "compaction/summary": z.object({
    ...compaction,
    ...shadowed,
    summary: z.string(),
    provider: z.string(),
    model: z.string(),
    maxTokens: z.number().int().positive().optional(),
    usage: Usage.optional(),
  }),
  "compaction/prune": z.object(shadowed),
} as const;

export type EventType = keyof typeof eventData;
export type EventData<T extends EventType> = z.infer<(typeof eventData)[T]>;
export const surfaceTypes = ["user/message", "assistant/message", "tool/result"] as const satisfies readonly EventType[];
export type SurfaceType = (typeof surfaceTypes)[number];

export const SurfaceOp = z.union([
  z.literal("append"),
  z.strictObject({ op: z.literal("replace"), start: z.number().int().nonnegative(), end: z.number().int().nonnegative() }),
]);
export type SurfaceOp = z.infer<typeof SurfaceOp>;

type Envelope<T extends EventType> = {
  readonly type: T;
  /** Position in the log: 0-based, gap-free (SES-3). */
  readonly seq: number;
  /** Epoch milliseconds of the append; may repeat, not monotone. */
  readonly time: number;
  readonly data: EventData<T>;
  readonly ignorable?: true;
  readonly surfaceOp?: SurfaceOp;
  readonly sourceEventSeqs?: readonly number[];
};
export type SessionEventOf<T extends EventType> = Envelope<T>;
export type SessionEvent = { [T in EventType]: Envelope<T> }[EventType];
/** An event before the log gives it its place. */
export type EventDraft = { [T in EventType]: Omit<Envelope<T>, "seq" | "time"> }[EventType];

const envelope = z.object({
  type: z.string(),
  seq: z.number().int().nonnegative(),
  time: z.number(),
  data: z.unknown(),
  ignorable: z.literal(true).optional(),
  surfaceOp: SurfaceOp.optional(),
  sourceEventSeqs: z.array(z.number().int().nonnegative()).optional(),
});

const parseEnvelope = parsingAsIs(envelope);
const payloadParsers = Object.fromEntries(Object.entries(eventData).map(([type, schema]) => [type, parsingAsIs<unknown>(schema)]));

/** A payload as every reader has it: without what its type does not name. The value itself where it is that already. @throws ZodError */
export function parsePayload(type: EventType, data: unknown): unknown {
  return (payloadParsers[type] as (data: unknown) => unknown)(data);
}

/**
 * Parses one stored event, which is handed back as it is where nothing of it changes. Unknown types pass only when `ignorable` (SES-5): the answer is
 * then `null`. @throws ZodError or RangeError
 */
export function parseEvent(value: unknown): SessionEvent | null {
  const row = parseEnvelope(value);
  if (!Object.hasOwn(eventData, row.type)) {
    if (row.ignorable) return null;
    throw new RangeError(`event ${row.seq} has the unknown type "${row.type}"; this session needs a newer release`);
  }
  const data = parsePayload(row.type as EventType, row.data);
  return (data === row.data ? row : { ...row, data }) as SessionEvent;
}

export function isEvent<T extends EventType>(event: SessionEvent, type: T): event is Extract<SessionEvent, { type: T }> {
  return event.type === type;
}
