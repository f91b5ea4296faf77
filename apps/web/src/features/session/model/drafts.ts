import type { ChunkRun, DeltaFrame } from "@gantry/contracts";
import type { ReasoningRow, TextRow, ToolRow, TurnRow } from "./rows.ts";
import type { Draft, DraftBlock, SessionState } from "./state.ts";

type Place = { messageId: string; turn: number; step: number };

/**
 * Adds streamed text to the draft it belongs to. Repeats overlap and change nothing; a live piece beyond a gap waits until the log
 * fills the gap. `stored` says that the piece comes from the log.
 */
export function mergeRun(drafts: readonly Draft[], place: Place, run: ChunkRun, stored: boolean): readonly Draft[] {
  const at = drafts.findIndex((draft) => draft.messageId === place.messageId);
  const draft = drafts[at] ?? { messageId: place.messageId, turn: place.turn, step: place.step, blocks: [] };
  const blocks = mergeIntoBlocks(draft.blocks, run, stored);
  if (blocks === draft.blocks) return drafts;
  const next = { ...draft, blocks };
  return at < 0 ? [...drafts, next] : drafts.with(at, next);
}

function mergeIntoBlocks(blocks: readonly DraftBlock[], run: ChunkRun, stored: boolean): readonly DraftBlock[] {
  const at = blocks.findIndex((block) => block.index === run.index);
  const known = blocks[at];
  if (known) {
    const merged = mergeIntoBlock(known, run, stored);
    return merged === known ? blocks : blocks.with(at, merged);
  }
  const base = stored ? run.offset : 0;
  const fresh: DraftBlock = { index: run.index, block: run.block, base, text: "", stored: base, callId: null, name: null, waiting: [] };
  return [...blocks, mergeIntoBlock(fresh, run, stored)].sort((a, b) => a.index - b.index);
}

function mergeIntoBlock(block: DraftBlock, run: ChunkRun, stored: boolean): DraftBlock {
  const callId = block.callId ?? run.callId ?? null;
  const name = block.name ?? run.name ?? null;
  const have = block.base + block.text.length;
  if (run.offset > have) return { ...block, callId, name, waiting: [...block.waiting, run] };
  const text = block.text + run.text.slice(have - run.offset);
  const reach = stored ? Math.max(block.stored, run.offset + run.text.length) : block.stored;
  if (text.length === block.text.length && reach === block.stored && callId === block.callId && name === block.name && block.text !== "")
    return block;
  return takeWaiting({ ...block, callId, name, text, stored: reach });
}

function takeWaiting(block: DraftBlock): DraftBlock {
  const next = block.waiting.find((run) => run.offset <= block.base + block.text.length);
  if (!next) return block;
  return mergeIntoBlock({ ...block, waiting: block.waiting.filter((run) => run !== next) }, next, false);
}

/** Whether a delta still belongs to an open message: not stored, not of a failed attempt, not of a step that ended, not of a fenced worker. */
export function isLateDelta(state: SessionState, delta: DeltaFrame): boolean {
  if (delta.epoch < state.epoch) return true;
  if (delta.turn < state.settled.turn) return true;
  if (delta.turn === state.settled.turn && delta.step <= state.settled.step) return true;
  return state.closedMessages.includes(delta.messageId);
}

const rowsOfBlock = new WeakMap<DraftBlock, TextRow | ReasoningRow | ToolRow | null>();

/** The rows of a draft. A block that did not change keeps its row object. */
export function draftRows(draft: Draft): TurnRow[] {
  const counts = { text: 0, reasoning: 0 };
  return draft.blocks.flatMap((block) => {
    if (block.block !== "tool-call" && block.text.trim() === "") return [];
    const nth = block.block === "tool-call" ? 0 : counts[block.block]++;
    const known = rowsOfBlock.get(block);
    const row = known === undefined ? rowOfBlock(draft, block, nth) : known;
    rowsOfBlock.set(block, row);
    return row ? [row] : [];
  });
}

/** What stays of a draft whose message never came: the stored text, marked as cut off; half-written tool calls go. */
export function remainsOfDraft(draft: Draft): (TextRow | ReasoningRow)[] {
  const stored = draft.blocks.map((block) => ({ ...block, text: block.text.slice(0, block.stored - block.base) }));
  return draftRows({ ...draft, blocks: stored.filter((block) => block.block !== "tool-call") }).flatMap((row) =>
    row.kind === "text" || row.kind === "reasoning" ? [{ ...row, live: false, cutOff: true }] : [],
  );
}

/** Keys are the same before and after the message is stored, so that the row stays where it is. */
export const textKey = (messageId: string, kind: "text" | "reasoning", nth: number): string => `${messageId}:${kind}:${nth}`;
export const toolKey = (turn: number, step: number, callId: string): string => `call:${turn}.${step}:${callId}`;

function rowOfBlock(draft: Draft, block: DraftBlock, nth: number): TextRow | ReasoningRow | ToolRow | null {
  if (block.block !== "tool-call")
    return {
      kind: block.block,
      key: textKey(draft.messageId, block.block, nth),
      messageId: draft.messageId,
      text: block.text,
      live: true,
      cutOff: false,
    };
  if (block.callId === null || block.name === null) return null;
  return {
    kind: "tool",
    key: toolKey(draft.turn, draft.step, block.callId),
    callId: block.callId,
    name: block.name,
    arguments: block.text,
    state: "writing",
    startedAt: null,
    endedAt: null,
    result: null,
    ask: null,
    pruned: false,
  };
}
