/** What a scan has seen so far. */
export type SseScan = {
  push(bytes: Uint8Array): void;
  readonly bytes: number;
  /** At least one data line came by: what the server sends is an event stream. */
  readonly sawData: boolean;
  /** The end mark came and its event is complete (a blank line follows it). */
  readonly terminated: boolean;
};

/** Longer line starts are never needed to recognise a mark; the rest of a line is skipped, so a huge delta costs nothing. */
const keptChars = 64;

/** Watches an event stream for its end mark, byte by byte and without a copy of the stream. */
export function createSseScan(terminator: RegExp): SseScan {
  let line = "";
  let bytes = 0;
  let sawData = false;
  let marked = false;
  let terminated = false;

  const endLine = () => {
    if (line === "" && marked) terminated = true;
    if (line.startsWith("data:")) sawData = true;
    if (terminator.test(line)) marked = true;
    line = "";
  };

  return {
    push(chunk) {
      bytes += chunk.byteLength;
      let start = 0;
      while (start <= chunk.length && !terminated) {
        const newline = chunk.indexOf(10, start);
        const end = newline === -1 ? chunk.length : newline;
        if (line.length < keptChars) {
          const part = chunk.subarray(start, Math.min(end, start + keptChars));
          // one code unit a byte: the marks are ASCII, the rest is not read
          line += String.fromCharCode(...part).replaceAll("\r", "");
        }
        if (newline === -1) return;
        endLine();
        start = newline + 1;
      }
    },
    get bytes() {
      return bytes;
    },
    get sawData() {
      return sawData;
    },
    get terminated() {
      return terminated;
    },
  };
}
