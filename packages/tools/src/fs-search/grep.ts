import type { SubprocessSeam } from "@gantry/sandbox/seams";
import { z } from "zod";
import { defineTool } from "../define-tool.ts";
import { requireText } from "../guard-arguments.ts";
import { presentGrepCall, presentSearchResult } from "../present/search.ts";
import type { ToolDefinition } from "../registry/types.ts";
import { requireAgent } from "../require-agent.ts";
import { grepArgv } from "./argv.ts";
import type { SearchConfig } from "./config.ts";
import { parseMatches } from "./grep-records.ts";
import { GrepValue, renderGrep } from "./grep-value.ts";
import { grepMeta } from "./meta.ts";
import { runRipgrep } from "./ripgrep.ts";

const parameters = z.object({
  pattern: z.string().describe("Regular expression in ripgrep's syntax, compared with one line at a time."),
  path: z.string().optional().describe("File or folder to search. Default: the session workspace, which a relative path starts from too."),
  include: z.string().optional().describe('One glob for the files to search, such as "*.ts" or "*.{js,jsx}". No list, no negation.'),
});

const description = (config: SearchConfig) => `Searches the contents of files for a regular expression.

- Answers with matching lines and their numbers, grouped by file; the first ${config.maxMatches} matches are shown.
- Ignored, hidden and binary files are skipped.
- For the lines around a match, \`read\` the file at that line. Escape characters that mean something in a regular expression.`;

/** The `grep` tool over ripgrep (tools §12.3). */
export function grepTool(subprocess: SubprocessSeam, config: SearchConfig): ToolDefinition {
  return defineTool({
    name: "grep",
    risk: "read",
    recovery: "readonly",
    description: description(config),
    parameters,
    output: GrepValue,
    timeoutMs: config.timeoutMs,
    async execute({ pattern, path, include }, run) {
      if (pattern === "") throw new Error("pattern must not be empty");
      if (path !== undefined) requireText("path", path);
      if (include !== undefined) requireOneGlob(include);
      const agent = requireAgent(run);
      const stdout = await runRipgrep(subprocess, agent, grepArgv(config.rgPath, pattern, { include, path }), {
        config,
        signal: run.signal,
      });
      return parseMatches(stdout, agent.cwd);
    },
    render: (value) => renderGrep(value, config.maxMatches),
    presentationMeta: (value) => grepMeta(value, config.maxMatches),
    presentCall: presentGrepCall,
    presentResult: presentSearchResult,
  });
}

/** One positive glob: a list or a negation would silently search something else. @throws Error */
function requireOneGlob(include: string): void {
  requireText("include", include);
  if (include.startsWith("!")) throw new Error("include must be a positive glob; negation is not supported");
  let depth = 0;
  for (const char of include) {
    if (char === "{") depth++;
    if (char === "}") depth--;
    if (char === "," && depth <= 0) throw new Error("include must be one glob, not a list; use braces such as *.{js,jsx}");
  }
}
