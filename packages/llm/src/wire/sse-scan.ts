import { AnswerBeginning } from "./answer-beginning.ts";

/** What a scan has seen so far. */
export type SseScan = {
  /** Answers with how many of the bytes belong to the stream: what comes behind its end mark is no part of it. */
  push(bytes: Uint8Array): number;
  /** The words of what is no event stream; null while nothing speaks against it. */
  readonly words: string | null;
  /** The end mark came and its event is complete (a blank line follows it). */
  readonly terminated: boolean;
};

/** Longer line starts are never needed to recognise a mark; the rest of a line is skipped, so a huge delta costs nothing. */
const keptChars = 64;
const [lineFeed, carriageReturn] = [10, 13];

/** Watches an event stream for its end mark, byte by byte and without a copy of the stream. Lines end with either mark or both. */
export function createSseScan(terminator: RegExp): SseScan {
  const beginning = new AnswerBeginning();
  const decoder = new TextDecoder();
  let line = "";
  let sawData = false;
  let marked = false;
  let terminated = false;
  /** the last line ended with a carriage return: a line feed behind it ends no other */
  let afterReturn = false;

  const endLine = () => {
    if (line === "" && marked) terminated = true;
    if (line.startsWith("data:")) sawData = true;
    if (terminator.test(line)) marked = true;
    line = "";
  };

  return {
    push(chunk) {
      if (!sawData) beginning.push(decoder.decode(chunk, { stream: true }));
      const nextReturn = finder(chunk, carriageReturn);
      let start = 0;
      while (start < chunk.length && !terminated) {
        if (afterReturn && chunk[start] === lineFeed) start += 1;
        afterReturn = false;
        const [feed, back] = [indexOrEnd(chunk, lineFeed, start), nextReturn(start)];
        const end = Math.min(feed, back);
        // one code unit a byte: the marks are ASCII, the rest is not read
        if (line.length < keptChars) line += String.fromCharCode(...chunk.subarray(start, Math.min(end, start + keptChars)));
        if (end === chunk.length) return chunk.length;
        afterReturn = back < feed;
        endLine();
        start = end + 1;
      }
      return start;
    },
    get words() {
      return sawData ? null : beginning.words;
    },
    get terminated() {
      return terminated;
    },
  };
}

function indexOrEnd(chunk: Uint8Array, byte: number, start: number): number {
  const found = chunk.indexOf(byte, start);
  return found === -1 ? chunk.length : found;
}

/** `indexOrEnd` for places that only grow: a byte that is rare is looked for once. */
function finder(chunk: Uint8Array, byte: number): (start: number) => number {
  let found = indexOrEnd(chunk, byte, 0);
  return (start) => {
    if (found < start) found = indexOrEnd(chunk, byte, start);
    return found;
  };
}
