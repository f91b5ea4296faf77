import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { toolResults } from "@gantry/testing";
import { defineTool } from "@gantry/tools";
import { z } from "zod";
import { dataOf, resultText, testAgent, textOf, types } from "./support/agent.ts";
import { testLog, userMessage } from "./support/log.ts";

const names = ["p1", "p2", "alone", "p3"];

/** A turn of two steps with a batch of parallel and exclusive calls, a notice, an injected and a queued message. */
async function busyAgent(t: TestContext) {
  const script = (request: Parameters<typeof toolResults>[0]) =>
    toolResults(request).length === 0 ? { text: "thinking", toolCalls: names.map((name) => ({ name, arguments: {} })) } : { text: "done" };
  const tested = await testAgent(t, { script });
  const { agent } = tested;
  const settled: string[] = [];
  for (const name of names)
    agent.ctx.tools.register(
      defineTool({
        name,
        description: "notes that it ran",
        parameters: z.object({}),
        output: z.object({}),
        isConcurrencySafe: () => name.startsWith("p"),
        execute: async (_args, run) => {
          await new Promise(setImmediate);
          if (name === "p1") agent.send(userMessage("injected"), "next-step", false);
          if (name === "p2") run.defer({ content: [{ type: "text", text: "a notice" }], source: { kind: "plugin", plugin: "test" } });
          settled.push(name);
          return {};
        },
        render: () => name,
      }),
    );
  const begin = () => {
    for (const text of ["go", "queued"]) agent.send(userMessage(text), "next-turn", false);
    agent.wake();
  };
  return { ...tested, settled, begin };
}

/** Whether a stop at it can be told from one at another: titles come when they like, and streamed text in as many runs as the machine needs. */
const isPlace = (type: string, nth: number) =>
  !type.startsWith("session/title") && type !== "agent/inbox/spliced" && !(type === "assistant/chunk" && nth > 0);

/** The events of a type are counted from 0. */
function counting() {
  const seen = new Map<string, number>();
  return (type: string) => {
    const nth = seen.get(type) ?? 0;
    seen.set(type, nth + 1);
    return nth;
  };
}

test("PHA-2 BAT-6 a stop at any event of a turn, at once or a moment later, with and without the queue, leaves a whole log and the right rest", async (t) => {
  const base = await busyAgent(t);
  base.begin();
  await base.agent.whenIdle();
  const firstTurn = types(base.agent).indexOf("turn/end");
  const count = counting();
  const places = types(base.agent)
    .slice(0, firstTurn)
    .map((type) => ({ type, nth: count(type) }))
    .filter(({ type, nth }) => isPlace(type, nth));
  assert.ok(places.length > 15);
  for (const place of places)
    for (const keepInbox of [false, true])
      for (const isLater of [false, true]) {
        const about = `${place.type} ${place.nth} keepInbox ${keepInbox} later ${isLater}`;
        const { agent, begin, model, settled } = await busyAgent(t);
        let requests = 0;
        const nthOf = counting();
        agent.ctx.on("session/event", ({ event }) => {
          if (nthOf(event.type) !== place.nth || event.type !== place.type) return;
          const stop = () => {
            requests = model.requests.length;
            agent.cancel("user", { keepInbox });
          };
          if (isLater) queueMicrotask(stop);
          else stop();
        });
        begin();
        await agent.whenIdle();
        const ends = dataOf(agent, "turn/end").map(({ reason }) => reason);
        assert.deepEqual(ends[0], { kind: "aborted", reason: "user" }, about);
        assert.equal(ends.length, 1, about);
        assert.ok(model.requests.length <= requests + 1, about); // the one that was on its way
        const calls = dataOf(agent, "tool/call").map(({ name }) => name);
        const results = dataOf(agent, "tool/result");
        assert.equal(calls.length, results.length, about);
        assert.deepEqual(calls, names.slice(0, calls.length), about);
        for (const [index, { message, error }] of results.entries()) {
          const ran = settled.includes(names[index] as string);
          if (!ran) assert.equal(error?.code, "ABORTED_BEFORE_DISPATCH", about);
          else assert.ok(error === undefined ? resultText(message) === names[index] : error.code === "ABORTED", about);
        }
        const waiting = [...agent.inbox.pending("next-step"), ...agent.inbox.pending("next-turn")].map(textOf);
        assert.equal(waiting.includes("queued"), keepInbox, about);
        testLog({ events: agent.log.events }); // loads again
      }
});
