import { resolveAsk } from "../approval.ts";
import { abortedBeforeDispatch, isBareAbort, isErrorInfo, messageOf } from "../errors.ts";
import type { PreToolDecision, ToolExecution, ToolGuard } from "../types.ts";
import type { PipelineHost } from "./host.ts";
import { failed, failedBy, type Settled } from "./settled.ts";

/**
 * Pre-execute waterfall, approval, guards: a settled result when the body must not run, nothing when it may, `parked` when a person has to say.
 * A listener that throws or answers nonsense never allows (TLS-13).
 */
export async function applyPolicy(host: PipelineHost, execution: ToolExecution): Promise<Settled | "parked" | undefined> {
  let decision: PreToolDecision | "parked";
  try {
    decision = checked(await host.preExecute(execution));
    if (decision.kind === "ask") decision = await resolveAsk(host.approval(), execution, decision);
  } catch (error) {
    return failedBy(isBareAbort(error, execution.signal) ? abortedBeforeDispatch() : error, { final: true });
  }
  if (decision === "parked") return decision;
  if (decision.kind === "cancel") return failedBy(abortedBeforeDispatch());
  if (decision.kind === "deny") return failed(decision.reason, decision.info);
  if (decision.kind !== "allow") return failed("the approval answered with an unknown outcome");
  const veto = firstVeto(() => host.guards(execution), execution);
  if (veto) return veto;
  return execution.signal.aborted ? failedBy(abortedBeforeDispatch()) : undefined;
}

/**
 * Asks guards in layer order, global first. The list is read again after each one, so that a guard which adds a guard
 * does not let this call slip past it (KN-043).
 */
function firstVeto(guards: () => readonly ToolGuard[], execution: ToolExecution): Settled | undefined {
  const asked = new Set<ToolGuard>();
  for (;;) {
    const guard = guards().find((candidate) => !asked.has(candidate));
    if (guard === undefined) return undefined;
    asked.add(guard);
    const veto = askGuard(guard, execution);
    if (veto) return veto;
  }
}

function askGuard(guard: ToolGuard, execution: ToolExecution): Settled | undefined {
  const info = { name: "ToolGuardError", code: "GUARD_FAILED" };
  try {
    const reason: unknown = guard(execution);
    if (reason === undefined) return undefined;
    if (reason instanceof Promise) reason.catch(() => {}); // the call is denied already; a later failure must not end the process
    return typeof reason === "string" ? failed(reason) : failed("a guard answered with something that is not a reason", info);
  } catch (error) {
    return failed(`a guard failed: ${messageOf(error)}`, info);
  }
}

/** A copy, so that what was checked is what counts. @throws TypeError */
function checked(answer: PreToolDecision): PreToolDecision {
  const decision = { ...answer };
  const { kind } = decision;
  if (kind === "allow" || kind === "cancel") return decision;
  if (kind === "ask" && isQuestion(decision)) return decision;
  if (kind === "deny" && typeof decision.reason === "string" && isErrorInfo(decision.info)) return decision;
  throw new TypeError("a tools/pre-execute listener answered with something that is not a decision");
}

function isQuestion({ reason, displayReason }: Extract<PreToolDecision, { kind: "ask" }>): boolean {
  return (reason === undefined || typeof reason === "string") && (displayReason === undefined || typeof displayReason?.en === "string");
}
