import type { Scoped } from "@gantry/kernel";
import type { ApprovalOutcome, ApprovalQuestion } from "@gantry/tools";
import type { Agent } from "../loop/agent.ts";

declare module "@gantry/kernel" {
  interface Events {
    /**
     * Waterfall of those who may decide inside the process; innermost a person is asked, or nobody can be. Whatever is no outcome counts
     * as `unavailable` (APR-2). Not reached where the session's policy is `never` (APR-1).
     */
    "approval/request"(
      this: Scoped<Agent>,
      question: ApprovalQuestion & { readonly id: string },
      next: () => Promise<ApprovalOutcome | "parked">,
    ): Promise<ApprovalOutcome | "parked">;
  }
}
