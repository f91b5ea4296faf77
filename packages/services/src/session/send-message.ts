import type { CommandId, CommandPayload, MessageAttachment, SendMessage } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import type { ServiceContext } from "../context.ts";
import { checkMessage } from "./check-message.ts";
import { messageAttachments } from "./message-attachments.ts";
import { postCommand } from "./post-command.ts";

/**
 * Queues a user message: `next-turn` waits for the running turn, `next-step` steers it. Safe to repeat with the same `clientKey`:
 * the answer names the one message, which is in the log once a worker has taken it (AG-245, REC-19). @throws NOT_FOUND, also for an attachment of another session, MESSAGE_TOO_LARGE, CONFLICT for a key used otherwise
 */
export async function sendMessage(ctx: ServiceContext, input: SendMessage): Promise<{ messageId: string; commandId: CommandId }> {
  checkMessage(input.text);
  const { sessionId, clientKey } = input;
  const attachments = await messageAttachments(ctx, input);
  const details = {
    target: input.target,
    chars: input.text.length,
    ...(attachments.length > 0 ? { attachments: attachments.length } : {}),
  };
  const audit = { action: "session.send", subject: sessionId, details };
  const { payload, commandId } = await postCommand(ctx, { sessionId, clientKey, payload: messagePayload(ctx, input, attachments) }, audit);
  return { messageId: payload.kind === "send" ? payload.messageId : "", commandId };
}

/** Every message a person sends wakes its session (REC-6, INB-9). */
export function messagePayload(
  ctx: ServiceContext,
  { text, target, timeZone }: Pick<SendMessage, "text" | "target" | "timeZone">,
  attachments: readonly MessageAttachment[] = [],
): CommandPayload & { kind: "send" } {
  return {
    kind: "send",
    messageId: newId(),
    text,
    target,
    wakeup: true,
    userId: ctx.userId,
    userName: ctx.userName,
    ...(attachments.length > 0 ? { attachments: [...attachments] } : {}),
    ...(timeZone ? { timeZone } : {}),
  };
}
