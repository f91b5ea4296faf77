import type { FsSeam } from "@gantry/sandbox/seams";
import { z } from "zod";
import { defineTool } from "../define-tool.ts";
import { inMode } from "../escalation/in-mode.ts";
import { escalationParameters } from "../escalation/parameters.ts";
import { escalationOf, requireText } from "../guard-arguments.ts";
import { presentWriteCall, presentWriteResult } from "../present/write.ts";
import type { ToolDefinition } from "../registry/types.ts";
import { requireAgent } from "../require-agent.ts";
import { fileEnvelope } from "./envelope.ts";
import { hunksOf } from "./hunks.ts";
import { MutationValue } from "./mutation-value.ts";
import type { Observed } from "./observed.ts";
import { withDenialMarker, withRemedy } from "./remedy.ts";

const parameters = z.object({
  file_path: z.string().describe("File to write. A relative path starts at the session workspace; missing folders are made."),
  content: z.string().describe("The whole new text of the file. May be empty."),
});

const description = `Creates a text file, or replaces all of an existing one.

- Read an existing file first: replacing a file you have not seen in its current state is refused.
- For a change in a part of a file, \`edit\` is safer and shorter.`;

/** The `write` tool (tools §9.2). What it may replace is the policy's decision, checked by the file system when it publishes. */
export function writeTool(fs: FsSeam, observed: Observed, { escalates }: { escalates: boolean }): ToolDefinition {
  return defineTool({
    name: "write",
    risk: "write",
    recovery: "idempotent", // guarded by the version it replaces
    description,
    parameters: escalates ? parameters.extend(escalationParameters) : parameters,
    output: MutationValue,
    async execute(args, run) {
      requireText("file_path", args.file_path);
      const agent = requireAgent(run);
      const escalation = escalationOf(args, { isOffered: escalates, mode: agent.sandboxMode() });
      return inMode(agent, escalation, run, async (owner, mode) => {
        const files = fs.for(owner);
        const { signal } = run;
        const target = await files.resolve(args.file_path, agent.cwd, { signal });
        const intent = await observed.intent("write", agent, target);
        const outcome = await files.writeText(target, args.content, intent, { signal }).catch((error: unknown) => {
          throw withDenialMarker(withRemedy(error), { mode, escalates });
        });
        await observed.present(agent, target, outcome.version);
        const hunks = outcome.operation === "update" ? hunksOf(outcome.before, outcome.after) : null;
        return { path: target.displayPath, operation: outcome.operation, ...(hunks === null ? {} : { hunks }) };
      });
    },
    render: ({ path, operation }) => fileEnvelope(path, operation === "create" ? "Created file" : "Updated file"),
    presentationMeta: (value) => value,
    presentCall: presentWriteCall,
    presentResult: presentWriteResult,
  });
}
