/** Bytes at the start of a file in which a NUL makes it binary. */
export const binaryProbeBytes = 8192;

/** The text of these bytes, or null when they are binary or no UTF-8. A byte order mark stays. */
export function decodeText(bytes: Buffer, probe = binaryProbeBytes): string | null {
  if (bytes.subarray(0, probe).includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null; // not UTF-8
  }
}

export const toLf = (text: string) => (text.includes("\r") ? text.replaceAll("\r\n", "\n") : text);
export const toCrlf = (text: string) => toLf(text).replaceAll("\n", "\r\n");

/** Whether the first 4,096 characters use CRLF more often than a bare LF (EX-146). */
export function prefersCrlf(text: string): boolean {
  const head = text.slice(0, 4096);
  const crlf = head.split("\r\n").length - 1;
  return crlf > head.split("\n").length - 1 - crlf;
}
