import { z } from "zod";
import { AttachmentId, PresetId } from "./ids.ts";
import { ImageBlock } from "./messages.ts";

/** The longest text of one message, in UTF-16 units; longer ones are refused with MESSAGE_TOO_LARGE before anything is stored. */
export const maxMessageChars = 200_000;

/** What comes with a message: images by reference, files as the part of their text that fits; `chars` is the length of all of it. */
export const MessageAttachment = z.discriminatedUnion("type", [
  ImageBlock,
  z.object({
    type: z.literal("text-file"),
    attachmentId: AttachmentId,
    name: z.string(),
    text: z.string(),
    chars: z.number().int().nonnegative(),
  }),
]);
export type MessageAttachment = z.infer<typeof MessageAttachment>;

/**
 * A durable request to a session (SES-34): a row of `session_commands`, consumed in order by the lease holder.
 * `wakeup` is the wake intent (REC-6, INB-9).
 */
export const CommandPayload = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("send"),
    messageId: z.string(),
    text: z.string(),
    target: z.enum(["next-turn", "next-step"]),
    wakeup: z.boolean(),
    userId: z.string(),
    userName: z.string(),
    attachments: z.array(MessageAttachment).optional(),
    timeZone: z.string().optional(),
  }),
  z.object({ kind: z.literal("cancel"), keepInbox: z.boolean(), userId: z.string() }),
  /** put the session on another preset revision: while it has produced nothing, or when its own cannot be mounted any more (G-19, G-20) */
  z.object({ kind: z.literal("select-preset"), presetId: PresetId, revision: z.number().int().positive(), userId: z.string() }),
  /** an answer to an approval or a question; the row of `pending_prompts` holds what was answered, by whom */
  z.object({ kind: z.literal("answer"), promptId: z.string() }),
  z.object({ kind: z.literal("set-permission"), preset: z.string(), userId: z.string() }),
  /** change what waits: by message id; `edit` replaces the text, which is then the words of whoever asked, `move` puts it at a place of its list (from 0) */
  z.object({
    kind: z.literal("queue"),
    messageId: z.string(),
    change: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("remove") }),
      z.object({ kind: z.literal("edit"), text: z.string() }),
      z.object({ kind: z.literal("move"), index: z.number().int().nonnegative() }),
      z.object({ kind: z.literal("steer") }),
    ]),
    userId: z.string(),
    userName: z.string().optional(),
  }),
  /** a human command such as `/compact`; its id is the row's. Images are for commands that declare them (CMD-4) */
  z.object({
    kind: z.literal("command"),
    commandId: z.string(),
    name: z.string(),
    args: z.string(),
    attachments: z.array(ImageBlock).optional(),
    userId: z.string(),
  }),
  z.object({ kind: z.literal("rename"), title: z.string(), userId: z.string() }),
]);
export type CommandPayload = z.infer<typeof CommandPayload>;
