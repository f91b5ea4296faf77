/** A stretch of terminal output in one style. `style` is a list of names from `sgrNames`. */
export type AnsiSpan = { text: string; style: string };

const sgrNames: Readonly<Record<number, string>> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  30: "fg-black",
  31: "fg-red",
  32: "fg-green",
  33: "fg-yellow",
  34: "fg-blue",
  35: "fg-magenta",
  36: "fg-cyan",
  37: "fg-white",
  90: "fg-black",
  91: "fg-red",
  92: "fg-green",
  93: "fg-yellow",
  94: "fg-blue",
  95: "fg-magenta",
  96: "fg-cyan",
  97: "fg-white",
};

// Operating-system commands (title, links, clipboard), other strings, CSI sequences, two-byte escapes.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what this pattern is about
const escapes = /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[PX^_][^\x1b]*(?:\x1b\\)?|\x1b\[([0-9:;<=>?]*)[ -/]*([@-~])|\x1b[ -/]*[0-~]?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are dropped here
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Turns terminal output into styled text. Only colours and weights pass; every other escape and control character is dropped (SC-W4). */
export function ansiSpans(output: string): AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  let style: string[] = [];
  let at = 0;
  const put = (text: string) => {
    const clean = lastOfLines(text).replace(controls, "");
    if (clean !== "") spans.push({ text: clean, style: style.join(" ") });
  };
  for (const match of output.matchAll(escapes)) {
    put(output.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[2] === "m") style = nextStyle(style, match[1] ?? "");
  }
  put(output.slice(at));
  return spans;
}

/** Output as plain text. */
export const stripAnsi = (output: string): string =>
  ansiSpans(output)
    .map((span) => span.text)
    .join("");

/** A progress line overwrites itself: of "10%\r20%\r30%\n" only the last stays. */
const lastOfLines = (text: string): string => text.replace(/\r+\n/g, "\n").replace(/[^\r\n]*\r(?=[^\n])/g, "");

function nextStyle(style: readonly string[], codes: string): string[] {
  let next = [...style];
  const list = codes === "" ? [0] : codes.split(/[;:]/).map(Number);
  for (let at = 0; at < list.length; at++) {
    const code = list[at] ?? 0;
    if (code === 0) next = [];
    else if (code === 39) next = next.filter((name) => !name.startsWith("fg-"));
    else if (code === 22) next = next.filter((name) => name !== "bold" && name !== "dim");
    else if (code === 38 || code === 48) at += list[at + 1] === 5 ? 2 : 4;
    const name = sgrNames[code];
    if (name) next = [...next.filter((old) => !(name.startsWith("fg-") && old.startsWith("fg-")) && old !== name), name];
  }
  return next;
}
