import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { mount } from "@gantry/kernel";
import { bySteps } from "@gantry/testing";
import { dataOf, resultText, testAgent } from "./support/agent.ts";

const guide = new URL("../../../docs/how-to/add-a-tool.md", import.meta.url);

test("the tool of the how-to is offered to the model, runs, and goes with its plugin", async (t) => {
  const example = /```ts\n([\s\S]*?)```/.exec(await readFile(guide, "utf8"))?.[1];
  assert.ok(example);
  const file = fileURLToPath(new URL(`./support/how-to-${randomUUID()}.ts`, import.meta.url));
  t.after(() => rm(file, { force: true }));
  await writeFile(file, example);
  const plugin = await import(file);

  const call = { toolCalls: [{ name: "word_count", arguments: { text: "one two  three" } }] };
  const { agent, say, model } = await testAgent(t, { script: bySteps(call, { text: "done" }) });
  const handle = mount(agent.ctx, plugin, {});
  await handle.settled();
  say("count");
  await agent.whenIdle();
  assert.equal(resultText(dataOf(agent, "tool/result")[0]?.message as never), "3 words");
  assert.deepEqual(
    model.requests[0]?.tools.map((tool) => tool.name),
    ["word_count"],
  );
  await handle.dispose();
  assert.deepEqual(agent.ctx.tools.schemas(agent), []);
});
