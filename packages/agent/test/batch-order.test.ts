import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError } from "@gantry/contracts";
import { bySteps } from "@gantry/testing";
import { defineTool } from "@gantry/tools";
import { z } from "zod";
import type { Agent } from "../src/loop/agent.ts";
import { dataOf, gateTool, resultText, testAgent, types } from "./support/agent.ts";

const calls = (...names: string[]) => ({ toolCalls: names.map((name) => ({ name, arguments: {} })) });

/** A tool whose body settles after so many turns of the microtask queue. */
function tickTool(agent: Agent, name: string, ticks: number, parallel = false) {
  agent.ctx.tools.register(
    defineTool({
      name,
      description: "settles after some ticks",
      parameters: z.object({}),
      output: z.object({}),
      isConcurrencySafe: () => parallel,
      execute: async () => {
        for (let tick = 0; tick < ticks; tick++) await null;
        return {};
      },
      render: () => name,
    }),
  );
}

test("BAT-2 an exclusive call is alone through its post stage, whenever its body settles", async (t) => {
  for (let ticks = 0; ticks < 24; ticks++) {
    const { agent, say } = await testAgent(t, { script: bySteps(calls("alone", "p"), { text: "done" }) });
    tickTool(agent, "alone", ticks);
    tickTool(agent, "p", 0, true);
    agent.ctx.on("tools/post-execute", async (_execution, _settled, next) => {
      await new Promise(setImmediate);
      return next();
    });
    say("go");
    await agent.whenIdle();
    const order = types(agent).filter((type) => type === "tool/call" || type === "tool/result");
    assert.deepEqual(order, ["tool/call", "tool/result", "tool/call", "tool/result"], `${ticks} ticks`);
  }
});

test("BAT-7 when the log refuses a result, bodies that run are awaited before the turn ends with the error, and every call is closed", async (t) => {
  const { agent, say } = await testAgent(t, { script: bySteps(calls("first", "slow"), { text: "never" }) });
  const first = gateTool(agent, "first", { parallel: true });
  const slow = gateTool(agent, "slow", { parallel: true });
  const order: string[] = [];
  agent.ctx.on("session/event", ({ event }) => void (event.type === "turn/end" && order.push("turn/end")));
  agent.ctx.on("tools/execute", async (execution, _dispatch, next) => {
    const executed = await next();
    order.push(`${execution.name} settled`);
    return executed;
  });
  const append = agent.log.append.bind(agent.log);
  agent.log.append = (draft, ...rest) => {
    if (draft.type === "tool/result" && resultText(draft.data.message) === "first") {
      setTimeout(() => slow.finish(), 50);
      throw new AppError("SESSION_REJECTED_EVENT", "The log refused tool/result.");
    }
    return append(draft, ...rest);
  };
  say("go");
  await Promise.all([first.started, slow.started]);
  first.finish();
  await agent.whenIdle();
  assert.deepEqual(order, ["first settled", "slow settled", "turn/end"]);
  assert.equal(dataOf(agent, "turn/end")[0]?.reason.kind, "error");
  assert.deepEqual(
    dataOf(agent, "tool/result").map(({ error }) => error?.code),
    ["TOOL_OUTCOME_UNKNOWN", "TOOL_OUTCOME_UNKNOWN"],
  );
});
