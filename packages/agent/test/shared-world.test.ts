import assert from "node:assert/strict";
import { test } from "node:test";
import type { World } from "@gantry/sandbox";
import { testAgent } from "./support/agent.ts";

test("whoever gives up waiting for a world ends only their own wait: the start goes on and serves the next who asks", async (t) => {
  const start = Promise.withResolvers<World>();
  let starts = 0;
  const world = () => {
    starts += 1;
    return start.promise;
  };
  const { agent } = await testAgent(t, { script: () => ({ text: "" }), world });
  const stop = new AbortController();
  const impatient = agent.world(stop.signal);
  stop.abort(new Error("not needed any more"));
  await assert.rejects(impatient, /not needed any more/);
  const patient = agent.world(new AbortController().signal);
  const running = { isOpen: true, closed: new Promise(() => {}) } as unknown as World;
  start.resolve(running);
  assert.equal(await patient, running);
  assert.equal(await agent.world(), running);
  assert.equal(starts, 1);
});

test("CP-19 a world that has ended takes only the calls along that were in it: the next starts another, whenever the reason of the end is told", async (t) => {
  const told = Promise.withResolvers<{ reason: string }>();
  const ended = { isOpen: true, closed: told.promise };
  const next = { isOpen: true, closed: new Promise(() => {}) };
  const starts = [ended, next];
  const { agent } = await testAgent(t, { script: () => ({ text: "" }), world: async () => starts.shift() as unknown as World });
  assert.equal(await agent.world(), ended);
  ended.isOpen = false;
  assert.equal(agent.isWorldUp, false);
  assert.equal(await agent.world(), next);
  told.resolve({ reason: "its first process ended with status 137" });
  await told.promise;
  assert.equal(await agent.world(), next);
  assert.equal(agent.isWorldUp, true);
});
