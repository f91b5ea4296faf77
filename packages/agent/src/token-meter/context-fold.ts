import { isDeepStrictEqual } from "node:util";
import { estimateHeader, estimateMessage, isEvent, type SessionEvent, type Usage } from "@gantry/contracts";
import { messageOf, Surface, type SurfaceEvent } from "../session/surface.ts";

/** How much a session's next request takes, in tokens. What providers reported of it is a projection of its own (`contextPressure`). */
export type ContextSize = {
  /** what the next request would take: the newest reported total and the rule of thumb for what came since, or the rule alone (TOK-2) */
  readonly estimatedTokens: number;
  /** of the route in use; null where nobody knows it */
  readonly contextWindow: number | null;
};

/** A reported total, and what the rule of thumb said of the same prefix, the first `nodes` of the surface. */
type Anchor = { readonly reported: number; readonly estimated: number; readonly nodes: number };

/** Follows a log event by event: each is looked at once, whatever the length of the history. */
export class ContextFold {
  private readonly surface = new Surface();
  private followed = 0;
  private surfaceTokens = 0;
  private headerTokens = 0;
  private header: unknown = null;
  private anchor: Anchor | null = null;
  private contextWindow: number | null = null;

  /** Takes the events of a log that it has not seen. */
  follow(events: readonly SessionEvent[]): ContextSize {
    for (; this.followed < events.length; this.followed += 1) this.take(events[this.followed] as SessionEvent);
    return { estimatedTokens: this.estimate(), contextWindow: this.contextWindow };
  }

  private estimate(): number {
    const all = this.headerTokens + this.surfaceTokens;
    return this.anchor ? this.anchor.reported + all - this.anchor.estimated : all;
  }

  private take(event: SessionEvent): void {
    if (isEvent(event, "request/header")) this.takeHeader(event.data.header);
    else if (isEvent(event, "request/context")) this.contextWindow = event.data.contextWindow ?? null;
    else this.takeSurface(event);
  }

  /** Another header is another prompt: what was reported under the old one says nothing of it (AG-078). */
  private takeHeader(header: Parameters<typeof estimateHeader>[0]): void {
    if (isDeepStrictEqual(this.header, header)) return;
    this.header = header;
    this.headerTokens = estimateHeader(header);
    this.anchor = null;
  }

  private takeSurface(event: SessionEvent): void {
    const change = this.surface.commit(event);
    if (!change) return;
    this.surfaceTokens += tokensOf(change.added) - change.removed.reduce((sum, node) => sum + tokensOf(node), 0);
    if (change.removed.length > 0 && this.anchor && change.at < this.anchor.nodes) this.anchor = null;
    if (isEvent(event, "assistant/message") && event.data.usage) this.takeUsage(event.data.usage);
  }

  /** A total below what the text itself takes is no measure of it. */
  private takeUsage(usage: Usage): void {
    const { inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, outputTokens } = usage;
    const reported = inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens;
    const estimated = this.headerTokens + this.surfaceTokens;
    if (reported >= estimated) this.anchor = { reported, estimated, nodes: this.surface.nodes.length };
  }
}

/** The same for a log (TOK-2): for readers that have the events and no live agent. */
export const contextSize = (events: readonly SessionEvent[]): ContextSize => new ContextFold().follow(events);

/** Tokens of a surface event by rule of thumb. */
export const tokensOf = (node: SurfaceEvent): number => messageOf(node).reduce((sum, message) => sum + estimateMessage(message), 0);
