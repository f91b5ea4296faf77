import { AppError } from "@gantry/contracts";
import type { Feedback } from "./feedback-row.ts";

/** The codes of feedback (FBK-1) are in `data.reason`: session-not-found, target-not-found, version-conflict, note-blank, note-too-large. */
export const feedbackSessionNotFound = () =>
  new AppError("NOT_FOUND", "There is no such session in this organisation.", { data: { reason: "session-not-found" } });

export const targetNotFound = () =>
  new AppError("NOT_FOUND", "The session has no such answer of the agent.", { data: { reason: "target-not-found" } });

export const noteBlank = () =>
  new AppError("BAD_REQUEST", "The note is empty. Write one, or leave it out.", { data: { reason: "note-blank", field: "note" } });

export const noteTooLarge = (maxBytes: number, actualBytes: number) =>
  new AppError("MESSAGE_TOO_LARGE", `The note has ${actualBytes} bytes; the limit is ${maxBytes}. Shorten it.`, {
    data: { reason: "note-too-large", maxBytes, actualBytes, field: "note" },
  });

/** Carries what is stored now, so that a client can show it; nothing of it where nothing is stored. */
export function versionConflict(current: Feedback | null): AppError {
  const data = current
    ? { isStored: true, version: current.version, rating: current.rating, ...(current.note !== null && { note: current.note }) }
    : { isStored: false };
  return new AppError("CONFLICT", "Your feedback on this answer was changed elsewhere. Look at it and try again.", {
    data: { reason: "version-conflict", ...data },
  });
}
