import { FsError, type FsSeam } from "@gantry/sandbox/seams";
import { z } from "zod";
import { defineTool } from "../define-tool.ts";
import { requireText } from "../guard-arguments.ts";
import { presentReadCall, presentReadResult } from "../present/read.ts";
import type { ToolDefinition } from "../registry/types.ts";
import { requireAgent } from "../require-agent.ts";
import { languageOf } from "./languages.ts";
import { maxLineChars, maxLines, maxWindowBytes } from "./limits.ts";
import type { Observed } from "./observed.ts";
import { ReadValue, renderRead } from "./read-value.ts";
import { regularStat } from "./regular-file.ts";

const parameters = z.object({
  file_path: z.string().describe("File to read. A relative path starts at the session workspace."),
  offset: z.number().optional().describe("First line to return, counted from 1. Default: 1."),
  limit: z.number().optional().describe(`Most lines to return. Default and maximum: ${maxLines}.`),
});

const description = `Reads a UTF-8 text file and returns its lines with their numbers.

- A call returns at most ${maxLines} lines and ${maxWindowBytes} bytes; the footer tells how to read on with \`offset\`.
- A line longer than ${maxLineChars} characters is cut and marked so.
- Line numbers and the colon are not part of the file: leave them out of what you give to \`edit\`.
- Directories and binary files are refused; use \`glob\` to find files.`;

/** The `read` tool (tools §9.1): one stat, one bounded window, and the fact that this session has seen the file's version. */
export function readTool(fs: FsSeam, observed: Observed): ToolDefinition {
  return defineTool({
    name: "read",
    risk: "read",
    recovery: "readonly",
    description,
    parameters,
    output: ReadValue,
    isConcurrencySafe: () => true,
    async execute({ file_path, offset = 1, limit = maxLines }, run) {
      requireText("file_path", file_path);
      requireCount("offset", offset);
      requireCount("limit", limit);
      if (limit > maxLines) throw new Error(`limit must be at most ${maxLines}`);
      const agent = requireAgent(run);
      const files = fs.for(agent);
      const { signal } = run;
      const target = await files.resolve(file_path, agent.cwd, { signal });
      const path = target.displayPath;
      // asked for together and carried out in this order, so what was observed is not newer than what was read
      const finding = regularStat(target, { files, observed, agent, signal });
      const reading = files.readWindow(target, { offset, limit, maxLineChars, maxBytes: maxWindowBytes }, { signal });
      reading.catch(() => {}); // when both fail, the stat says why
      const stat = await finding;
      const window = await reading;
      if (offset > Math.max(window.totalLines, 1)) {
        throw new FsError("FS_NOT_FOUND", `offset ${offset} is beyond the end of ${path}, which has ${window.totalLines} lines`);
      }
      await observed.present(agent, target, stat.version);
      const cut = new Set(window.cutLines);
      const shown = (text: string, index: number) => (cut.has(index) ? `${text}... (line truncated to ${maxLineChars} chars)` : text);
      const lines = window.lines.map((text, index) => ({ number: offset + index, text: shown(text, index) }));
      const lang = languageOf(path);
      return { path, offset, lines, totalLines: window.totalLines, capped: window.cappedByBytes, ...(lang === undefined ? {} : { lang }) };
    },
    render: renderRead,
    presentationMeta: ({ capped: _, ...meta }) => meta,
    presentCall: presentReadCall,
    presentResult: presentReadResult,
  });
}

function requireCount(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a positive whole number`);
}
