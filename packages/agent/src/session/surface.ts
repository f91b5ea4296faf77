import type { Message, SessionEvent, SurfaceType } from "@gantry/contracts";
import { isEvent, surfaceTypes } from "@gantry/contracts";

type SurfaceEvent = Extract<SessionEvent, { type: SurfaceType }>;

export function isSurfaceEvent(event: SessionEvent): event is SurfaceEvent {
  return (surfaceTypes as readonly string[]).includes(event.type);
}

/**
 * The ordered events that are model-visible now (SES-6, SES-8). Replacing a range puts the new event in its place.
 * `check` says why an event cannot join; `commit` adds it.
 */
export class Surface {
  private nodes: SurfaceEvent[] = [];

  check(event: Pick<SessionEvent, "type" | "surfaceOp" | "sourceEventSeqs">): string | null {
    const surface = (surfaceTypes as readonly string[]).includes(event.type);
    if (surface !== (event.surfaceOp !== undefined))
      return surface ? "a surface event needs surfaceOp" : "only surface events carry surfaceOp";
    if (!surface && event.sourceEventSeqs) return "only surface events cite sources";
    if (event.surfaceOp === undefined || event.surfaceOp === "append") return null;
    const range = this.range(event.surfaceOp.start, event.surfaceOp.end);
    if (!range) return "a replacement must name a current range";
    const sources = new Set(event.sourceEventSeqs ?? []);
    const missing = this.nodes.slice(range.from, range.to + 1).find((node) => !sources.has(node.seq));
    return missing ? `a replacement must cite event ${missing.seq}` : null;
  }

  commit(event: SessionEvent): void {
    if (!isSurfaceEvent(event)) return;
    if (event.surfaceOp === undefined || event.surfaceOp === "append") {
      this.nodes.push(event);
      return;
    }
    const range = this.range(event.surfaceOp.start, event.surfaceOp.end);
    if (range) this.nodes.splice(range.from, range.to - range.from + 1, event);
  }

  /** The history as the model sees it (SES-17). */
  messages(): Message[] {
    return this.nodes.flatMap((node) => messageOf(node));
  }

  private range(start: number, end: number): { from: number; to: number } | null {
    const from = this.nodes.findIndex((node) => node.seq === start);
    const to = this.nodes.findIndex((node) => node.seq === end);
    return from >= 0 && to >= from ? { from, to } : null;
  }
}

function messageOf(event: SurfaceEvent): Message[] {
  if (isEvent(event, "user/message")) return [event.data];
  if (isEvent(event, "assistant/message")) return event.data.message.content.length > 0 ? [event.data.message] : [];
  return [event.data.message];
}
