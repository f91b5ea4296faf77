import { withdrawPrompts } from "../session/prompts.ts";
import { lastTurn, unresolvedCalls } from "../session/unresolved-calls.ts";
import type { Agent } from "./agent.ts";
import { abortCall } from "./batch.ts";
import type { CancelCause } from "./cancel.ts";

/** Ends a turn whose step waits for a person while nothing runs: a stop, in the place of the answer. */
export function endWaiting(agent: Agent, cause: Exclude<CancelCause, "released">): void {
  const { log } = agent;
  const at = { turn: log.turn, step: log.step };
  withdrawPrompts(log);
  for (const call of unresolvedCalls(lastTurn(log.events), at.step)) abortCall(agent, at, call);
  log.append({ type: "step/end", data: at });
  log.append({ type: "turn/end", data: { turn: at.turn, reason: { kind: "aborted", reason: cause } } });
  log.show({ status: "idle", problem: null });
}
