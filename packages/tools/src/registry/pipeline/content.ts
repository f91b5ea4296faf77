import { MessageSource, ToolContentBlock, toLosslessJson } from "@gantry/contracts";
import type { AdditionalContext } from "../types.ts";

/** The blocks of a result as the log takes them: frozen, known, lossless JSON. @throws TypeError */
export function blocks(content: readonly ToolContentBlock[]): readonly ToolContentBlock[] {
  if (!areBlocks(content)) throw new TypeError("the content of a tool result must be text and image blocks");
  return toLosslessJson(content) as unknown as readonly ToolContentBlock[];
}

/** The notices of a call as the log takes them; none for nothing. @throws TypeError */
export function notices(contexts: readonly AdditionalContext[] | undefined): readonly AdditionalContext[] {
  if (contexts === undefined) return [];
  const fit = Array.isArray(contexts) && contexts.every((one) => areBlocks(one?.content) && MessageSource.safeParse(one.source).success);
  if (!fit) throw new TypeError("the additional contexts of a call must each have content blocks and a source");
  return toLosslessJson(contexts) as unknown as readonly AdditionalContext[];
}

const areBlocks = (content: unknown): boolean => Array.isArray(content) && content.every(isBlock);

/** Texts may be long and are many: they are not parsed. */
const isBlock = (block: ToolContentBlock | undefined): boolean =>
  block?.type === "text" ? typeof block.text === "string" : ToolContentBlock.safeParse(block).success;
