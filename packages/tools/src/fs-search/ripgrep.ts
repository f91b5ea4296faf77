import type { RunResult, SubprocessSeam } from "@gantry/sandbox/seams";
import type { ToolAgent } from "../agent.ts";
import { messageOf, ToolError } from "../registry/errors.ts";
import type { SearchConfig } from "./config.ts";

/** ripgrep calls it an error when its filters left no file to look into; for the model that is no match. */
const nothingToSearch = /^rg: No files were searched/;
/** Characters of stderr that an error quotes. */
const maxExcerpt = 2_000;

/**
 * Runs ripgrep in the agent's workspace, without a shell, and gives its whole output; "" when nothing matched.
 * @throws ToolError SEARCH_INVALID_PATTERN, SEARCH_FAILED, SEARCH_ABORTED, SEARCH_RAW_OUTPUT_OVERFLOW
 */
export async function runRipgrep(
  subprocess: SubprocessSeam,
  agent: ToolAgent,
  argv: readonly string[],
  options: { config: SearchConfig; signal: AbortSignal },
): Promise<string> {
  const { config, signal } = options;
  let end: RunResult;
  try {
    end = await subprocess.for(agent).run({
      argv,
      cwd: agent.cwd,
      timeoutMs: config.timeoutMs + config.graceMs, // backstop where no timeout policy is loaded
      graceMs: config.graceMs,
      capture: { maxBytes: config.maxRawBytes },
      signal,
    });
  } catch (cause) {
    if (signal.aborted) throw searchAborted();
    throw new ToolError("SEARCH_FAILED", `the search did not start: ${messageOf(cause)}`, { cause });
  }
  return searchOutput(end, config);
}

/** The whole output of a finished ripgrep, or the error it stands for. Pure. @throws ToolError as `runRipgrep` */
export function searchOutput(end: RunResult, config: Pick<SearchConfig, "maxRawBytes">): string {
  if (end.aborted) throw searchAborted();
  if (end.timedOut) throw new ToolError("SEARCH_FAILED", "the search took too long and was stopped");
  if (end.signal !== null) throw new ToolError("SEARCH_FAILED", `the search was killed by ${end.signal}`);
  if (end.exitCode === null) throw new ToolError("SEARCH_FAILED", "the search ended without an exit code");
  if (nothingToSearch.test(end.stderr.text)) return "";
  if (end.exitCode !== 0 && end.exitCode !== 1) throw failureOf(end.exitCode, end.stderr);
  if (end.stdout.truncated) {
    throw new ToolError(
      "SEARCH_RAW_OUTPUT_OVERFLOW",
      `the search found more than ${config.maxRawBytes} bytes; narrow the pattern or the path`,
    );
  }
  return end.exitCode === 1 ? "" : end.stdout.text;
}

function failureOf(exitCode: number, stderr: RunResult["stderr"]): ToolError {
  const text = stderr.text.trim();
  if (text === "") return new ToolError("SEARCH_FAILED", `the search failed with exit code ${exitCode}`);
  const cut = stderr.truncated || text.length > maxExcerpt ? " [stderr truncated]" : "";
  const invalid = /regex parse error|error parsing glob/i.test(text);
  return new ToolError(invalid ? "SEARCH_INVALID_PATTERN" : "SEARCH_FAILED", text.slice(0, maxExcerpt) + cut);
}

function searchAborted(): ToolError {
  return new ToolError("SEARCH_ABORTED", "the search was aborted");
}
