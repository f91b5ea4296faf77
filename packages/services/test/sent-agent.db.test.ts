import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventDraft } from "@gantry/contracts";
import { getSentAgent } from "../src/session/get-sent-agent.ts";
import { openWorld } from "./support.ts";
import { writeLog } from "./write-log.ts";

const world = await openWorld();
const config = { provider: "scripted", model: "test-model" };
const tool = (name: string) => ({ name, description: `Does ${name}.`, parameters: { type: "object" } });
const header = (system: string, ...tools: string[]): EventDraft => ({
  type: "request/header",
  data: { header: { config, system, tools: tools.map(tool) }, reason: "change" },
});

test("a session tells the system text and the tools that its model was given last, and nothing before the first request", async () => {
  const tenant = await world.createTenant();
  const ctx = world.contextOf(tenant);
  const input = { org: tenant.slug, sessionId: tenant.sessionId };
  assert.equal(await getSentAgent(ctx, input), null);
  await writeLog(tenant, [header("You review.", "read", "bash"), header("You review and never run.", "read")]);
  const sent = await getSentAgent(ctx, input);
  assert.deepEqual([sent?.system, sent?.tools], ["You review and never run.", [{ name: "read", description: "Does read." }]]);
  assert.deepEqual(sent?.config, config);
});

test("another organisation learns nothing of it", async () => {
  const [ours, theirs] = [await world.createTenant(), await world.createTenant()];
  await writeLog(theirs, [header("Secret.", "read")]);
  const input = { org: ours.slug, sessionId: theirs.sessionId };
  await assert.rejects(getSentAgent(world.contextOf(ours), input), { code: "NOT_FOUND" });
});
