import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEvent, type SessionEvent } from "@gantry/contracts";
import { inOrder, type Reply } from "@gantry/testing";
import { dataOf, testAgent, textOf } from "./support/agent.ts";
import { testLog } from "./support/log.ts";

const nested = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`;
const call = (args: object | string = {}, name = "unknown_tool") => ({ name, arguments: args });
/** Text pieces as a server sends them, so that what they hold is not made sound on the way. */
const raw = (...deltas: object[]): Reply => ({
  rawData: [...deltas, {}].map((delta, at) =>
    JSON.stringify({ choices: [{ delta, finish_reason: at === deltas.length ? "stop" : null }] }),
  ),
});

const odd: Record<string, Reply> = {
  "two hundred calls": { toolCalls: Array.from({ length: 200 }, (_, at) => call({ at })) },
  "one id for all calls": { toolCalls: [1, 2, 3].map((at) => ({ ...call({ at }), id: "same" })) },
  "an id like a member of every object": {
    toolCalls: [
      { ...call(), id: "__proto__" },
      { ...call(), id: "constructor" },
    ],
  },
  "a tool like a member of every object": { toolCalls: [call({}, "__proto__"), call({}, "constructor"), call({}, "toString")] },
  "arguments of two megabytes": { toolCalls: [call({ text: "x".repeat(2_000_000) })], chunkSize: 50_000 },
  "arguments that are no JSON": { toolCalls: [call('{"half": '), call("[1]"), call("null"), call(""), call('{"a":1e999}')] },
  "arguments that nest without end": { toolCalls: [call(nested)], chunkSize: 5_000 },
  "arguments with NUL, half a character and __proto__": { toolCalls: [call('{"__proto__":{"admin":true},"a":"\\u0000\\ud83d"}')] },
  "text with NUL and half a character": raw({ content: "a\0b\ud83d" }, { content: "c\udc00" }),
  "nothing at all": {},
  "thinking alone": { reasoning: "hm" },
};

for (const [name, reply] of Object.entries(odd))
  test(`SES-28 a model that answers with ${name} leaves a log that loads again, one result a call, and a session that goes on`, async (t) => {
    const host = { "llm-retry": { baseDelayMs: 1, maxDelayMs: 2 } };
    const { agent, say, model } = await testAgent(t, { script: inOrder(reply, { text: "went on" }), host });
    say("go");
    await agent.whenIdle();
    if (!model.requests[1]) say("again");
    await agent.whenIdle();
    const answers = dataOf(agent, "assistant/message");
    assert.equal(textOf(answers.at(-1)?.message as never), "went on");
    const calls = answers.flatMap(({ message }) => message.content.flatMap((block) => (block.type === "tool-call" ? [block.id] : [])));
    const results = dataOf(agent, "tool/result").flatMap(({ message }) =>
      message.content.flatMap((block) => (block.type === "tool-result" ? [block.toolCallId] : [])),
    );
    assert.deepEqual(results, calls);
    assert.equal(new Set(calls).size, reply.toolCalls?.length ?? 0);
    const stored = agent.log.events.map((event) => parseEvent(JSON.parse(JSON.stringify(event))));
    const { log } = testLog({ events: stored as SessionEvent[] });
    assert.deepEqual(log.surface.messages(), agent.log.surface.messages());
    assert.equal(log.turn, 0);
  });
