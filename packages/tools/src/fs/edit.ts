import type { FsSeam } from "@gantry/sandbox/seams";
import { z } from "zod";
import { defineTool } from "../define-tool.ts";
import { inMode } from "../escalation/in-mode.ts";
import { escalationParameters } from "../escalation/parameters.ts";
import { escalationOf, requireText } from "../guard-arguments.ts";
import { presentEditCall, presentEditResult } from "../present/edit.ts";
import type { ToolDefinition } from "../registry/types.ts";
import { requireAgent } from "../require-agent.ts";
import { hunksOf } from "./hunks.ts";
import { MutationValue } from "./mutation-value.ts";
import type { Observed } from "./observed.ts";
import { withDenialMarker, withRemedy } from "./remedy.ts";

const parameters = z.object({
  file_path: z.string().describe("File to edit. A relative path starts at the session workspace."),
  old_string: z.string().describe("The exact text to replace, white space included. Add neighbouring lines until it occurs only once."),
  new_string: z.string().describe("The text to put in its place. Empty deletes it."),
  replace_all: z.boolean().optional().describe("Replace every occurrence. Default: false, which needs old_string to occur exactly once."),
});

const description = `Replaces a literal piece of text in an existing file.

- Read the file first; if it changed since you read it, the edit is refused until you read it again.
- \`old_string\` is compared character by character, without patterns. Leave out the line numbers that \`read\` adds.
- To change every occurrence, for a rename say, set \`replace_all\`.`;

/** The `edit` tool (tools §9.3): literal replacement under the version the session has seen. */
export function editTool(fs: FsSeam, observed: Observed, { escalates }: { escalates: boolean }): ToolDefinition {
  return defineTool({
    name: "edit",
    risk: "write",
    recovery: "idempotent", // guarded by the version it replaces
    description,
    parameters: escalates ? parameters.extend(escalationParameters) : parameters,
    output: MutationValue,
    async execute(args, run) {
      requireText("file_path", args.file_path);
      if (args.old_string === "") throw new Error("old_string must not be empty; use write to create a file");
      if (args.old_string === args.new_string) throw new Error("old_string and new_string are the same; nothing would change");
      const agent = requireAgent(run);
      const escalation = escalationOf(args, { isOffered: escalates, mode: agent.sandboxMode() });
      const change = { oldString: args.old_string, newString: args.new_string, replaceAll: args.replace_all ?? false };
      return inMode(agent, escalation, run, async (owner, mode) => {
        const files = fs.for(owner);
        const { signal } = run;
        const target = await files.resolve(args.file_path, agent.cwd, { signal });
        try {
          const intent = await observed.intent("edit", agent, target);
          const outcome = await files.editText(target, change, intent, { signal });
          await observed.present(agent, target, outcome.version);
          const hunks = hunksOf(outcome.before, outcome.after);
          const { operation, replacements } = outcome;
          return { path: target.displayPath, operation, replacements, ...(hunks === null ? {} : { hunks }) };
        } catch (error) {
          throw withDenialMarker(withRemedy(error), { mode, escalates });
        }
      });
    },
    render: ({ path }, { replace_all }) => `Updated ${path}${replace_all ? "; all occurrences were replaced" : ""}`,
    presentationMeta: (value) => value,
    presentCall: presentEditCall,
    presentResult: presentEditResult,
  });
}
