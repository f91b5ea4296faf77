import { z } from "zod";
import { PresetId } from "./ids.ts";

/** The longest text of one message, in UTF-16 units; longer ones are refused with MESSAGE_TOO_LARGE before anything is stored. */
export const maxMessageChars = 200_000;

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
  }),
  z.object({ kind: z.literal("cancel"), keepInbox: z.boolean(), userId: z.string() }),
  /** put the session on another preset revision: while it has produced nothing, or when its own cannot be mounted any more (G-19, G-20) */
  z.object({ kind: z.literal("select-preset"), presetId: PresetId, revision: z.number().int().positive(), userId: z.string() }),
  z.object({ kind: z.literal("rename"), title: z.string(), userId: z.string() }),
]);
export type CommandPayload = z.infer<typeof CommandPayload>;
