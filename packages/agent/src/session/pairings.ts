import { type EventData, type EventDraft, isEvent, type SessionEvent } from "@gantry/contracts";

type Compaction = EventData<"compaction/start"> & {
  /** the range that the bracket's summary speaks for, once it is logged */
  readonly summary?: EventData<"compaction/summary">;
};
type Kind = "approval" | "question" | "command";
const asking = { "approval/asked": "approval", "question/asked": "question", "command/run": "command" } as const;
const answering = { "approval/decided": "approval", "question/answered": "question", "command/done": "command" } as const;

/** Events that come in pairs: what is open, and what may not follow (SES-15a, SES-16). Ids are never used twice. */
export class Pairings {
  private readonly openIds: Record<Kind, Set<string>> = { approval: new Set(), question: new Set(), command: new Set() };
  private readonly usedIds: Record<Kind, Set<string>> = { approval: new Set(), question: new Set(), command: new Set() };
  private readonly commandSeqs = new Set<number>();
  private length = 0;
  compaction: Compaction | null = null;

  /** Ids that were asked or run and have no end yet. */
  openOf(kind: Kind): ReadonlySet<string> {
    return this.openIds[kind];
  }

  check(draft: EventDraft, openTurn: number): string | null {
    switch (draft.type) {
      case "turn/start":
        return this.compaction?.turn === null ? "a turn does not start inside a compaction" : null;
      case "turn/end":
        return this.checkTurnEnd(draft.data.reason.kind);
      case "approval/asked":
      case "question/asked":
      case "command/run":
        return this.usedIds[asking[draft.type]].has(idOf(draft)) ? `${draft.type} ${idOf(draft)} is there already` : null;
      case "approval/decided":
      case "question/answered":
        return this.checkEnd(draft);
      case "command/done":
        return this.checkEnd(draft) ?? this.checkSource(draft.data);
      case "compaction/start":
        return this.checkStart(draft.data, openTurn);
      case "compaction/summary":
      case "compaction/end":
        return this.compaction?.compactionId === draft.data.compactionId && this.compaction.turn === draft.data.turn
          ? null
          : `compaction ${draft.data.compactionId} is not open`;
      case "user/message":
        return this.checkSummaryMessage(draft);
      default:
        return null;
    }
  }

  commit(event: SessionEvent): void {
    this.length = event.seq + 1;
    if (isEvent(event, "compaction/start")) this.compaction = event.data;
    else if (isEvent(event, "compaction/summary") && this.compaction) this.compaction = { ...this.compaction, summary: event.data };
    // a bracket whose writer died is dead, not an error (SES-16)
    else if (["compaction/end", "session/end-seed", "turn/end"].includes(event.type)) this.compaction = null;
    if (isEvent(event, "command/run") || isEvent(event, "command/done")) this.commandSeqs.add(event.seq);
    if (event.type in asking) {
      const kind = asking[event.type as keyof typeof asking];
      this.openIds[kind].add(idOf(event));
      this.usedIds[kind].add(idOf(event));
    } else if (event.type in answering) this.openIds[answering[event.type as keyof typeof answering]].delete(idOf(event));
  }

  /** A live turn ends after its compaction; one that was cut takes the bracket with it. */
  private checkTurnEnd(reason: string): string | null {
    const isCut = reason === "interrupted" || reason === "aborted";
    return this.compaction && !isCut ? "a turn does not end inside a compaction" : null;
  }

  private checkEnd(draft: Extract<EventDraft, { type: keyof typeof answering }>): string | null {
    return this.openIds[answering[draft.type]].has(idOf(draft)) ? null : `${draft.type} ${idOf(draft)} answers nothing that is open`;
  }

  /** A command's success may point at the event that it caused (CMD-3). */
  private checkSource({ kind, sourceEventSeq: source }: EventData<"command/done">): string | null {
    if (source === undefined) return null;
    if (kind !== "success") return "only a success has a source event";
    return source < this.length && !this.commandSeqs.has(source) ? null : `event ${source} is no source of a command's end`;
  }

  private checkStart({ compactionId, turn }: EventData<"compaction/start">, openTurn: number): string | null {
    if (this.compaction) return `compaction ${this.compaction.compactionId} is still open`;
    return (turn ?? 0) === openTurn ? null : `compaction ${compactionId} names turn ${turn} while turn ${openTurn} is open`;
  }

  /** The summary that takes the place of a history belongs to the open bracket and covers what its record says. */
  private checkSummaryMessage({ data, surfaceOp }: Extract<EventDraft, { type: "user/message" }>): string | null {
    const { source } = data;
    if (source.kind !== "plugin" || source.plugin !== "compaction" || typeof surfaceOp !== "object") return null;
    const { summary } = this.compaction ?? {};
    const covers = summary?.shadowedRange.start === surfaceOp.start && summary.shadowedRange.end === surfaceOp.end;
    return summary && covers && source.ref === summary.compactionId
      ? null
      : "a summary takes the place of what the open compaction recorded";
  }
}

function idOf(event: EventDraft | SessionEvent): string {
  const { id, commandId } = event.data as { id?: string; commandId?: string };
  return commandId ?? id ?? "";
}
