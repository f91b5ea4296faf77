import { AnswerBeginning } from "../wire/answer-beginning.ts";

/** Longer data of one event is no answer of a model, in UTF-16 units. */
const maxEventChars = 64_000_000;

/** The `data` of server-sent events, as they become whole. */
export class EventData {
  /** What came of a line that is not whole yet: joined when it is, for a long line comes in many pieces. */
  private rest: string[] = [];
  private restChars = 0;
  private data: string[] = [];
  /** the last line ended with a carriage return: a line feed after it belongs to that end */
  private afterReturn = false;
  private readonly beginning = new AnswerBeginning();
  private sawText = false;
  private sawData = false;

  /** The words of what is no event stream; null while nothing speaks against it. */
  get words(): string | null {
    return this.sawData ? null : this.beginning.words;
  }

  /** @throws RangeError for an event without end */
  *push(received: string): Generator<string, void, undefined> {
    if (!this.sawData) this.beginning.push(received);
    const text = this.withLineFeeds(received);
    if (received !== "") this.sawText = true;
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      const piece = text.slice(start, end);
      start = end + 1;
      const line = this.rest.length > 0 ? [...this.rest, piece].join("") : piece;
      this.rest = [];
      this.restChars = 0;
      const whole = this.take(line);
      if (whole !== null) yield whole;
    }
    if (start >= text.length) return;
    this.rest.push(text.slice(start));
    this.restChars += text.length - start;
    if (this.restChars > maxEventChars) throw new RangeError("an event without end");
  }

  /** The same text with line feeds for ends of lines, whichever of the three kinds the server writes, and without a mark of its byte order. */
  private withLineFeeds(received: string): string {
    const text = !this.sawText && received.startsWith("\ufeff") ? received.slice(1) : received;
    if (text === "" || (!this.afterReturn && !text.includes("\r"))) return text;
    const rest = this.afterReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.afterReturn = text.endsWith("\r");
    return rest.replace(/\r\n?/g, "\n");
  }

  /** A blank line ends an event; its `data` lines are one text. */
  private take(line: string): string | null {
    if (line.startsWith("data:")) {
      this.sawData = true;
      this.data.push(line.slice(line.charCodeAt(5) === 32 ? 6 : 5));
      return null;
    }
    if (line !== "" || this.data.length === 0) return null;
    const whole = this.data.length === 1 ? (this.data[0] as string) : this.data.join("\n");
    this.data = [];
    return whole;
  }
}
