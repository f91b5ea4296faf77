import assert from "node:assert/strict";
import { test } from "node:test";
import { randomOf } from "@gantry/testing/random";
import { defineTool } from "@gantry/tools";
import { z } from "zod";
import { dataOf, testAgent } from "./support/agent.ts";
import { testLog, userMessage } from "./support/log.ts";

type Sent = { readonly id: string; readonly target: "next-turn" | "next-step" };
const most = 14;

test("AG-042 AG-192 INB-4 whenever messages are sent, each enters once, in the order of its list, a follow-up with a turn of its own", async (t) => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = randomOf(seed);
    const script = () => (random() < 0.5 ? { toolCalls: [{ name: "work", arguments: {} }] } : { text: "said" });
    const { agent } = await testAgent(t, { script });
    const sent: Sent[] = [];
    const sometimes = (chance = 0.35) => {
      if (random() > chance || sent.length >= most) return;
      const target = random() < 0.5 ? "next-turn" : "next-step";
      const id = `${sent.length}`;
      sent.push({ id, target });
      agent.send(userMessage(id), target, true);
    };
    agent.ctx.tools.register(
      defineTool({
        name: "work",
        description: "works, and meanwhile somebody writes",
        parameters: z.object({}),
        output: z.object({}),
        execute: async () => {
          sometimes();
          await new Promise(setImmediate);
          sometimes();
          return {};
        },
        render: () => "done",
      }),
    );
    agent.ctx.on("agent/pre-step", async (_input, next) => {
      sometimes();
      const decision = await next();
      sometimes();
      return decision;
    });
    agent.ctx.on("agent/request", (_input, next) => {
      sometimes();
      return next();
    });
    agent.ctx.on("agent/turn-stopping", () => sometimes());
    agent.ctx.on("agent/status", () => sometimes(0.8));
    agent.ctx.on("session/event", () => queueMicrotask(() => sometimes(0.05)));
    sometimes(1);
    await agent.whenIdle();

    const about = `seed ${seed}`;
    const entered = agent.log.events.flatMap((event) =>
      event.type === "user/message" && event.data.source.kind === "user" ? [event] : [],
    );
    const ids = entered.map(({ data }) => data.id);
    assert.deepEqual([...ids].sort(), sent.map(({ id }) => id).sort(), about);
    for (const target of ["next-turn", "next-step"] as const) {
      const own = sent.filter((one) => one.target === target).map(({ id }) => id);
      assert.deepEqual(
        ids.filter((id) => own.includes(id)),
        own,
        `${about} ${target}`,
      );
    }
    const starts = agent.log.events.flatMap((event) => (event.type === "turn/start" ? [event.seq] : []));
    const followUps = starts.map((from, turn) => {
      const to = starts[turn + 1] ?? Number.POSITIVE_INFINITY;
      return entered.filter(
        ({ seq, data }) => seq > from && seq < to && sent.some((one) => one.id === data.id && one.target === "next-turn"),
      ).length;
    });
    assert.ok(
      followUps.every((count) => count <= 1),
      `${about}: ${followUps}`,
    );
    assert.ok(agent.inbox.isEmpty && dataOf(agent, "turn/end").every(({ reason }) => reason.kind === "completed"), about);
    testLog({ events: agent.log.events }); // loads again
  }
});
