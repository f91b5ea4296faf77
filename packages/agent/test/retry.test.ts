import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { EventDraft, LlmFailure } from "@gantry/contracts";
import { type Context, createRoot, mount, scopeTarget } from "@gantry/kernel";
import type { RequestErrorDecision, RequestErrorEvent } from "@gantry/llm";
import * as retry from "../src/retry/index.ts";
import { retryDelay } from "../src/retry/policy.ts";
import * as settings from "../src/settings/index.ts";
import { createSettingsStore, type FilledStore } from "../src/settings/store.ts";

const policy = { mode: "normal", maxRetries: 5, baseDelayMs: 500, maxDelayMs: 10_000 } as const;
const rateLimit = (providerRetryAfterMs?: number): LlmFailure => ({
  code: "RATE_LIMIT",
  message: "slow down",
  ...(providerRetryAfterMs ? { providerRetryAfterMs } : {}),
});
const server: LlmFailure = { code: "SERVER", message: "broken" };

describe("retry delay", () => {
  it("doubles from 500 ms to 10 s and spreads by ten per cent", () => {
    const delays = [1, 2, 3, 4, 5].map((n) => retryDelay(policy, server, n, 0.5));
    assert.deepEqual(delays, [500, 1_000, 2_000, 4_000, 8_000]);
    assert.equal(retryDelay(policy, server, 1, 0), 450);
    assert.equal(retryDelay(policy, server, 1, 1), 550);
    assert.equal(retryDelay({ ...policy, maxRetries: 50 }, server, 40, 1), 10_000);
  });
  it("AG-066 what the provider asks for within the cap is taken exactly", () => {
    for (const random of [0, 0.3, 1]) assert.equal(retryDelay(policy, rateLimit(2_000), 1, random), 2_000);
  });
  it("AG-067 above the cap normal mode gives up at once, always mode uses its own delay", () => {
    assert.equal(retryDelay(policy, rateLimit(60_000), 1, 0.5), null);
    assert.equal(retryDelay({ ...policy, mode: "always" }, rateLimit(60_000), 1, 0.5), 500);
  });
  it("AG-069 a refused key is not retried, in always mode it is", () => {
    const auth: LlmFailure = { code: "AUTH", message: "no" };
    assert.equal(retryDelay(policy, auth, 1, 0.5), null);
    assert.equal(retryDelay({ ...policy, mode: "always" }, auth, 100, 0.5), 10_000);
  });
});

const quiet = () => undefined;
const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };

describe("llm-retry plugin", () => {
  let ctx: Context;
  let log: EventDraft[];
  let stored: FilledStore;
  const agent = {};

  beforeEach(() => {
    ctx = createRoot({ name: "test", logger }).ctx;
    stored = createSettingsStore();
    ctx.provide("settingsStore", stored.store);
    mount(ctx, settings);
    log = [];
  });

  const fail = (fields: Partial<RequestErrorEvent> = {}): Promise<RequestErrorDecision> => {
    const event: RequestErrorEvent = {
      agent,
      turn: 1,
      step: 1,
      provider: "p",
      failure: server,
      signal: new AbortController().signal,
      append: (draft) => log.push(draft),
      ...fields,
    };
    return ctx.waterfall(
      scopeTarget(event.agent),
      "agent/request-error",
      event,
      async (): Promise<RequestErrorDecision> => ({ kind: "fail" }),
    );
  };
  const types = () => log.map((draft) => draft.type);
  const retries = () => log.flatMap((draft) => (draft.type === "llm/retry" ? [draft.data] : []));
  const fast = { baseDelayMs: 1, maxDelayMs: 2 };

  it("gives five retries in one series, each logged before its wait and before its resend, then gives up", async () => {
    await mount(ctx, retry, fast).settled();
    for (let n = 1; n <= 5; n++) assert.deepEqual(await fail(), { kind: "retry" });
    assert.deepEqual(await fail(), { kind: "fail" });
    assert.deepEqual(types(), Array.from({ length: 5 }, () => ["llm/retry", "llm/retry-started"]).flat());
    assert.deepEqual(
      retries().map((data) => data.retry),
      [1, 2, 3, 4, 5],
    );
    assert.equal(new Set(retries().map((data) => data.retryId)).size, 1);
  });

  it("another step, provider or agent starts a new count", async () => {
    await mount(ctx, retry, { ...fast, maxRetries: 1 }).settled();
    assert.deepEqual(await fail(), { kind: "retry" });
    assert.deepEqual(await fail({ agent: {} }), { kind: "retry" });
    assert.deepEqual(await fail({ step: 2 }), { kind: "retry" });
    assert.deepEqual(await fail({ step: 2, provider: "q" }), { kind: "retry" });
    assert.deepEqual(await fail({ step: 2, provider: "q" }), { kind: "fail" });
    assert.equal(new Set(retries().map((data) => data.retryId)).size, 4);
  });

  it("a cancel during the wait leaves no retry-started", async () => {
    await mount(ctx, retry, { baseDelayMs: 60_000, maxDelayMs: 60_000 }).settled();
    const abort = new AbortController();
    const logged = Promise.withResolvers<void>();
    const decision = fail({
      signal: abort.signal,
      append: (draft) => {
        log.push(draft);
        logged.resolve();
      },
    });
    await logged.promise;
    abort.abort();
    assert.deepEqual(await decision, { kind: "aborted" });
    assert.deepEqual(types(), ["llm/retry"]);
  });

  it("waits for the log before it waits for the clock", async () => {
    await mount(ctx, retry, fast).settled();
    const stored = Promise.withResolvers<void>();
    let ended = false;
    const decision = fail({
      append: (draft) => {
        log.push(draft);
        return stored.promise;
      },
    }).then((value) => {
      ended = true;
      return value;
    });
    await new Promise(setImmediate);
    assert.deepEqual([types(), ended], [["llm/retry"], false]);
    stored.resolve();
    assert.deepEqual(await decision, { kind: "retry" });
  });

  it("a repair by an inner listener goes first and is not counted", async () => {
    await mount(ctx, retry, { ...fast, mode: "always" }).settled();
    const repair = { name: "repair", apply: (own: Context) => void own.on("agent/request-error", async () => ({ kind: "retry" })) };
    await mount(ctx, repair).settled();
    assert.deepEqual(await fail({ failure: { code: "CONTEXT_WINDOW_EXCEEDED", message: "" } }), { kind: "retry" });
    assert.deepEqual(log, []);
  });

  it("the org's setting holds for the next failure, over the row, and its reset gives the row's value back", async () => {
    await mount(ctx, retry, { ...fast, maxRetries: 2 }).settled();
    const set = (value: Record<string, number>, revision: number) => stored.refresh([{ namespace: "llm-retry", value, revision }]);
    set({ maxRetries: 0 }, 1);
    assert.deepEqual(await fail(), { kind: "fail" });
    set({ maxRetries: 1 }, 2);
    assert.deepEqual([await fail(), await fail()], [{ kind: "retry" }, { kind: "fail" }]);
    set({}, 3);
    assert.deepEqual([await fail({ step: 2 }), await fail({ step: 2 })], [{ kind: "retry" }, { kind: "retry" }]);
    assert.deepEqual(await fail({ step: 2 }), { kind: "fail" });
  });

  it("AG-069 fails at once for AUTH, and for everything once it is unmounted", async () => {
    const handle = mount(ctx, retry, fast);
    await handle.settled();
    assert.deepEqual(await fail({ failure: { code: "AUTH", message: "no" } }), { kind: "fail" });
    await handle.dispose();
    assert.deepEqual(await fail(), { kind: "fail" });
    assert.deepEqual(log, []);
  });
});
