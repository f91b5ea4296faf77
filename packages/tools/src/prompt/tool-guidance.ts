import type { Context } from "@gantry/kernel";

/**
 * Registers the section that tells when to use a tool. It stays out of the prompts of scopes that do not see the tool (SYS-8): advice
 * to use something that is not there only misleads. The caller injects `tools` and `systemPrompt`.
 */
export function toolGuidance(ctx: Context, tool: string, section: { order: number; text: string }): void {
  const { tools, systemPrompt } = ctx;
  const { order, text } = section;
  systemPrompt.section({ name: `tool:${tool}`, order, text: ({ scope }) => (tools.find(tool, scope) ? text : "") });
}
