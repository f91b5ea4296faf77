import { isEvent } from "@gantry/contracts";
import type { SurfaceEvent } from "../session/surface.ts";
import { tokensOf } from "../token-meter/context-fold.ts";

export type RangeLimits = {
  /** the newest part of the history that stays, in tokens; one node stays always */
  readonly retainTokens: number;
  /** seq of the open step's start, or null: what a step began with stays with it */
  readonly openStepSeq: number | null;
};

/**
 * What a summary may take the place of: from the first node to the last place before the kept tail where no call is parted from its result
 * (CMP-5). Null: nothing.
 */
export function selectRange(nodes: readonly SurfaceEvent[], limits: RangeLimits): readonly SurfaceEvent[] | null {
  const range = nodes.slice(0, balancedCut(nodes, tailStart(nodes, limits)));
  return range.length > 0 ? range : null;
}

function tailStart(nodes: readonly SurfaceEvent[], { retainTokens, openStepSeq }: RangeLimits): number {
  let start = nodes.length;
  let tokens = 0;
  while (start > 0 && (start === nodes.length || tokens < retainTokens)) {
    start -= 1;
    tokens += tokensOf(nodes[start] as SurfaceEvent);
  }
  if (openStepSeq === null) return start;
  // a replacement is younger than the place it stands in
  const entered = nodes.findIndex((node) => node.surfaceOp === "append" && node.seq > openStepSeq);
  return entered < 0 ? start : Math.min(start, entered);
}

function balancedCut(nodes: readonly SurfaceEvent[], limit: number): number {
  const open = new Set<string>();
  let cut = 0;
  for (const [index, node] of nodes.slice(0, limit).entries()) {
    const message = isEvent(node, "user/message") ? node.data : node.data.message;
    for (const block of message.content) {
      if (block.type === "tool-call") open.add(block.id);
      else if (block.type === "tool-result") open.delete(block.toolCallId);
    }
    if (open.size === 0) cut = index + 1;
  }
  return cut;
}

/** A summary of an earlier compaction. */
export const isSummaryMessage = (node: SurfaceEvent): boolean =>
  isEvent(node, "user/message") && node.data.source.kind === "plugin" && node.data.source.plugin === "compaction";
