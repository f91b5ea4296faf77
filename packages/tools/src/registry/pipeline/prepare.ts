import { KernelError } from "@gantry/kernel";
import { abortedBeforeDispatch, unknownTool } from "../errors.ts";
import type { CallOptions, Prepared, Ran, ToolCall, ToolDefinition, ToolExecution } from "../types.ts";
import { commitCall, frozen } from "./commit.ts";
import { mintExecution } from "./execution.ts";
import type { PipelineHost } from "./host.ts";
import { applyPolicy } from "./policy.ts";
import { runBody } from "./run.ts";
import { failed, failedBy, type Settled } from "./settled.ts";

/**
 * First third of a call: arguments, policy, approval, guards (kernel §5.2). Never throws; a refused call carries its result to
 * `commit`. The tool's `finalizeContent` is taken here, so that it still runs when the tool unloads meanwhile.
 */
export async function prepareCall(host: PipelineHost, call: ToolCall, options: CallOptions): Promise<Prepared> {
  const { execution, problem } = mintExecution(call, options);
  if (execution.agent && host.isForeign(execution.agent)) return strangersCall(host, execution);
  const definition = host.find(execution.name, execution);
  const finalize = definition?.finalizeContent?.bind(definition);
  const refused = problem ? failedBy(problem, { final: true }) : await refusal(host, execution);
  return {
    execution,
    admitted: refused === undefined,
    isParked: refused === "parked",
    run: once("run", async () => {
      if (refused === "parked") return parked;
      if (refused) return ran(host, execution, { settled: refused, started: false, finalize });
      const end = await runBody(host, execution);
      return end === "parked" ? parked : ran(host, execution, { ...end, finalize });
    }),
  };
}

async function refusal(host: PipelineHost, execution: ToolExecution): Promise<Settled | "parked" | undefined> {
  if (execution.signal.aborted) return failedBy(abortedBeforeDispatch(), { final: true });
  if (execution.isRejoin) return undefined;
  return notOffered(host, execution) ?? applyPolicy(host, execution);
}

/** Where tools are called from programs, a direct call of one is refused; and no program calls the transport it runs in (T-23, PTC-3). */
function notOffered(host: PipelineHost, execution: ToolExecution): Settled | undefined {
  const { effective, transport } = host.presentation(execution);
  if (!transport) return undefined;
  const isTransport = execution.name === transport.name;
  if (execution.parentToken !== undefined) return isTransport ? failedBy(unknownTool(execution.name), { final: true }) : undefined;
  if (effective === "both" || isTransport) return undefined;
  const hint = `Write a program for ${transport.name} that calls it as tools.${execution.name}(…).`;
  return failed(`${execution.name} cannot be called directly here. ${hint}`, notDirect, { final: true });
}

const notDirect = { name: "ToolNotFoundError", code: "UNKNOWN_TOOL" };

/**
 * An agent of another root has no business here (T-25): no policy, no body and no observer of this root sees the call, for they would see
 * the stranger's ids. The log gets the fact alone.
 */
function strangersCall(host: PipelineHost, execution: ToolExecution): Prepared {
  const error = new KernelError(
    "TENANT_MISMATCH",
    "This call comes from an agent of another root and was refused. Its session has to be opened anew.",
  );
  host.report(error);
  return {
    execution,
    admitted: false,
    isParked: false,
    run: once("run", async () => ({ commit: once("commit", async () => frozen(failedBy(error, { final: true }))) })),
  };
}

function ran(
  host: PipelineHost,
  execution: ToolExecution,
  state: { settled: Settled; started: boolean; finalize: ToolDefinition["finalizeContent"] | undefined },
): Ran {
  return { commit: once("commit", () => commitCall(host, execution, state)) };
}

/** There is no result to commit: the call is prepared anew when the answer is there. */
const parked: Ran = {
  isParked: true,
  commit: () => Promise.reject(new Error("a call that waits for a person has no result yet; prepare it again after the answer")),
};

/** A second body or a second commit of one call would be a second side effect: refuse it loudly. */
function once<T>(what: string, body: () => Promise<T>): () => Promise<T> {
  let called = false;
  return () => {
    if (called) return Promise.reject(new Error(`${what}() of a tool call may be called once`));
    called = true;
    return body();
  };
}
