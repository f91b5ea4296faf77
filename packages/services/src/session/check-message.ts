import { AppError, maxMessageChars } from "@gantry/contracts";

/** Refuses a message that is longer than a session takes, before anything is stored (SC-R11). @throws MESSAGE_TOO_LARGE with both numbers */
export function checkMessage(text: string): void {
  if (text.length <= maxMessageChars) return;
  throw new AppError(
    "MESSAGE_TOO_LARGE",
    `The message has ${text.length} characters; the limit is ${maxMessageChars}. Shorten it, or put the text into a file of the workspace.`,
    { data: { chars: text.length, maxChars: maxMessageChars } },
  );
}
