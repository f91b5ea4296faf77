/** Longer data of one event is no answer of a model, in UTF-16 units. */
const maxEventChars = 64_000_000;

/** The `data` of server-sent events, as they become whole. */
export class EventData {
  /** What came of a line that is not whole yet: joined when it is, for a long line comes in many pieces. */
  private rest: string[] = [];
  private restChars = 0;
  private data: string[] = [];
  /** something came at all; `sawData`: and it was an event stream */
  sawText = false;
  sawData = false;

  /** @throws RangeError for an event without end */
  *push(text: string): Generator<string, void, undefined> {
    if (text !== "") this.sawText = true;
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      const piece = text.slice(start, end);
      start = end + 1;
      const line = this.rest.length > 0 ? [...this.rest, piece].join("") : piece;
      this.rest = [];
      this.restChars = 0;
      const whole = this.take(line.endsWith("\r") ? line.slice(0, -1) : line);
      if (whole !== null) yield whole;
    }
    if (start >= text.length) return;
    this.rest.push(text.slice(start));
    this.restChars += text.length - start;
    if (this.restChars > maxEventChars) throw new RangeError("an event without end");
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
