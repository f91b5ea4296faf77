import { violations } from "../../schema/validate.ts";
import { aborted, abortedBeforeDispatch, errorInfo, messageOf, ToolError, unknownTool } from "../errors.ts";
import { ParkedCall } from "../parked.ts";
import type { AdditionalContext, Dispatch, Executed, ToolExecution, ToolRun } from "../types.ts";
import type { PipelineHost } from "./host.ts";
import { afterCancellation, failed, failedBy, type Settled, settleValue } from "./settled.ts";

/**
 * Second third: the body inside the `tools/execute` wrappers, then validation and rendering. A started body is awaited, never
 * abandoned (T-18). A wrapper that throws gives a final result; a body that throws gives one the post stage still sees.
 */
export async function runBody(host: PipelineHost, execution: ToolExecution): Promise<{ settled: Settled; started: boolean } | "parked"> {
  const state: BodyState = { started: false, isParked: false, deferred: [], concludesTurn: false };
  const dispatch: Dispatch = { signal: execution.signal };
  let executed: Executed;
  try {
    executed = checked(await host.execute(execution, dispatch, () => callBody(host, execution, dispatch, state)));
  } catch (error) {
    if (state.isParked) return "parked";
    return { settled: failedBy(error, { final: true, contexts: state.deferred }), started: state.started };
  }
  if (state.isParked) return "parked"; // whatever a wrapper made of it
  const settled = settle(host, execution, executed, state);
  return { settled: afterCancellation(settled, execution, state.started), started: state.started };
}

type BodyState = { started: boolean; isParked: boolean; deferred: AdditionalContext[]; concludesTurn: boolean };

async function callBody(host: PipelineHost, execution: ToolExecution, dispatch: Dispatch, state: BodyState): Promise<Executed> {
  try {
    const definition = host.find(execution.name, execution);
    if (!definition) throw unknownTool(execution.name);
    const wrong = violations(definition.parameters, execution.arguments);
    if (wrong.length > 0) throw new ToolError("INVALID_ARGS", wrong.join("; "), { name: "ToolArgsError" });
    if (execution.signal.aborted) throw abortedBeforeDispatch();
    const run: ToolRun = {
      execution,
      agent: execution.agent,
      signal: dispatch.signal === execution.signal ? execution.signal : AbortSignal.any([execution.signal, dispatch.signal]),
      defer: (context) => state.deferred.push(context),
      concludeTurn: () => {
        state.concludesTurn = true;
      },
    };
    state.started = true;
    return { kind: "value", value: await definition.execute(execution.arguments, run) };
  } catch (error) {
    state.isParked = error instanceof ParkedCall && execution.parentToken === undefined && !execution.signal.aborted;
    const shown = isBareAbort(error, execution.signal) ? aborted() : error;
    const info = errorInfo(shown);
    return { kind: "failure", message: messageOf(shown), ...(info === undefined ? {} : { info }) };
  }
}

function settle(host: PipelineHost, execution: ToolExecution, executed: Executed, state: BodyState): Settled {
  const contexts = [...state.deferred, ...(executed.additionalContexts ?? [])];
  if (executed.kind === "failure") return failed(executed.message, executed.info, { contexts });
  const definition = host.find(execution.name, execution);
  if (!definition) return failedBy(unknownTool(execution.name), { contexts });
  const settled = settleValue(definition, execution, executed.value);
  if (settled.isError) return { ...settled, contexts };
  return { ...settled, contexts, concludesTurn: state.concludesTurn || executed.concludesTurn === true };
}

/** The caller's own cancellation surfacing as an exception; a coded error of the tool is kept instead (EX-007). */
function isBareAbort(error: unknown, caller: AbortSignal): boolean {
  if (!caller.aborted || errorInfo(error) !== undefined) return false;
  return error === caller.reason || (error instanceof Error && error.name === "AbortError");
}

function checked(executed: Executed): Executed {
  if (executed?.kind === "value" || executed?.kind === "failure") return executed;
  throw new TypeError("a tools/execute listener answered with something that is not a result");
}
