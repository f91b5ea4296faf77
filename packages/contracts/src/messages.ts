import { z } from "zod";
import { ImageMediaType } from "./attachments.ts";
import { AttachmentId } from "./ids.ts";
import { StoredJson } from "./json.ts";

/** Content blocks of a message (LLM-1). `arguments` is the raw string the model wrote, valid JSON or not. */
export const TextBlock = z.object({
  type: z.literal("text"),
  text: z.string(),
  /** the text is that of an attached file, framed for the model */
  file: z.object({ attachmentId: z.string(), name: z.string() }).optional(),
});
/** A reference to an admitted image, never its bytes; sizes in pixels as stored. */
export const ImageBlock = z.object({
  type: z.literal("image"),
  attachmentId: AttachmentId,
  mediaType: ImageMediaType,
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  name: z.string().optional(),
});
export const ReasoningBlock = z.object({ type: z.literal("reasoning"), text: z.string() });
export const ToolCallBlock = z.object({ type: z.literal("tool-call"), id: z.string(), name: z.string(), arguments: z.string() });
/** What a tool may answer with. */
export const ToolContentBlock = z.discriminatedUnion("type", [TextBlock, ImageBlock]);
export const ToolResultBlock = z.object({
  type: z.literal("tool-result"),
  toolCallId: z.string(),
  content: z.array(ToolContentBlock),
  isError: z.boolean(),
});
export const ContentBlock = z.discriminatedUnion("type", [TextBlock, ImageBlock, ReasoningBlock, ToolCallBlock, ToolResultBlock]);
export type TextBlock = z.infer<typeof TextBlock>;
export type ImageBlock = z.infer<typeof ImageBlock>;
export type ToolContentBlock = z.infer<typeof ToolContentBlock>;
export type ReasoningBlock = z.infer<typeof ReasoningBlock>;
export type ToolCallBlock = z.infer<typeof ToolCallBlock>;
export type ToolResultBlock = z.infer<typeof ToolResultBlock>;
export type ContentBlock = z.infer<typeof ContentBlock>;

/** Where a message came from (LLM-2): provenance for people and readers, never authority. */
export const MessageSource = z.discriminatedUnion("kind", [
  /** `timeZone`: the IANA zone of the browser it was written in */
  z.object({ kind: z.literal("user"), userId: z.string().optional(), name: z.string().optional(), timeZone: z.string().optional() }),
  z.object({
    kind: z.literal("plugin"),
    plugin: z.string(),
    form: z.enum(["instructions", "catalog", "snapshot", "notice", "relay", "recall"]).optional(),
    summary: z.string().optional(),
    /** what of the plugin's it belongs to, such as a compaction */
    ref: z.string().optional(),
    /** what the plugin wants to find again in the log */
    data: StoredJson.optional(),
  }),
  z.object({ kind: z.literal("model"), provider: z.string(), model: z.string(), replayState: StoredJson.optional() }),
  z.object({ kind: z.literal("tool"), callId: z.string() }),
]);
export type MessageSource = z.infer<typeof MessageSource>;

/** The texts among blocks, in order. */
export const textsOf = (content: readonly ContentBlock[]): string[] =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : []));

export const Message = z.object({
  id: z.string().min(1),
  role: z.enum(["user", "assistant"]),
  content: z.array(ContentBlock),
  source: MessageSource,
});
export type Message = z.infer<typeof Message>;

/** Token counts of one model call; the fields are disjoint except `reasoningTokens`, a part of `outputTokens` (LLM-5). */
export const Usage = z.object({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cacheReadTokens: z.number().int().nonnegative().optional(),
  cacheWriteTokens: z.number().int().nonnegative().optional(),
  reasoningTokens: z.number().int().nonnegative().optional(),
});
export type Usage = z.infer<typeof Usage>;

/** A model failure as data (LLM-4); `code` is one of LLM-6. */
export const LlmFailure = z.object({
  message: z.string(),
  code: z.string(),
  status: z.number().int().min(100).max(599).optional(),
  providerRetryAfterMs: z.number().positive().optional(),
  requestId: z.string().optional(),
});
export type LlmFailure = z.infer<typeof LlmFailure>;
