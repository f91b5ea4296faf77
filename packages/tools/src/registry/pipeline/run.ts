import { listed, violations } from "../../schema/validate.ts";
import { aborted, abortedBeforeDispatch, errorInfo, isBareAbort, isErrorInfo, messageOf, ToolError, unknownTool } from "../errors.ts";
import { ParkedCall } from "../parked.ts";
import type { AdditionalContext, Dispatch, Executed, ToolDefinition, ToolExecution, ToolRun } from "../types.ts";
import { notices } from "./content.ts";
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
    const cancelled = isBareAbort(error, execution.signal) && (state.started ? aborted() : abortedBeforeDispatch());
    return { settled: failedBy(cancelled || error, { final: true, contexts: state.deferred }), started: state.started };
  }
  if (state.isParked) return "parked"; // whatever a wrapper made of it
  const settled = settle(host, execution, executed, state);
  return { settled: afterCancellation(settled, execution, state.started), started: state.started };
}

type BodyState = {
  started: boolean;
  /** what ran: it also reads the value, whatever became of the tool meanwhile */
  definition?: ToolDefinition;
  isParked: boolean;
  deferred: AdditionalContext[];
  concludesTurn: boolean;
};

async function callBody(host: PipelineHost, execution: ToolExecution, dispatch: Dispatch, state: BodyState): Promise<Executed> {
  try {
    const definition = host.find(execution.name, execution);
    if (!definition) throw unknownTool(execution.name);
    const wrong = violations(definition.parameters, execution.arguments);
    if (wrong.length > 0) throw new ToolError("INVALID_ARGS", listed(wrong), { name: "ToolArgsError" });
    if (execution.signal.aborted) throw abortedBeforeDispatch();
    const run: ToolRun = {
      execution,
      agent: execution.agent,
      signal: dispatch.signal === execution.signal ? execution.signal : AbortSignal.any([execution.signal, dispatch.signal]),
      defer: (context) => state.deferred.push(...notices([context])),
      concludeTurn: () => {
        state.concludesTurn = true;
      },
    };
    state.started = true;
    state.definition = definition;
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
  const definition = state.definition ?? host.find(execution.name, execution);
  if (!definition) return failedBy(unknownTool(execution.name), { contexts });
  const settled = settleValue(definition, execution, executed.value);
  if (settled.isError) return { ...settled, contexts };
  return { ...settled, contexts, concludesTurn: state.concludesTurn || executed.concludesTurn === true };
}

function checked(executed: Executed): Executed {
  const isFailure = executed?.kind === "failure" && typeof executed.message === "string" && isErrorInfo(executed.info);
  if (!isFailure && executed?.kind !== "value")
    throw new TypeError("a tools/execute listener answered with something that is not a result");
  return { ...executed, additionalContexts: notices(executed.additionalContexts) };
}
