import assert from "node:assert/strict";
import { test } from "node:test";
import { randomOf } from "@gantry/testing/random";
import { dataOf, gateTool, testAgent } from "./support/agent.ts";
import { testLog, userMessage } from "./support/log.ts";

test("PHA-1 PHA-2 sends, wakes and stops at any moment: each message has one fate, and a wish after the last stop is served", async (t) => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = randomOf(seed);
    const script = () => (random() < 0.4 ? { toolCalls: [{ name: "work", arguments: {} }] } : { text: "said" });
    const { agent } = await testAgent(t, { script });
    gateTool(agent, "work").finish();
    const fates = new Map<string, string[]>();
    const note = (id: string, fate: string) => fates.get(id)?.push(fate);
    agent.ctx.on("agent/inbox/discarded", ({ message }) => note(message.id, "dropped"));
    agent.ctx.on("agent/inbox/claimed", ({ message }) => note(message.id, "claimed"));
    const act = () => {
      const roll = random();
      if (roll < 0.55 && fates.size < 20) {
        const id = `${fates.size}`;
        fates.set(id, []);
        agent.send(userMessage(id), random() < 0.5 ? "next-turn" : "next-step", random() < 0.8);
      } else if (roll < 0.75) agent.cancel("user", { keepInbox: random() < 0.6 });
      else if (roll < 0.85) agent.wake();
    };
    let left = 60;
    agent.ctx.on("session/event", () => {
      if (left-- > 0 && random() < 0.5) queueMicrotask(act);
    });
    agent.send(userMessage("start"), "next-turn", true);
    for (let round = 0; round < 25; round++) {
      act();
      await new Promise(setImmediate);
    }
    await agent.whenIdle();
    left = 0;
    const about = `seed ${seed}`;
    agent.send(userMessage("last"), "next-turn", true);
    await agent.whenIdle();
    const entered = dataOf(agent, "user/message").map(({ id }) => id);
    assert.equal(new Set(entered).size, entered.length, about);
    assert.ok(entered.includes("last"), `${about}: a wish after all stops is served`);
    const waiting = [...agent.inbox.pending("next-step"), ...agent.inbox.pending("next-turn")];
    assert.deepEqual(waiting, [], `${about}: turns that complete take all that waits`);
    for (const [id, fate] of fates) assert.equal(fate.length, 1, `${about}: ${id} ${fate}`);
    assert.equal(dataOf(agent, "turn/start").length, dataOf(agent, "turn/end").length, about);
    testLog({ events: agent.log.events }); // loads again
  }
});
