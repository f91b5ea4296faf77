import type { EventDraft } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { lastUserText, type Reply, type ScriptRequest, toolResults } from "@gantry/testing";
import type { KillPoint } from "./crash-roots.ts";

export type CrashCase = {
  /** row of the table in specs §9.3, and what is durable when the worker dies */
  readonly id: string;
  readonly tail: string;
  readonly killAt: KillPoint | null;
  /** messages sent before the first worker starts; the first word of the first names the case to the model */
  readonly says?: number;
  /** a human command, sent when the turns are over */
  readonly command?: string;
  /** the session's preset has compaction */
  readonly compacts?: boolean;
  readonly reply: (request: ScriptRequest) => Reply;
  /** logged by the dead worker too, where no plugin does it yet */
  readonly also?: EventDraft;
  /** what the next holder logs, in order */
  readonly repair: readonly string[];
  /** how it ends without a person: with a completed turn, or waiting */
  readonly ends: "completes" | "waits" | "idle";
  /** runs of tool bodies at the end */
  readonly effects?: number;
};

type Call = { readonly name: "effect" | "repeatable"; readonly arguments: { dies?: boolean } };
const say = (): Reply => ({ text: "all done" });
const wasCut = ({ messages }: ScriptRequest) =>
  messages.some(({ role, ...rest }) => role === "user" && JSON.stringify(rest).includes("infrastructure"));
/** Makes the calls once, then is done whatever came back. */
const calls =
  (...toolCalls: Call[]) =>
  (request: ScriptRequest): Reply =>
    toolResults(request).length > 0 ? say() : { toolCalls };
const effect: Call = { name: "effect", arguments: {} };
const dying: Call = { name: "effect", arguments: { dies: true } };

const claim: KillPoint = { type: "agent/inbox/spliced", nth: 1, has: '"removedCount":1' };
const [interrupted, seed, notice] = ["turn/end interrupted", "session/end-seed", "inbox +1"];
const [unknown, notStarted] = ["TOOL_OUTCOME_UNKNOWN", "TOOL_NOT_STARTED"];

const long = "word ".repeat(4_000);
const longAnswer: Reply = { text: long, chunkSize: 2_000 };
const tooLong: Reply = {
  fault: { kind: "status", status: 400, message: "This model's maximum context length is 8192 tokens", type: "invalid_request_error" },
};
/** A request for a summary ends with an instruction that no person, notice or plugin wrote. */
const isSummary = (request: ScriptRequest) => !/^C\d+:|infrastructure|^Current facts/.test(lastUserText(request));

export const crashCases: readonly CrashCase[] = [
  {
    id: "C1",
    tail: "idle, a message waits",
    killAt: { type: "agent/inbox/spliced", nth: 1 },
    reply: say,
    repair: [seed],
    ends: "completes",
  },
  {
    id: "C2",
    tail: "a turn without a claim",
    killAt: { type: "turn/start", nth: 1 },
    reply: say,
    repair: [interrupted, seed],
    ends: "completes",
  },
  { id: "C3", tail: "a claim without a step", killAt: claim, reply: say, repair: [interrupted, "inbox +1", seed], ends: "completes" },
  {
    id: "C4",
    tail: "a step with its message, no request",
    killAt: { type: "user/message", nth: 1 },
    reply: say,
    repair: ["step/end", interrupted, notice, seed],
    ends: "completes",
  },
  {
    id: "C5",
    tail: "half an answer",
    killAt: { type: "assistant/chunk", nth: 1 },
    reply: (request) => (wasCut(request) ? say() : { text: long.slice(0, 400), chunkSize: 20, delayMs: 30 }),
    repair: ["step/end", interrupted, notice, seed],
    ends: "completes",
  },
  {
    id: "C6",
    tail: "an answer with calls, none started",
    killAt: { type: "assistant/message", nth: 1 },
    reply: calls(effect, effect),
    repair: [notStarted, notStarted, "step/end", interrupted, notice, seed],
    ends: "completes",
  },
  {
    id: "C7",
    tail: "a call that asked for permission",
    killAt: { type: "tool/call", nth: 1 },
    reply: calls(effect),
    also: { type: "approval/asked", data: { id: newId(), toolName: "effect" } },
    repair: ["approval/decided cancelled", notStarted, "step/end", interrupted, notice, seed],
    ends: "completes",
  },
  {
    id: "C8",
    tail: "a call whose body was running",
    killAt: null,
    reply: calls(dying),
    repair: [unknown, "step/end", interrupted, seed],
    ends: "waits",
    effects: 1,
  },
  {
    id: "C8-repeatable",
    tail: "a call whose body was running and may be repeated",
    killAt: null,
    reply: calls({ name: "repeatable", arguments: { dies: true } }),
    repair: [unknown, "step/end", interrupted, notice, seed],
    ends: "completes",
    effects: 1,
  },
  {
    id: "C8-before",
    tail: "a call between its barrier and its body",
    killAt: { type: "dispatched", nth: 1 },
    reply: calls(effect),
    repair: [unknown, "step/end", interrupted, seed],
    ends: "waits",
  },
  {
    id: "C9",
    tail: "one result of two, the other body running",
    killAt: null,
    reply: calls(effect, dying),
    repair: [unknown, "step/end", interrupted, seed],
    ends: "waits",
    effects: 2,
  },
  {
    id: "C9-next",
    tail: "one result of two, the other call not started",
    killAt: { type: "tool/result", nth: 1 },
    reply: calls(effect, effect),
    repair: [notStarted, "step/end", interrupted, notice, seed],
    ends: "completes",
    effects: 1,
  },
  {
    id: "C10",
    tail: "a step's end",
    killAt: { type: "step/end", nth: 1 },
    reply: calls(effect),
    repair: [interrupted, notice, seed],
    ends: "completes",
    effects: 1,
  },
  {
    id: "C11",
    tail: "a turn's end, another message waits",
    killAt: { type: "turn/end", nth: 1 },
    says: 2,
    reply: say,
    repair: [seed],
    ends: "completes",
  },
  {
    id: "C12",
    tail: "the pause before another try of the model",
    killAt: { type: "llm/retry", nth: 1 },
    reply: (request) => (wasCut(request) ? say() : { fault: { kind: "status", status: 500 } }),
    repair: ["step/end", interrupted, notice, seed],
    ends: "completes",
  },
  {
    id: "C13",
    tail: "a compaction inside a turn",
    killAt: { type: "compaction/start", nth: 1 },
    says: 2,
    compacts: true,
    reply: (request) => {
      if (isSummary(request)) return { text: "a short summary" };
      const sent = request.messages.filter((message) => message.role === "user" && message.text.startsWith("C13:")).length;
      if (sent === 1) return longAnswer;
      return JSON.stringify(request.messages).includes(long) ? tooLong : say();
    },
    repair: ["step/end", interrupted, notice, seed],
    ends: "completes",
  },
  {
    id: "C15",
    tail: "a compaction that a person asked for",
    killAt: { type: "compaction/start", nth: 1 },
    says: 2,
    compacts: true,
    command: "compact",
    reply: (request) => (isSummary(request) ? { text: "a short summary" } : longAnswer),
    repair: ["command/done error", seed],
    ends: "idle",
  },
];
