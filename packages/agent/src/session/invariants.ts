import { type EventDraft, isEvent, type SessionEvent } from "@gantry/contracts";
import { Pairings } from "./pairings.ts";

type Draft = Pick<EventDraft, "type" | "data" | "surfaceOp">;
type Call = { state: "announced" | "started" | "resolved" };

/** What has begun in the log and not ended. */
export type OpenParts = {
  /** calls of the open step without a result */
  readonly calls: readonly string[];
  readonly commands: ReadonlySet<string>;
  readonly approvals: ReadonlySet<string>;
  readonly questions: ReadonlySet<string>;
  readonly compactionId: string | null;
};

/** Order rules of the log (SES-12, SES-13, SES-14, SES-15, SES-16): `check` says what an event would break, `commit` follows one that was taken. */
export class LogInvariants {
  private lastTurn = 0;
  private openTurn = 0;
  private lastStep = 0;
  private openStep = 0;
  private calls = new Map<string, Call>();
  private readonly pairings = new Pairings();

  get open(): OpenParts {
    const { pairings } = this;
    return {
      calls: this.openStep ? this.unresolved() : [],
      commands: pairings.openOf("command"),
      approvals: pairings.openOf("approval"),
      questions: pairings.openOf("question"),
      compactionId: pairings.compaction?.compactionId ?? null,
    };
  }
  get turn(): number {
    return this.openTurn;
  }
  get step(): number {
    return this.openStep;
  }
  get previousStep(): number {
    return this.lastStep;
  }
  get previousTurn(): number {
    return this.lastTurn;
  }

  check(event: Draft): string | null {
    const draft = event as EventDraft;
    return this.checkPlace(draft) ?? this.pairings.check(draft, this.openTurn);
  }

  /** What turn and step the event may stand in. */
  private checkPlace(draft: EventDraft): string | null {
    switch (draft.type) {
      case "turn/start":
        if (this.openTurn) return `turn ${this.openTurn} is still open`;
        return draft.data.turn === this.lastTurn + 1 ? null : `turn ${draft.data.turn} after turn ${this.lastTurn}`;
      case "turn/end":
        if (draft.data.turn !== this.openTurn) return `turn ${draft.data.turn} is not open`;
        return this.openStep ? `step ${this.openStep} is still open` : null;
      case "step/start":
        if (draft.data.turn !== this.openTurn || this.openStep) return "a step starts in the open turn, after the step before it ended";
        return draft.data.step === this.lastStep + 1 ? null : `step ${draft.data.step} after step ${this.lastStep}`;
      case "step/end":
        if (draft.data.turn !== this.openTurn || draft.data.step !== this.openStep) return `step ${draft.data.step} is not open`;
        return this.unresolved().length > 0 ? `calls without a result: ${this.unresolved().join(", ")}` : null;
      case "user/message":
        return draft.surfaceOp === "append" && !this.openStep ? "a user message enters with a step" : null;
      case "assistant/chunk":
      case "llm/retry":
      case "llm/retry-started":
        return this.inStep(draft.data);
      case "assistant/message":
        return this.inStep(draft.data) ?? this.checkNewCalls(draft.data.message.content);
      case "tool/call":
        return this.inStep(draft.data) ?? this.checkCall(draft.data.callId);
      case "tool/result":
        if (draft.surfaceOp !== "append") return this.openTurn ? null : "a tool result is pruned in an open turn";
        return this.inStep(draft.data) ?? this.checkResult(draft);
      case "agent-preset/selected":
        return this.openTurn ? "a preset is selected between turns" : null;
      case "todo/write":
      case "request/header":
      case "request/context":
      case "compaction/prune":
      case "approval/asked":
      case "approval/decided":
      case "question/asked":
      case "question/answered":
        return this.openTurn ? null : `${draft.type} belongs into an open turn`;
      case "permission/preset":
      case "sandbox/mode":
      case "approval/policy":
      case "command/run":
      case "command/done":
      case "feedback/record":
      case "session/title-llm-request":
      case "compaction/start":
      case "compaction/end":
      case "compaction/summary":
      case "agent/inbox/spliced":
      case "fs/observed":
      case "session/end-seed":
      case "session/title":
        return null;
      default:
        draft satisfies never;
        return null; // of a newer release, and marked as one that may be skipped (SES-5)
    }
  }

  commit(event: SessionEvent): void {
    this.pairings.commit(event);
    if (isEvent(event, "turn/start")) {
      this.lastTurn = event.data.turn;
      this.openTurn = event.data.turn;
      this.lastStep = 0;
    } else if (isEvent(event, "turn/end")) this.openTurn = 0;
    else if (isEvent(event, "step/start")) {
      this.openStep = event.data.step;
      this.lastStep = event.data.step;
      this.calls.clear();
    } else if (isEvent(event, "step/end")) this.openStep = 0;
    else if (isEvent(event, "assistant/message")) {
      for (const block of event.data.message.content) if (block.type === "tool-call") this.calls.set(block.id, { state: "announced" });
    } else if (isEvent(event, "tool/call")) this.calls.set(event.data.callId, { state: "started" });
    else if (isEvent(event, "tool/result") && event.surfaceOp === "append") this.calls.set(resultCallId(event), { state: "resolved" });
  }

  private unresolved(): string[] {
    return [...this.calls].filter(([, call]) => call.state !== "resolved").map(([id]) => id);
  }

  private inStep(at: { turn: number; step: number }): string | null {
    return at.turn === this.openTurn && at.step === this.openStep && this.openStep > 0
      ? null
      : `turn ${at.turn} step ${at.step} is not open`;
  }

  private checkNewCalls(content: readonly { type: string; id?: string }[]): string | null {
    const ids = content.flatMap((block) => (block.type === "tool-call" && block.id ? [block.id] : []));
    return new Set(ids).size === ids.length && !ids.some((id) => this.calls.has(id)) ? null : "a call id repeats within the step";
  }

  private checkCall(callId: string): string | null {
    const call = this.calls.get(callId);
    if (!call) return `call ${callId} is not part of the assistant message`;
    return call.state === "announced" ? null : `call ${callId} was started already`;
  }

  private checkResult(draft: Extract<EventDraft, { type: "tool/result" }>): string | null {
    const [block, ...others] = draft.data.message.content;
    if (block?.type !== "tool-result" || others.length > 0) return "a result message holds one result and nothing else";
    const call = this.calls.get(block.toolCallId);
    if (!call || call.state === "resolved") return `call ${block.toolCallId} has no open call in this step`;
    // SES-13: what never started has no result but the error that says so
    const saysNotStarted = block.isError && draft.data.error?.code === "TOOL_NOT_STARTED";
    return call.state === "started" || saysNotStarted ? null : `call ${block.toolCallId} was never started`;
  }
}

export function resultCallId(event: { data: { message: { content: readonly { type: string; toolCallId?: string }[] } } }): string {
  return event.data.message.content.find((block) => block.type === "tool-result")?.toolCallId ?? "";
}
