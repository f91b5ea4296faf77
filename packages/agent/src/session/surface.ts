import { isDeepStrictEqual } from "node:util";
import type { EventDraft, Message, SessionEvent, SurfaceType } from "@gantry/contracts";
import { isEvent, surfaceTypes } from "@gantry/contracts";

export type SurfaceEvent = Extract<SessionEvent, { type: SurfaceType }>;
type UserEvent = Extract<SurfaceEvent, { type: "user/message" }>;
/** What a surface event did: `removed` nodes from place `at` on gave way to `added`. */
export type SurfaceChange = { readonly at: number; readonly removed: readonly SurfaceEvent[]; readonly added: SurfaceEvent };
type Candidate = Pick<SessionEvent, "type" | "surfaceOp" | "sourceEventSeqs"> & { data?: unknown };

export function isSurfaceEvent(event: SessionEvent): event is SurfaceEvent {
  return (surfaceTypes as readonly string[]).includes(event.type);
}

/**
 * The ordered events that are model-visible now (SES-6, SES-8). Replacing a range puts the new event in its place.
 * `check` says why an event cannot join; `commit` adds it.
 */
export class Surface {
  private list: SurfaceEvent[] = [];
  private derived: Message[] = [];
  private replacements = 0;
  private readonly byPlugin = new Map<string, UserEvent>();

  get nodes(): readonly SurfaceEvent[] {
    return this.list;
  }
  /** How many replacements were committed; what was derived before the last one is stale (SES-19). */
  get replaceGeneration(): number {
    return this.replacements;
  }

  check(event: Candidate): string | null {
    const surface = (surfaceTypes as readonly string[]).includes(event.type);
    if (surface !== (event.surfaceOp !== undefined))
      return surface ? "a surface event needs surfaceOp" : "only surface events carry surfaceOp";
    if (!surface && event.sourceEventSeqs) return "only surface events cite sources";
    if (event.surfaceOp === undefined || event.surfaceOp === "append") return null;
    const range = this.range(event.surfaceOp.start, event.surfaceOp.end);
    if (!range) return "a replacement must name a current range";
    const hidden = this.list.slice(range.from, range.to + 1);
    const sources = new Set(event.sourceEventSeqs ?? []);
    const missing = hidden.find((node) => !sources.has(node.seq));
    if (missing) return `a replacement must cite event ${missing.seq}`;
    return event.type === "tool/result" ? checkPruned(event as Extract<EventDraft, { type: "tool/result" }>, hidden) : null;
  }

  /** Null for an event that is no part of the surface. */
  commit(event: SessionEvent): SurfaceChange | null {
    if (!isSurfaceEvent(event)) return null;
    if (event.surfaceOp === undefined || event.surfaceOp === "append") {
      this.list.push(event);
      this.derived.push(...messageOf(event));
      this.index(event);
      return { at: this.list.length - 1, removed: [], added: event };
    }
    const range = this.range(event.surfaceOp.start, event.surfaceOp.end);
    if (!range) return null;
    const removed = this.list.splice(range.from, range.to - range.from + 1, event);
    this.replacements += 1;
    this.derived = this.list.flatMap((node) => messageOf(node));
    this.byPlugin.clear();
    for (const node of this.list) this.index(node);
    return { at: range.from, removed, added: event };
  }

  /** The history as the model sees it (SES-17), kept as the log grows and built anew after a replacement (SES-19). The caller's own copy. */
  messages(): Message[] {
    return this.derived.slice();
  }

  /** The newest message of a plugin that the model sees, without a walk through the history. */
  newestOf(plugin: string): Message | null {
    return this.byPlugin.get(plugin)?.data ?? null;
  }

  private index(event: SurfaceEvent): void {
    if (isEvent(event, "user/message") && event.data.source.kind === "plugin") this.byPlugin.set(event.data.source.plugin, event);
  }

  private range(start: number, end: number): { from: number; to: number } | null {
    const from = this.list.findIndex((node) => node.seq === start);
    const to = this.list.findIndex((node) => node.seq === end);
    return from >= 0 && to >= from ? { from, to } : null;
  }
}

/** What a surface event says to the model; nothing for an answer that is kept for its usage only. */
export function messageOf(event: SurfaceEvent): Message[] {
  if (isEvent(event, "user/message")) return [event.data];
  if (isEvent(event, "assistant/message")) return event.data.message.content.length > 0 ? [event.data.message] : [];
  return [event.data.message];
}

/** A result gives way to the same result with less text, and to nothing else (SES-8). */
function checkPruned(next: Pick<Extract<EventDraft, { type: "tool/result" }>, "data">, hidden: readonly SurfaceEvent[]): string | null {
  const [node] = hidden;
  if (hidden.length !== 1 || !node || !isEvent(node, "tool/result")) return "a tool result replaces exactly one tool result";
  return isDeepStrictEqual(withoutText(next.data), withoutText(node.data)) ? null : "a pruned tool result changes its text only";
}

type ResultData = Extract<EventDraft, { type: "tool/result" }>["data"];

function withoutText(data: ResultData): unknown {
  const [first, ...rest] = data.message.content;
  const bare = first?.type === "tool-result" ? { ...first, content: first.content.filter((part) => part.type !== "text") } : first;
  return JSON.parse(JSON.stringify({ ...data, message: { ...data.message, content: [bare, ...rest] } }));
}
