import type { SubprocessSeam } from "@gantry/sandbox/seams";
import { z } from "zod";
import { defineTool } from "../define-tool.ts";
import { requireText } from "../guard-arguments.ts";
import { presentGlobCall, presentSearchResult } from "../present/search.ts";
import type { ToolDefinition } from "../registry/types.ts";
import { requireAgent } from "../require-agent.ts";
import { globArgv } from "./argv.ts";
import type { SearchConfig } from "./config.ts";
import { GlobValue, globPaths, renderGlob } from "./glob-value.ts";
import { globMeta } from "./meta.ts";
import { runRipgrep } from "./ripgrep.ts";

const parameters = z.object({
  pattern: z
    .string()
    .describe('Glob for file paths, such as "**/*.ts" or "src/**/*.test.js". Without a "/" it is compared with file names at any depth.'),
  path: z.string().optional().describe("Folder to search in. Default: the session workspace, which a relative path starts from too."),
});

const description = (config: SearchConfig) => `Finds files whose path matches a glob pattern.

- Lists files only, never folders, with the least recently changed first. Hidden and ignored files are included, version-control folders are not.
- Up to ${config.maxPaths} paths are shown. ${
  config.sampleOverCapGlobResults
    ? "Of a longer result you get a sample spread over its top-level entries, and the footer says so"
    : "Of a longer result you get the first ones, and the footer says so"
}; narrow the pattern or the path then.`;

/** The `glob` tool over ripgrep (tools §12.2). */
export function globTool(subprocess: SubprocessSeam, config: SearchConfig): ToolDefinition {
  return defineTool({
    name: "glob",
    risk: "read",
    recovery: "readonly",
    description: description(config),
    parameters,
    output: GlobValue,
    timeoutMs: config.timeoutMs,
    async execute({ pattern, path }, run) {
      requireText("pattern", pattern);
      if (path !== undefined) requireText("path", path);
      const agent = requireAgent(run);
      const stdout = await runRipgrep(subprocess, agent, globArgv(config.rgPath, pattern, path), { config, signal: run.signal });
      return { root: path ?? ".", cwd: agent.cwd, paths: globPaths(stdout, agent.cwd) };
    },
    render: (value) => renderGlob(value, config),
    presentationMeta: (value) => globMeta(value, config),
    presentCall: presentGlobCall,
    presentResult: presentSearchResult,
  });
}
