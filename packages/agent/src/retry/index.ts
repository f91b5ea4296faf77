import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "@gantry/kernel";
import type { RequestErrorDecision, RequestErrorEvent } from "@gantry/llm";
import { z } from "zod";
import type { PreStep } from "../loop/events.ts";
import "../settings/index.ts";
import { park, turnsSentAway } from "../session/parked.ts";
import { parkedDelay, type RetryPolicy, retryDelay } from "./policy.ts";

export const name = "llm-retry";
export const inject = ["settings"];
export const Config = z.strictObject({
  /** `normal` retries what a second try may cure, a few times; `always` retries everything for as long as the turn lives. */
  mode: z.enum(["normal", "always"]).default("normal"),
  maxRetries: z.number().int().min(0).max(100).default(5),
  baseDelayMs: z.number().int().positive().default(500),
  maxDelayMs: z.number().int().positive().max(3_600_000).default(10_000),
});
export type RetryConfig = z.infer<typeof Config>;

/**
 * Sends failed model requests again (specs §2.8), as the row says and the org's setting `llm-retry` overrides for the next failure. Whoever else listens may repair the request first (RTY-1): only when nobody
 * does, this waits and asks for another attempt. Waits live in memory; a crash in one leaves a step without a request (RTY-4), and
 * the next holder waits for the rest of it (CP-56). A wait that is longer than the longest pause is the session's own: nobody holds it meanwhile.
 */
export function apply(ctx: Context, config: RetryConfig): void {
  const series = new WeakMap<object, Series>();
  const { mode, baseDelayMs, maxRetries, maxDelayMs } = config;
  const tuned = ctx.settings.register<Tuned>(name, { base: { maxRetries, maxDelayMs } });
  ctx.on("agent/pre-step", async (input, next) => {
    if (input.step === 1 && input.messages.length > 0) await outlast(input);
    return next();
  });
  ctx.on("agent/error", ({ agent, error: failure }) => {
    const waitMs = parkedDelay({ mode, baseDelayMs, ...tuned.get() }, failure, turnsSentAway(agent.log.events));
    if (waitMs !== null) park(agent, { failure, waitMs });
  });
  ctx.on("agent/request-error", async (event, next) => {
    const inner = await next();
    if (inner.kind !== "fail" || event.signal.aborted) return inner;
    return retryOrFail(series, { mode, baseDelayMs, ...tuned.get() }, event);
  });
}

/**
 * The rest of a wait that the worker before died in: else every restart would ask a provider that wants to be left alone. One that a person ended is over.
 * The log's clock may be another worker's, so no more than the whole wait is waited.
 */
async function outlast({ agent, turn, signal }: PreStep): Promise<void> {
  const wait = agent.log.last("llm/retry");
  const end = agent.log.last("turn/end")?.data;
  if (!wait || end?.turn !== turn - 1 || wait.data.turn !== end.turn || end.reason.kind !== "interrupted") return;
  if ((agent.log.last("llm/retry-started")?.seq ?? -1) > wait.seq) return;
  const { delayMs, retry, maxRetries = retry } = wait.data;
  const now = Date.now();
  const left = Math.min(wait.time + delayMs - now, delayMs);
  if (left <= 0) return;
  agent.showActivity({ kind: "retrying", since: now, retry, maxRetries, untilTime: now + left });
  await waited(left, signal);
}

type Tuned = Pick<RetryConfig, "maxRetries" | "maxDelayMs">;
/** The retries of one request of one step; a change of the key starts a new count (RTY-3). */
type Series = { readonly key: string; readonly retryId: string; retry: number };

async function retryOrFail(series: WeakMap<object, Series>, policy: RetryPolicy, event: RequestErrorEvent): Promise<RequestErrorDecision> {
  const { turn, step, provider, failure } = event;
  const key = JSON.stringify([turn, step, provider, policy]);
  const known = series.get(event.agent);
  const current = known?.key === key ? known : { key, retryId: randomUUID(), retry: 0 };
  const retry = current.retry + 1;
  const delayMs = retryDelay(policy, failure, retry, Math.random());
  if (delayMs === null) return { kind: "fail" };
  current.retry = retry;
  series.set(event.agent, current);

  const { retryId } = current;
  const limit = policy.mode === "always" ? {} : { maxRetries: policy.maxRetries };
  await event.append({ type: "llm/retry", data: { turn, step, retryId, provider, retry, ...limit, delayMs, failure } });
  if (!(await waited(delayMs, event.signal))) return { kind: "aborted" };
  await event.append({ type: "llm/retry-started", data: { turn, step, retryId, retry } });
  return { kind: "retry" };
}

async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await pause(ms, undefined, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
