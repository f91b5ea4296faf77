/**
 * Cuts Markdown at blank lines into blocks that can be parsed alone, so that a growing text parses only its last block again.
 * Fences, indented continuations and neighbouring list items stay together. A text with link definitions stays whole.
 */
export function markdownBlocks(text: string): string[] {
  if (/^ {0,3}\[[^\]\n]+\]:/m.test(text)) return [text];
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  let isBlank = false;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence === null && isBlank && line.trim() !== "" && lines.length > 0 && startsBlock(line, lines)) {
      blocks.push(lines.join("\n").trimEnd());
      lines = [];
    }
    if (fence === null) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
    lines.push(line);
    isBlank = line.trim() === "";
  }
  const rest = lines.join("\n").trimEnd();
  return rest === "" ? blocks : [...blocks, rest];
}

const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/;

function startsBlock(line: string, before: readonly string[]): boolean {
  if (/^\s/.test(line)) return false;
  return !(listItem.test(line) && before.some((earlier) => listItem.test(earlier)));
}
