import assert from "node:assert/strict";
import { test } from "node:test";
import { dataOf, testAgent, textOf, until } from "./support/agent.ts";

type Agent = Awaited<ReturnType<typeof testAgent>>["agent"];
const rows: [] = [];
const facts = (agent: Agent) =>
  dataOf(agent, "user/message")
    .filter(({ source }) => source.kind === "plugin" && source.plugin === "system-prompt")
    .map(textOf);
const turns = (agent: Agent, count: number) => until(() => dataOf(agent, "turn/end").length === count, `${count} turns`);

/** An agent that is told nothing but what the test says. */
async function open(t: Parameters<typeof testAgent>[0]) {
  const opened = await testAgent(t, { script: () => ({ text: "ok" }), rows });
  let told = 0;
  const say = async () => {
    opened.say(`message ${++told}`);
    await turns(opened.agent, told);
  };
  return { ...opened, say };
}

test("AG-210 the end of all facts is said once, and only after there were some", async (t) => {
  const { agent, say } = await open(t);
  const mute = agent.ctx.systemPrompt.suppressRuntimeContext();
  await say();
  assert.deepEqual(facts(agent), [], "nothing before, nothing now");
  await mute();
  await say();
  assert.equal(facts(agent).length, 1);
  const again = agent.ctx.systemPrompt.suppressRuntimeContext();
  await say();
  await say();
  assert.equal(facts(agent).length, 2);
  assert.match(facts(agent)[1] ?? "", /no longer apply/);
  await again();
  await say();
  assert.equal(facts(agent).length, 3, "and when there are facts again, they are told again");
  assert.equal(facts(agent)[2], facts(agent)[0]);
});

test("AG-210 another plugin's message, and the clearing of another's, change nothing", async (t) => {
  const { agent, say } = await open(t);
  await say();
  const source = { kind: "plugin", plugin: "somebody", form: "snapshot" } as const;
  agent.inbox.push("next-step", { id: "other", role: "user", content: [{ type: "text", text: "Facts of another." }], source });
  await say();
  assert.equal(facts(agent).length, 1);
});

test("AG-079 a fact that changes between turns is one new message before the next request; unchanged ones are not repeated", async (t) => {
  const { agent, model, say } = await open(t);
  let mode = "calm";
  const undo = agent.ctx.systemPrompt.context({ name: "mode", order: 1, text: () => `The mode is ${mode}.` });
  await say();
  await say();
  assert.equal(facts(agent).length, 1);
  mode = "storm";
  await say();
  assert.equal(facts(agent).length, 2);
  const sent = JSON.stringify(model.requests.at(-1)?.messages);
  assert.ok(sent.includes("The mode is storm.") && sent.includes("They replace every earlier list"));
  await undo();
});
