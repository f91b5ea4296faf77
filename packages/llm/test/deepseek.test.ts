import assert from "node:assert/strict";
import { test } from "node:test";
import { startScriptedModel } from "@gantry/testing";
import { deepSeekAdapter } from "../src/providers/deepseek.ts";
import { openAiCompatibleAdapter } from "../src/providers/openai-compatible.ts";
import { collect, key, providerSuite, requestOf } from "./provider-suite.ts";

const adapterAt = ({
  baseUrl,
  idleTimeoutMs = 10_000,
  key: given = key,
}: {
  baseUrl: string;
  idleTimeoutMs?: number;
  key?: string | null;
}) =>
  deepSeekAdapter(
    { providerId: "1", slug: "p", baseUrl, models: ["deepseek-flash"], allowInsecure: true, idleTimeoutMs },
    { resolve: async () => given },
  );

providerSuite("deepseek adapter", adapterAt);

test("DSK-2 LLM-9 thinking is on and hard by default, switched off for side calls, and an effort it does not have is refused before sending", async (t) => {
  const server = await startScriptedModel(() => ({ text: "ok" }));
  t.after(() => server.close());
  const adapter = adapterAt({ baseUrl: server.url });
  await collect(adapter);
  assert.deepEqual([server.requests[0]?.body.thinking, server.requests[0]?.body.reasoning_effort], [{ type: "enabled" }, "high"]);
  await collect(adapter, requestOf({ purpose: "session-title" }));
  assert.deepEqual([server.requests[1]?.body.thinking, server.requests[1]?.body.reasoning_effort], [{ type: "disabled" }, undefined]);
  const { finish } = await collect(adapter, requestOf({ reasoningEffort: "medium" }));
  assert.equal(finish?.kind === "error" && finish.failure.code, "UNSUPPORTED_REASONING_EFFORT");
  assert.equal(server.requests.length, 2);
  const { contextWindow, maxTokens, efforts, defaultEffort } = adapter.resolve("deepseek-flash") ?? {};
  assert.deepEqual([contextWindow, maxTokens, efforts, defaultEffort], [1_000_000, 256_000, ["low", "high", "max"], "high"]);
});

test("DSK-6 the vendor is told whose request it is and that it is a summary; another server of the same wire is not", async (t) => {
  const server = await startScriptedModel(() => ({ text: "ok" }));
  t.after(() => server.close());
  const told = () =>
    Object.entries(server.requests.at(-1)?.headers ?? {}).filter(([name]) => name.startsWith("x-deepseek-") || name === "user-agent");
  await collect(adapterAt({ baseUrl: server.url }), requestOf({ sessionId: "s-1", userId: "u-1" }));
  assert.deepEqual(Object.fromEntries(told()), {
    "user-agent": "gantry",
    "x-deepseek-harness-session-id": "s-1",
    "x-deepseek-harness-user-id": "u-1",
  });
  await collect(adapterAt({ baseUrl: server.url }), requestOf({ purpose: "compaction" }));
  assert.equal(Object.fromEntries(told())["x-deepseek-harness-compact"], "1");
  const config = { providerId: "1", slug: "p", baseUrl: server.url, models: ["m"], allowInsecure: true, idleTimeoutMs: 10_000 };
  await collect(openAiCompatibleAdapter(config, { resolve: async () => key }), requestOf({ sessionId: "s-1", userId: "u-1" }));
  assert.deepEqual(told(), [["user-agent", "gantry"]]);
});
