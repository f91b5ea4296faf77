import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from "yaml";
import { mergeKeyMessage } from "./check-value.ts";
import { type Issue, indexPath, keyPath, type Locate } from "./issue.ts";
import { limits } from "./limits.ts";
import { overloadOf } from "./overload.ts";

export type Parsed = { value: unknown; locate: Locate; issues: Issue[] };

/**
 * YAML or JSON to a plain value (E-1): one document, the scalars of YAML's core schema, nothing that refers, merges, repeats or converts. Each
 * refusal names its line and column. JSON is read by the same parser, being a part of YAML.
 */
export function parseText(given: string): Parsed {
  // a byte order mark says how the text was written down; it is no part of it, and the parser would count it as a column
  const text = given.startsWith("\uFEFF") ? given.slice(1) : given;
  const lines = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const refused = (offset: number, code: Issue["code"], message: string): Parsed => {
    if (lines.lineStarts.length === 0) countLines(lines, text, offset);
    return { value: undefined, locate: () => null, issues: [{ code, path: "$", message, ...place(offset) }] };
  };
  if (text.length > limits.maxBytes || Buffer.byteLength(text) > limits.maxBytes) {
    return refused(0, "INPUT_LIMIT", `The text is longer than ${limits.maxBytes / 1024} KiB. Split it over several layers.`);
  }
  const unstorable = unstorableAt(text);
  if (unstorable !== null) {
    return refused(
      unstorable,
      "INPUT_TYPE",
      "The text holds a character that cannot be stored: U+0000, or half of a character. Take it out.",
    );
  }
  const overload = overloadOf(text);
  if (overload) {
    const deep = `This is nested deeper than ${limits.maxDepth} levels. Flatten it.`;
    const large = `The text has more parts than ${limits.maxNodes} values need. Split it over several layers, or remove blanks and marks.`;
    return refused(overload.offset, "INPUT_LIMIT", overload.what === "depth" ? deep : large);
  }
  const document = parseDocument(text, {
    schema: "core",
    merge: false,
    uniqueKeys: true,
    // a tag that the parser knows (!!omap, !!binary) would make nodes of its own
    resolveKnownTags: false,
    lineCounter: lines,
    prettyErrors: false,
  });
  const [error] = document.errors;
  if (error) {
    const tab = tabAt(text, error.code, error.pos[0]);
    return tab === null
      ? refused(error.pos[0], "INPUT_SYNTAX", syntaxMessage(error.code, error.message))
      : refused(tab, "INPUT_SYNTAX", tabMessage);
  }
  if (hasDirective(document)) return refused(0, "INPUT_SYNTAX", "A % directive changes how the text is read. Remove it.");
  const reading: Reading = { issues: [], places: new Map(), place };
  const value = document.contents ? read(reading, document.contents, "$") : null;
  return { value, locate: (path) => reading.places.get(path) ?? null, issues: reading.issues };
}

type Place = { line: number; column: number };
type Reading = { issues: Issue[]; places: Map<string, Place>; place: (offset: number) => Place };

function read(reading: Reading, node: ParsedNode | null, path: string): unknown {
  if (!node) return null;
  const at = reading.place(node.range[0]);
  reading.places.set(path, at);
  const add = (code: Issue["code"], message: string) => void reading.issues.push({ code, path, message, ...at });
  if (isAlias(node)) return add("INPUT_SYNTAX", "An alias (*) repeats a part of the text unseen. Write the value out.");
  if (node.anchor) add("INPUT_SYNTAX", "An anchor (&) is there to be repeated, which is not accepted. Remove it.");
  if (node.tag) add(...tagRefusal(node.tag));
  if (isSeq(node)) return node.items.map((item, index) => read(reading, item as ParsedNode, indexPath(path, index)));
  if (!isMap(node)) return isScalar(node) ? node.value : null;
  const result: Record<string, unknown> = {};
  for (const { key, value } of node.items as { key: ParsedNode; value: ParsedNode | null }[]) {
    const name = readKey(reading, key, path);
    if (name === null) continue;
    const child = keyPath(path, name);
    // defined, not assigned: a key named __proto__ stays a member, for the gate to refuse
    Object.defineProperty(result, name, { value: read(reading, value, child), enumerable: true, writable: true, configurable: true });
    reading.places.set(child, reading.place(key.range[0]));
  }
  return result;
}

function readKey(reading: Reading, key: ParsedNode, path: string): string | null {
  const refuseKey = (message: string) => {
    reading.issues.push({ code: "INPUT_KEY", path, message, ...reading.place(key.range[0]) });
    return null;
  };
  if (!isScalar(key) || key.anchor || key.tag)
    return refuseKey("Only a plain text can be a key. Write it without tags, anchors or brackets.");
  if (key.value === "<<") return refuseKey(mergeKeyMessage);
  if (typeof key.value !== "string") return refuseKey("A key is a text. Put it in quotes.");
  return key.value;
}

function tagRefusal(tag: string): [Issue["code"], string] {
  if (/(^!|:)js\b/.test(tag)) {
    return [
      "EXPR_FORBIDDEN",
      "!!js is code, and configuration holds none (kernel specification 9.2). Write a condition with operators such as $eq.",
    ];
  }
  return ["INPUT_SYNTAX", "A tag (!) converts the value after it, which is not accepted. Write the value plainly."];
}

function hasDirective({ directives, warnings }: Document.Parsed): boolean {
  const isUnknown = warnings.some(({ code }) => code === "BAD_DIRECTIVE");
  return isUnknown || directives.yaml.explicit === true || Object.keys(directives.tags).some((handle) => handle !== "!!");
}

/** The parser's words name its own options at times; the common mistakes get ours. */
function syntaxMessage(code: string, message: string): string {
  if (code === "DUPLICATE_KEY") return "This key is there twice, so one of its values would be lost. Keep one.";
  if (code === "MULTIPLE_DOCS") return "There is a second document after ---. Keep one.";
  if (code === "RESOURCE_EXHAUSTION") return `This is nested deeper than ${limits.maxDepth} levels. Flatten it.`;
  return `This is neither YAML nor JSON: ${message.split("\n")[0]}. Correct the text here.`;
}

const tabMessage = "This line is indented with a tab, and a tab cannot indent. Use spaces.";

/** What the parser reports when a tab does not indent. */
const tabCodes: ReadonlySet<string> = new Set(["TAB_AS_INDENT", "UNEXPECTED_TOKEN", "BAD_INDENT"]);

/** The tab that a mistake comes from: it indents the line of the mistake or the one before. JSON may be indented with tabs, so its mistakes are others. */
function tabAt(text: string, code: string, offset: number): number | null {
  if (!tabCodes.has(code) || /^\s*[[{]/.test(text)) return null;
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  for (const from of [start, start < 2 ? 0 : text.lastIndexOf("\n", start - 2) + 1]) {
    let at = from;
    while (text[at] === " ") at += 1;
    if (text[at] === "\t") return at;
  }
  return null;
}

function countLines(lines: LineCounter, text: string, end: number): void {
  lines.addNewLine(0);
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) lines.addNewLine(at + 1);
}

function unstorableAt(text: string): number | null {
  const nul = text.indexOf("\0");
  if (nul !== -1) return nul;
  return text.isWellFormed() ? null : text.search(/\p{Surrogate}/u);
}
