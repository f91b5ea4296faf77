import type { FinishReason } from "./chunks.ts";

/** A finish word nobody expects becomes an error with the word as its code, upper-cased and bounded (DSK-5). */
export function unexpectedFinish(word: string): FinishReason {
  const code = word
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .slice(0, 40);
  const message =
    code === "CONTENT_FILTER" || code === "REFUSAL"
      ? "The model provider's content filter stopped the answer. Change the request and try again."
      : "The model provider stopped the answer for a reason of its own. Try again.";
  return { kind: "error", failure: { code: code || "UNKNOWN", message } };
}
