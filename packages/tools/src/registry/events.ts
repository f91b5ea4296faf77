import type { Scoped } from "@gantry/kernel";
import type { ApprovalSeam } from "./approval.ts";
import type { ToolRegistry } from "./service.ts";
import type { Dispatch, Executed, PostToolDecision, PreToolDecision, SettledCall, ToolExecution, ToolOutcome } from "./types.ts";

declare module "@gantry/kernel" {
  interface Context {
    tools: ToolRegistry;
    /** Optional: read with `get`. Absent, a question denies. */
    approval: ApprovalSeam;
    /** Optional: the org that this root serves. With it, a call of another org's agent is refused (T-25). */
    tenant: { readonly orgId: string };
  }
  interface Events {
    /** Decides whether a call may run, for every policy the same way (POL-5); not calling `next` decides alone (T-11). Hard bans are guards instead. All four are filtered by the calling agent (T-22). @mode waterfall */
    "tools/pre-execute"(this: Scoped, execution: ToolExecution, next: () => Promise<PreToolDecision>): Promise<PreToolDecision>;
    /** Wraps the body. Only `dispatch.signal` may be replaced (T-15). @mode waterfall */
    "tools/execute"(this: Scoped, execution: ToolExecution, dispatch: Dispatch, next: () => Promise<Executed>): Promise<Executed>;
    /** Accepts, replaces or blocks a settled result (T-16). @mode waterfall */
    "tools/post-execute"(
      this: Scoped,
      execution: ToolExecution,
      settled: SettledCall,
      next: () => Promise<PostToolDecision>,
    ): Promise<PostToolDecision>;
    /** The final, frozen result; an observer's failure is contained (T-21). @mode emit */
    "tools/result"(this: Scoped, execution: ToolExecution, outcome: ToolOutcome): void;
    /** The registry has changed for some scope; not filtered (T-8). @mode emit */
    "tools/change"(): void;
  }
}
