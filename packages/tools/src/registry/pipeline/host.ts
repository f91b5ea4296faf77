import type { ApprovalSeam } from "../approval.ts";
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
  preExecute(execution: ToolExecution): Promise<PreToolDecision>;
  execute(execution: ToolExecution, dispatch: Dispatch, body: () => Promise<Executed>): Promise<Executed>;
  postExecute(execution: ToolExecution, settled: SettledCall): Promise<PostToolDecision>;
  announce(execution: ToolExecution, outcome: ToolOutcome): void;
}
