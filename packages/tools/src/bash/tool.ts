import { isAppError } from "@gantry/contracts";
import type { SubprocessSeam } from "@gantry/sandbox/seams";
import { z } from "zod";
import { defineTool } from "../define-tool.ts";
import { inMode } from "../escalation/in-mode.ts";
import { escalationParameters } from "../escalation/parameters.ts";
import { escalationOf, requireText } from "../guard-arguments.ts";
import { presentBashCall, presentBashResult } from "../present/bash.ts";
import { aborted, ToolError } from "../registry/errors.ts";
import type { ToolDefinition, ToolExecution } from "../registry/types.ts";
import { requireAgent } from "../require-agent.ts";
import type { BashConfig } from "./config.ts";
import { isDenied } from "./denial.ts";
import { managedEnvironment } from "./environment.ts";
import { renderBash } from "./render.ts";
import { effectiveTimeoutMs } from "./timeout.ts";
import { BashValue, type ForegroundValue } from "./value.ts";

const parameters = z.object({
  command: z.string().describe("The command line, run as `bash -c`."),
  description: z
    .string()
    .describe("What the command does, for the people who watch: 5 to 10 words, active voice, e.g. “Run the unit tests”."),
  timeoutMs: z
    .number()
    .optional()
    .describe("Milliseconds before the command is killed. The deployment sets the default and caps larger values."),
  workdir: z.string().optional().describe("Directory to run in. Default: the session workspace, which relative paths start from too."),
});

const inBackground = z
  .boolean()
  .optional()
  .describe(
    "Start the command as a background job and return its id at once; read it with job_output, stop it with job_kill. It has no timeout.",
  );

const about = `Runs a command in a fresh, non-interactive bash and returns what it printed.

- Nothing survives between calls: no directory change, variable or function. Use \`workdir\` in place of \`cd\`, and chain dependent commands with \`&&\`.
- Standard input is empty, so a command that waits for an answer gets end-of-file.
- A failing command is a normal result that ends in \`[exit code: N]\`; read it before you go on. \`[timed out after Nms]\` means the command was killed.
- \`[sandbox: file access denied under <mode> mode]\` is the workspace's policy, not a fault of the command: do not try to get around it.
- Long output keeps its end; the full text is then in the file that the result names.
- Facts about this session are in the \`DSH_*\` environment variables.`;

const backgroundAbout = "\n- For servers, watchers and long builds set `run_in_background: true`.";

/** The one-shot `bash` tool over the subprocess seam (tools §4). A command's failure is a result; only infrastructure is an error. */
export function bashTool(subprocess: SubprocessSeam, config: BashConfig, { escalates }: { escalates: boolean }): ToolDefinition {
  const background = config.enableRunInBackground ? { run_in_background: inBackground } : {};
  const offered = parameters.extend({ ...background, ...(escalates ? escalationParameters : {}) });
  return defineTool({
    name: "bash",
    canRejoin: true,
    description: config.enableRunInBackground ? about + backgroundAbout : about,
    parameters: offered,
    output: BashValue,
    async execute(args, run): Promise<ForegroundValue> {
      requireText("command", args.command);
      requireText("description", args.description);
      const timeoutMs = effectiveTimeoutMs(args.timeoutMs, config);
      const agent = requireAgent(run);
      const escalation = escalationOf(args, { isOffered: escalates, mode: agent.sandboxMode() });
      refuseBackground(args, config);
      const options = {
        argv: ["bash", "-c", args.command],
        cwd: directoryOf(agent.cwd, args.workdir),
        env: managedEnvironment(agent.sessionId, config.home),
        timeoutMs,
        graceMs: config.graceMs,
        capture: { maxBytes: config.maxOutputBytes, spillMaxBytes: config.maxSpillBytes },
        signal: run.signal,
        key: runKey(agent.sessionId, run.execution),
        join: run.execution.isRejoin,
      };
      const { end, mode } = await inMode(agent, escalation, run, async (owner, mode) => ({
        end: await subprocess.for(owner).run(options),
        mode,
      })).catch((error: unknown) => {
        throw withoutSandbox(error, run.signal);
      });
      if (end.aborted) throw aborted();
      const { exitCode, signal, timedOut, outOfMemory, stdout, stderr } = end;
      const denied = isDenied(mode, { exitCode, signal, stderr: stderr.text });
      const how = { exitCode, signal, timedOut, aborted: false, timeoutMs, ...(outOfMemory ? { outOfMemory } : {}) };
      return { kind: "foreground", ...how, stdout, stderr, sandbox: { mode, denied } };
    },
    render: (value) => renderBash(value, { escalates }),
    presentationMeta: (value) => (value.kind === "foreground" ? { exitCode: value.exitCode, signal: value.signal } : undefined),
    presentCall: presentBashCall,
    presentResult: presentBashResult,
  });
}

/** A command runs in the sandbox or nowhere (tools §4.6). Any other error is what it was. */
function withoutSandbox(error: unknown, { aborted: isStopped }: AbortSignal): unknown {
  if (!isAppError(error, "ENGINE_DOWN") && !isAppError(error, "SANDBOX_START")) return error;
  return isStopped ? aborted() : new ToolError("SANDBOX_UNAVAILABLE", error.message, { cause: error });
}

/** Joined as text, not normalised: what follows a link is for the file system to resolve, as in the shell. */
function directoryOf(cwd: string, workdir: string | undefined): string {
  if (workdir === undefined) return cwd;
  return workdir.startsWith("/") ? workdir : `${cwd}/${workdir}`;
}

/** Names the run in its world, where sessions of one tree meet: call ids alone repeat with some models. */
function runKey(sessionId: string, { turn, step, callId }: ToolExecution): string {
  return [sessionId, turn, step, callId].join(":");
}

function refuseBackground(args: object, config: BashConfig): void {
  if (!("run_in_background" in args) || args.run_in_background !== true) return;
  if (!config.enableRunInBackground) throw new Error("background commands are switched off in this deployment (enableRunInBackground)");
  throw new Error("background commands need the jobs runtime, which is not loaded in this deployment");
}
