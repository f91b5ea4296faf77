import { z } from "zod";

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
  z.object({ kind: z.literal("rename"), title: z.string(), userId: z.string() }),
]);
export type CommandPayload = z.infer<typeof CommandPayload>;
