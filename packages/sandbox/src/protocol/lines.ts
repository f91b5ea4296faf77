import { maxLineBytes } from "./frames.ts";

/** Cuts a byte stream into lines in bounded memory. `tooLong` is called once, after which nothing more comes. */
export function lineSplitter(onLine: (line: string) => void, tooLong: () => void): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let broken = false;
  return (chunk) => {
    let rest = chunk;
    while (!broken) {
      const end = rest.indexOf(10);
      if (end < 0) break;
      const line = held.length === 0 ? rest.subarray(0, end) : Buffer.concat([...held, rest.subarray(0, end)]);
      held = [];
      heldBytes = 0;
      rest = rest.subarray(end + 1);
      if (line.length > 0) onLine(line.toString("utf8"));
    }
    if (broken || rest.length === 0) return;
    held.push(rest);
    heldBytes += rest.length;
    if (heldBytes > maxLineBytes) {
      broken = true;
      held = [];
      tooLong();
    }
  };
}
