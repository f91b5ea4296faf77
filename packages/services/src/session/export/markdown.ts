import type { TranscriptItem } from "./transcript.ts";
import type { TranscriptForm } from "./transcript-form.ts";

/** A transcript in Markdown. Everything that was written stands in fences that are longer than any inside, so nothing can leave its place or turn into markup. */
export const markdown: TranscriptForm = {
  begin: ({ title, createdAt }) => `# ${inLine(title)}\n\nSession begun ${createdAt}.\n`,
  item,
  end: () => "",
};

function item(part: TranscriptItem): string {
  if (part.kind === "turn") return `\n## Turn ${part.turn}\n\n${new Date(part.time).toISOString()}\n`;
  if (part.kind === "note") return `\n*${inLine(part.text)}*\n`;
  // the raw HTML is ours alone; the blank lines make what is between them Markdown again
  if (part.kind === "folded") return `\n<details><summary>${inLine(part.label)}</summary>\n\n${fenced(part.text)}\n\n</details>\n`;
  return `\n**${inLine(part.author)}**\n\n${fenced(part.text)}\n`;
}

function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text.replace(/\r\n?/g, "\n")}\n${fence}`;
}

/** One line in which no character means anything to Markdown or HTML: entities hold in both. */
function inLine(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return line.replace(/[&<>\\`*_{}[\]()#+\-.!|~:@/]/g, (char) => `&#${char.charCodeAt(0)};`);
}
