import { type Context, scopeTarget } from "@gantry/kernel";
import type { FsTarget, WriteIntent } from "@gantry/sandbox/seams";
import type { ToolAgent } from "../agent.ts";

/** The file tools' side of the `fs/*` events: they say what a session has seen and ask what a write may do. */
export interface Observed {
  present(agent: ToolAgent, target: FsTarget, version: string): Promise<void>;
  absent(agent: ToolAgent, target: FsTarget): Promise<void>;
  /** What a policy demands of this mutation; nothing means unconditional. @throws FsError when a policy refuses */
  intent(kind: "write" | "edit", agent: ToolAgent, target: FsTarget): Promise<WriteIntent | undefined>;
}

/** @param ctx the plugin that owns the tools; its listeners and those of the agent's scopes hear the events */
export function observedThrough(ctx: Context): Observed {
  return {
    present: (agent, target, version) =>
      ctx.parallel(scopeTarget(agent.scope), "fs/observed", agent, target, { state: "present", version }),
    absent: (agent, target) => ctx.parallel(scopeTarget(agent.scope), "fs/observed", agent, target, { state: "absent" }),
    intent: (kind, agent, target) =>
      kind === "write"
        ? ctx.serial(scopeTarget(agent.scope), "fs/write-intent", agent, target)
        : ctx.serial(scopeTarget(agent.scope), "fs/edit-intent", agent, target),
  };
}
