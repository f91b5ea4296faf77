import { z } from "zod";
import { messageOf, ToolError } from "../registry/errors.ts";
import type { GrepFile, GrepValue } from "./grep-value.ts";
import { shownPath } from "./paths.ts";

/** UTF-8 bytes shown of one matching line. */
const maxLineBytes = 2_000;

const text = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);
const record = z.object({ type: z.string(), data: z.unknown() });
const match = z.object({ path: text, lines: text, line_number: z.number().int() });

/** ripgrep's JSON lines as matches by file. @throws ToolError SEARCH_FAILED for output that is not what ripgrep writes */
export function parseMatches(stdout: string, cwd: string): GrepValue {
  const files = new Map<string, GrepFile>();
  let total = 0;
  for (const line of stdout.split("\n")) {
    if (line === "") continue;
    const found = parseLine(line);
    if (!found) continue;
    const path = shownPath("text" in found.path ? found.path.text : Buffer.from(found.path.bytes, "base64").toString(), cwd);
    const group = files.get(path) ?? { path, matches: [] };
    files.set(path, group);
    group.matches.push({
      lineNumber: found.line_number,
      line: "text" in found.lines ? preview(found.lines.text) : "(line is not valid UTF-8)",
    });
    total++;
  }
  return { total, files: [...files.values()] };
}

function parseLine(line: string): z.infer<typeof match> | undefined {
  try {
    const { type, data } = record.parse(JSON.parse(line));
    return type === "match" ? match.parse(data) : undefined;
  } catch (cause) {
    throw new ToolError("SEARCH_FAILED", `the search wrote a record that cannot be read: ${messageOf(cause).slice(0, 200)}`, { cause });
  }
}

/** A line without its terminator, cut at a character boundary. */
export function preview(line: string): string {
  const bare = line.replace(/\r?\n$/, "");
  const bytes = Buffer.from(bare);
  if (bytes.length <= maxLineBytes) return bare;
  let end = maxLineBytes;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--; // inside a character: step back to its first byte
  return `${bytes.toString("utf8", 0, end)} (line truncated)`;
}
