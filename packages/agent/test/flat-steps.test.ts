import assert from "node:assert/strict";
import { test } from "node:test";
import { type SessionEvent, toLosslessJson } from "@gantry/contracts";
import { defineTool } from "@gantry/tools";
import { z } from "zod";
import { testAgent } from "./support/agent.ts";

const steps = 200;

test("two hundred steps: each costs as many events, batches and written messages as the one before it, and a later holder writes each message once", async (t) => {
  const batches: { first: number; types: string[] }[] = [];
  const stringify = t.mock.method(JSON, "stringify");
  /** messages of conversations that became wire text so far: the log's own have an id, those of the wire have none */
  const isWritten = (value: unknown) =>
    typeof value === "object" && value !== null && "role" in value && !("id" in value) && value.role !== "system";
  const written = () => stringify.mock.calls.filter(({ arguments: [value] }) => isWritten(value)).length;
  const writtenAt: number[] = [];
  let asked = 0;
  const script = () => {
    asked += 1;
    writtenAt.push(written());
    return asked <= steps ? { toolCalls: [{ name: "count", arguments: { at: asked } }] } : { text: "done" };
  };
  const write = async ({ nextSeq, events }: { nextSeq: number; events: readonly SessionEvent[] }) => {
    batches.push({ first: nextSeq, types: events.map(({ type }) => type) });
  };
  const { agent, say } = await testAgent(t, { script, write });
  agent.ctx.tools.register(counting);
  say("go");
  await agent.whenIdle();

  const starts = agent.log.events.filter(({ type }) => type === "step/start").map(({ seq }) => seq);
  assert.equal(starts.length, steps + 1);
  // the first steps also log headers and the session's name
  const later = Array.from({ length: steps - 10 }, (_, index) => index + 9);
  const typesOf = (index: number) => agent.log.events.slice(starts[index], starts[index + 1]).map(({ type }) => type);
  // an answer that took this machine longer than the time of a run has one run more
  const settled = later.filter((index) => typesOf(index).filter((type) => type === "assistant/chunk").length === 1);
  assert.ok(settled.length > steps / 2, `${settled.length} steps came in one run`);
  for (const index of settled) assert.deepEqual(typesOf(index), typesOf(settled[0] as number), `step ${index + 1}`);
  const batchesOf = (index: number) =>
    batches.filter(({ first }) => first >= (starts[index] as number) && first < (starts[index + 1] as number)).map(({ types }) => types);
  for (const index of settled) assert.deepEqual(batchesOf(index), batchesOf(settled[0] as number), `step ${index + 1}`);
  for (const index of settled) assert.equal((writtenAt[index + 1] as number) - (writtenAt[index] as number), 2, `step ${index + 1}`);

  const before = written();
  const stored = toLosslessJson(agent.log.events) as unknown as SessionEvent[];
  const events = JSON.parse(JSON.stringify(stored)) as SessionEvent[];
  const next = await testAgent(t, { script: () => ({ text: "again" }), events });
  const size = next.agent.log.surface.messages().length;
  next.say("and now");
  await next.agent.whenIdle();
  next.say("and once more");
  await next.agent.whenIdle();
  const added = next.agent.log.surface.messages().length - size - 1; // the last answer is in no request
  assert.ok(written() - before <= size + added, "a loaded message is written once");
});

const counting = defineTool({
  name: "count",
  description: "counts",
  parameters: z.object({ at: z.number() }),
  output: z.object({ at: z.number() }),
  execute: async ({ at }) => ({ at }),
  render: ({ at }) => String(at),
});
