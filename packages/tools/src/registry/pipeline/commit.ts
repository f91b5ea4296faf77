import { aborted, abortedBeforeDispatch, isBareAbort, unknownTool } from "../errors.ts";
import type { PostToolDecision, ToolDefinition, ToolExecution, ToolOutcome } from "../types.ts";
import { blocks, notices } from "./content.ts";
import type { PipelineHost } from "./host.ts";
import { afterCancellation, failedBy, type Settled, settleValue, withinSize } from "./settled.ts";

type State = { settled: Settled; started: boolean; finalize: ToolDefinition["finalizeContent"] | undefined };

/** Last third: post policy unless the result is final, `finalizeContent` once, freezing, `tools/result`. Never throws. */
export async function commitCall(host: PipelineHost, execution: ToolExecution, state: State): Promise<ToolOutcome> {
  const posted = state.settled.final ? state.settled : await applyPost(host, execution, state);
  const settled = finalized(afterCancellation(posted, execution, state.started), execution, state.finalize);
  const outcome = frozen(withinSize(settled));
  host.announce(execution, outcome);
  return outcome;
}

async function applyPost(host: PipelineHost, execution: ToolExecution, { settled, started }: State): Promise<Settled> {
  const { content, isError, error, value, meta } = settled;
  const shown = {
    content,
    isError,
    ...(error === undefined ? {} : { error }),
    ...(value === undefined ? {} : { value }),
    ...(meta === undefined ? {} : { meta }),
  };
  try {
    return decided(host, execution, settled, await host.postExecute(execution, shown));
  } catch (failure) {
    const cancelled = isBareAbort(failure, execution.signal) && (started ? aborted() : abortedBeforeDispatch());
    return failedBy(cancelled || failure, { contexts: settled.contexts });
  }
}

function decided(host: PipelineHost, execution: ToolExecution, settled: Settled, decision: PostToolDecision): Settled {
  if (decision?.kind === "block") {
    return {
      final: false,
      isError: true,
      content: blocks(decision.feedback),
      contexts: notices(decision.additionalContexts),
      concludesTurn: false,
    };
  }
  if (decision?.kind !== "accept") throw new TypeError("a tools/post-execute listener answered with something that is not a decision");
  const contexts = [...settled.contexts, ...notices(decision.additionalContexts)];
  if (decision.value !== undefined) {
    if (decision.content !== undefined) throw new TypeError("a tools/post-execute listener replaced both content and value");
    if (settled.isError) throw new TypeError("a tools/post-execute listener replaced the value of a failed call");
    const definition = host.find(execution.name, execution);
    if (!definition) throw unknownTool(execution.name);
    const again = settleValue(definition, execution, decision.value);
    return { ...again, contexts, concludesTurn: again.isError ? false : settled.concludesTurn };
  }
  return decision.content === undefined ? { ...settled, contexts } : { ...settled, contexts, content: blocks(decision.content) };
}

function finalized(settled: Settled, execution: ToolExecution, finalize: State["finalize"]): Settled {
  try {
    return finalize ? { ...settled, content: blocks(finalize(settled.content, { isError: settled.isError, execution })) } : settled;
  } catch (error) {
    return failedBy(error, { contexts: settled.contexts });
  }
}

/** Observers and the log share one object, so nobody can change what the other sees (KN-056). */
export function frozen(settled: Settled): ToolOutcome {
  const { isError, error, value, meta, concludesTurn } = settled;
  return Object.freeze({
    content: Object.freeze(settled.content.map((block) => Object.freeze({ ...block }))),
    isError,
    additionalContexts: Object.freeze([...settled.contexts]),
    concludesTurn,
    ...(error === undefined ? {} : { error: Object.freeze({ ...error }) }),
    ...(value === undefined ? {} : { value }),
    ...(meta === undefined ? {} : { meta }),
  });
}
