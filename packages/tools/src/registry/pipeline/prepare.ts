import { abortedBeforeDispatch } from "../errors.ts";
import type { CallOptions, Prepared, Ran, ToolCall, ToolDefinition, ToolExecution } from "../types.ts";
import { commitCall } from "./commit.ts";
import { mintExecution } from "./execution.ts";
import type { PipelineHost } from "./host.ts";
import { applyPolicy } from "./policy.ts";
import { runBody } from "./run.ts";
import { failedBy, type Settled } from "./settled.ts";

/**
 * First third of a call: arguments, policy, approval, guards (kernel §5.2). Never throws; a refused call carries its result to
 * `commit`. The tool's `finalizeContent` is taken here, so that it still runs when the tool unloads meanwhile.
 */
export async function prepareCall(host: PipelineHost, call: ToolCall, options: CallOptions): Promise<Prepared> {
  const { execution, problem } = mintExecution(call, options);
  const definition = host.find(execution.name, execution);
  const finalize = definition?.finalizeContent?.bind(definition);
  const refused = problem ? failedBy(problem, { final: true }) : await refusal(host, execution);
  return {
    execution,
    admitted: refused === undefined,
    run: once("run", async () => {
      if (refused) return ran(host, execution, { settled: refused, started: false, finalize });
      return ran(host, execution, { ...(await runBody(host, execution)), finalize });
    }),
  };
}

async function refusal(host: PipelineHost, execution: ToolExecution): Promise<Settled | undefined> {
  if (execution.signal.aborted) return failedBy(abortedBeforeDispatch(), { final: true });
  return execution.isRejoin ? undefined : applyPolicy(host, execution);
}

function ran(
  host: PipelineHost,
  execution: ToolExecution,
  state: { settled: Settled; started: boolean; finalize: ToolDefinition["finalizeContent"] | undefined },
): Ran {
  return { commit: once("commit", () => commitCall(host, execution, state)) };
}

/** A second body or a second commit of one call would be a second side effect: refuse it loudly. */
function once<T>(what: string, body: () => Promise<T>): () => Promise<T> {
  let called = false;
  return () => {
    if (called) return Promise.reject(new Error(`${what}() of a tool call may be called once`));
    called = true;
    return body();
  };
}
