import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";

const document = new URL("../../../../../docs/demos.md", import.meta.url);

/** What a demo says while it goes, held against its section of the document. */
export type Story = {
  chapter(title: string): void;
  line(label: string, text: string | readonly string[]): void;
  /** Fails where the document says something else; with UPDATE_DEMOS set it writes the document instead. */
  end(): void;
};

/** Starts the record of one demo, named by the letter of its section. */
export function startStory(letter: string): Story {
  const lines: string[] = [];
  return {
    chapter: (title) => void lines.push(title),
    line: (label, text) => void lines.push(`   ${label.padEnd(18)} ${typeof text === "string" ? text : listed(text)}`.trimEnd()),
    end: () => {
      const text = readFileSync(document, "utf8");
      const block = blockOf(text, letter);
      const told = `${lines.join("\n")}\n`;
      if (process.env.UPDATE_DEMOS) writeFileSync(document, text.slice(0, block.start) + told + text.slice(block.end));
      else assert.equal(told, text.slice(block.start, block.end), `docs/demos.md, section ${letter}, tells another story`);
    },
  };
}

/** The YAML that a section of the document shows: the test uses it as it stands there. */
export function exampleOf(letter: string): string {
  const text = readFileSync(document, "utf8");
  const { start, end } = blockOf(text, letter, "yaml");
  return text.slice(start, end);
}

/** The sections of the document in order: letter and output. */
export function toldSections(): { letter: string; output: string }[] {
  const text = readFileSync(document, "utf8");
  return [...text.matchAll(/^## \((\w)\) /gm)].map(([, letter = ""]) => {
    const { start, end } = blockOf(text, letter);
    return { letter, output: text.slice(start, end) };
  });
}

/** Where a block of a section stands: the first of its language, which is `text` for output. */
function blockOf(text: string, letter: string, language = "text"): { start: number; end: number } {
  const section = text.indexOf(`## (${letter}) `);
  const opening = `\`\`\`${language}\n`;
  const start = text.indexOf(opening, section) + opening.length;
  const end = text.indexOf("```", start);
  const next = text.indexOf("\n## ", section + 1);
  const isInside = section >= 0 && start >= opening.length && end >= start && (next < 0 || end < next);
  assert.ok(isInside, `docs/demos.md has no ${language} block in a section "## (${letter}) …"`);
  return { start, end };
}

const listed = (names: readonly string[]) => (names.length > 0 ? names.join(", ") : "none");
