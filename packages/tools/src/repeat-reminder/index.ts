import type { Context } from "@gantry/kernel";
import type { ToolAgent } from "../agent.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { AdditionalContext, PostToolDecision, ToolExecution } from "../registry/types.ts";
import { Config, type ReminderConfig, tracks } from "./config.ts";

export { Config };
export const name = "repeat-tool-reminder";
export const inject = ["tools"];

/** How often one call came in a row; `readUpTo`: events of the log that were looked at for a user's message. */
type Run = { key: string; count: number; readUpTo: number };

/** Tells an agent that makes the same call again and again (POL-3, tools §19.3). Denied calls count: they are repeated most of all. */
export function apply(ctx: Context, config: ReminderConfig): void {
  const runs = new WeakMap<object, Run>();
  const isTracked = tracks(config);
  ctx.on("tools/post-execute", async (execution, _settled, next) => {
    const decision = await next();
    const { agent } = execution;
    if (!agent || execution.parentToken !== undefined || !isTracked(execution.name)) return decision;
    const count = countCall(runs, agent, execution);
    return config.thresholds.includes(count) ? withNotice(decision, notice(config, execution, count)) : decision;
  });
}

function countCall(runs: WeakMap<object, Run>, agent: ToolAgent, { name, arguments: args }: ToolExecution): number {
  const history = agent.history();
  const known = runs.get(agent.scope) ?? { key: "", count: 0, readUpTo: history.length };
  const key = `${name}\n${canonicalJson(args)}`;
  const isFresh = history.slice(known.readUpTo).some((event) => event.type === "user/message" && event.data.source.kind === "user");
  const count = known.key === key && !isFresh ? known.count + 1 : 1;
  runs.set(agent.scope, { key, count, readUpTo: history.length });
  return count;
}

function notice(config: ReminderConfig, { name, arguments: args }: ToolExecution, count: number): AdditionalContext {
  const isFirst = count === Math.min(...config.thresholds);
  const text = isFirst
    ? `You have called ${name} ${count} times in a row with the same arguments. If the result does not change, look at it again or go another way.`
    : `${name} has now been called ${count} times in a row with these arguments, and repeating it brings nothing new:\n${preview(args, config)}\nStop repeating it. Say what you expected and what came instead, then try something else or ask.`;
  const source = { kind: "plugin", plugin: "repeat-tool-reminder", form: "notice", summary: `${name} × ${count}` } as const;
  return { content: [{ type: "text", text }], source };
}

function preview(args: unknown, { argumentsPreviewChars }: ReminderConfig): string {
  const text = JSON.stringify(args);
  const more = text.length - argumentsPreviewChars;
  return more > 0 ? `${text.slice(0, argumentsPreviewChars).toWellFormed()}… (+${more} more chars)` : text;
}

const withNotice = (decision: PostToolDecision, context: AdditionalContext): PostToolDecision => ({
  ...decision,
  additionalContexts: [...(decision.additionalContexts ?? []), context],
});
