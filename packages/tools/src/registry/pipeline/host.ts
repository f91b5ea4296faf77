import type { ToolAgent } from "../../agent.ts";
import type { ApprovalSeam } from "../approval.ts";
import type { PresentationView } from "../presentation.ts";
import type {
  Dispatch,
  Executed,
  PostToolDecision,
  PreToolDecision,
  SettledCall,
  ToolDefinition,
  ToolExecution,
  ToolGuard,
  ToolOutcome,
} from "../types.ts";

/** What the pipeline needs of the registry. Views are read at the moment of use, so a tool that came or went counts at once. */
export interface PipelineHost {
  find(name: string, execution: { agent?: { scope: object } }): ToolDefinition | undefined;
  guards(execution: ToolExecution): readonly ToolGuard[];
  approval(): ApprovalSeam | undefined;
  presentation(execution: ToolExecution): PresentationView;
  /** Whether the agent belongs to another root, or to another org than this root's. */
  isForeign(agent: ToolAgent): boolean;
  /** Tells the org's log, and counts by code. */
  report(error: Error): void;
  preExecute(execution: ToolExecution): Promise<PreToolDecision>;
  execute(execution: ToolExecution, dispatch: Dispatch, body: () => Promise<Executed>): Promise<Executed>;
  postExecute(execution: ToolExecution, settled: SettledCall): Promise<PostToolDecision>;
  announce(execution: ToolExecution, outcome: ToolOutcome): void;
}
