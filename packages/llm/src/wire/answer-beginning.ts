/** Of an answer that is no stream so much is kept, in UTF-16 units: enough for any error document. */
const keptChars = 65_536;
const fields = ["data:", "event:", "id:", "retry:", ":"];

/**
 * Tells an event stream from other text by how it begins, and keeps the words of what is none: some servers name a document of theirs as they would
 * name a stream. A beginning that is still too short to tell counts as a stream, which was cut.
 */
export class AnswerBeginning {
  private text = "";
  private kind: "unknown" | "stream" | "other" = "unknown";

  push(text: string): void {
    if (this.kind === "stream" || this.text.length >= keptChars) return;
    this.text = (this.text + text).slice(0, keptChars);
    if (this.kind === "other") return;
    const line = this.text.replace(/^\ufeff?[\r\n]*/, "");
    if (fields.some((field) => line.startsWith(field))) this.kind = "stream";
    else if (!fields.some((field) => field.startsWith(line))) this.kind = "other";
  }

  /** The words of an answer that is no event stream; null for what is one. */
  get words(): string | null {
    return this.kind === "other" ? this.text : null;
  }
}
