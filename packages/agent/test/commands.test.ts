import assert from "node:assert/strict";
import { test } from "node:test";
import type { Agent } from "../src/loop/agent.ts";
import { applyCommand } from "../src/session/apply-command.ts";
import { recoverSession } from "../src/session/recover-session.ts";
import { dataOf, testAgent, types } from "./support/agent.ts";
import { logOf } from "./support/log.ts";

const never = new AbortController().signal;
const ok = () => ({ text: "ok" });
const service = (agent: Agent) => agent.ctx.get("commands") ?? assert.fail("no commands");
const run = (agent: Agent, name: string, more: object = {}, signal = never) =>
  service(agent).execute(agent, { commandId: `id-${name}`, name, args: "", ...more }, signal);
/** Registers for this agent only. */
const register = (agent: Agent, command: Parameters<ReturnType<typeof service>["register"]>[0]) => service(agent).register(command);
const commandEvents = (agent: Agent) =>
  agent.log.events.filter(({ type }) => type.startsWith("command/")).map(({ type, data }) => ({ type, ...data }));

test("CMD-2 a command is logged before and after, starts no turn and is not seen by the model", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: ok });
  register(agent, { name: "greet", description: "", run: ({ args, userId }) => ({ kind: "success", text: `hi ${args} from ${userId}` }) });
  assert.deepEqual(await run(agent, "greet", { args: "you", userId: "u" }), { kind: "success", text: "hi you from u" });
  assert.deepEqual(commandEvents(agent), [
    { type: "command/run", commandId: "id-greet", name: "greet", args: "you", userId: "u" },
    { type: "command/done", commandId: "id-greet", kind: "success", text: "hi you from u" },
  ]);
  assert.equal(dataOf(agent, "turn/start").length, 0);
  say("hello");
  await agent.whenIdle();
  assert.ok(!JSON.stringify(model.requests[0]?.body).includes("hi you"));
});

test("AG-124 a handler that throws is logged as begun and failed, and the throw rises", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  register(agent, {
    name: "broken",
    description: "",
    run: () => {
      throw new Error("no luck");
    },
  });
  await assert.rejects(run(agent, "broken"), /no luck/);
  assert.deepEqual(
    commandEvents(agent).map(({ type, ...data }) => [type, "kind" in data ? data.kind : null]),
    [
      ["command/run", null],
      ["command/done", "error"],
    ],
  );
});

test("AG-125 a file on a command that takes none ends it with an error before the handler", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  let calls = 0;
  const handler = { description: "", run: () => ({ kind: "success" as const, text: String(++calls) }) };
  register(agent, { name: "plain", ...handler });
  register(agent, { name: "filing", acceptsAttachments: true, ...handler });
  const attachments = [{ id: "a" }];
  assert.equal((await run(agent, "plain", { attachments }))?.kind, "error");
  assert.equal(calls, 0);
  assert.equal((await run(agent, "filing", { attachments }))?.kind, "success");
  assert.equal(dataOf(agent, "command/run").length, 2);
});

test("AG-125 a file that comes with a person's command reaches the one that takes it and ends the one that does not", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  const got: unknown[] = [];
  const handler = {
    description: "",
    run: ({ attachments }: { attachments?: unknown }) => {
      got.push(attachments);
      return { kind: "success" as const };
    },
  };
  register(agent, { name: "plain", ...handler });
  register(agent, { name: "filing", acceptsAttachments: true, ...handler });
  const image = { type: "image", attachmentId: "a", mediaType: "image/png", width: 1, height: 1 } as never;
  for (const name of ["plain", "filing"])
    applyCommand(agent, { kind: "command", commandId: name, name, args: "", attachments: [image], userId: "u" });
  await agent.whenIdle();
  assert.deepEqual(got, [[{ id: "a" }]]);
  assert.deepEqual(
    dataOf(agent, "command/done").map(({ commandId, kind }) => [commandId, kind]),
    [
      ["plain", "error"],
      ["filing", "success"],
    ],
  );
});

test("CMD-3 a command whose text another event owns is logged without it", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  register(agent, { name: "note", description: "", recordInput: false, run: () => ({ kind: "success" }) });
  await run(agent, "note", { args: "secret" });
  assert.ok(!JSON.stringify(agent.log.events).includes("secret"));
});

test("CMD-2 an abort ends a handler that hangs, as an error; a released session leaves the end to its next holder (C15)", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  const started = Promise.withResolvers<void>();
  const hang = () => {
    started.resolve();
    return new Promise<never>(() => {});
  };
  register(agent, { name: "hang", description: "", run: hang });
  const send = (commandId: string) => applyCommand(agent, { kind: "command", commandId, name: "hang", args: "", userId: "u" });
  send("one");
  await started.promise;
  agent.cancel("user");
  await agent.whenIdle();
  assert.deepEqual(
    dataOf(agent, "command/done").map(({ commandId, kind }) => [commandId, kind]),
    [["one", "error"]],
  );
  send("two");
  await agent.stop();
  assert.deepEqual(dataOf(agent, "command/done").length, 1);
  const events = structuredClone(agent.log.events) as typeof agent.log.events;
  const next = await testAgent(t, { script: ok, events });
  const options = { ended: never, stopAsked: never, dispatched: new Map() };
  await recoverSession(next.agent, options as never);
  await recoverSession(next.agent, options as never);
  assert.deepEqual(
    dataOf(next.agent, "command/done").map(({ commandId, kind }) => [commandId, kind]),
    [
      ["one", "error"],
      ["two", "error"],
    ],
  );
  assert.equal(types(next.agent).at(-1), "session/end-seed");
});

test("CMD-1 an unknown command is none: the registry logs nothing, and the holder tells the person so", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  assert.equal(await run(agent, "constructor"), undefined);
  assert.equal(agent.log.events.length, 0);
  const command = { kind: "command", commandId: "c", name: "nothing", args: "", userId: "u" } as const;
  applyCommand(agent, command);
  applyCommand(agent, command);
  await agent.whenIdle();
  assert.deepEqual(
    dataOf(agent, "command/done").map(({ kind, text }) => [kind, text]),
    [["error", "There is no command /nothing in this session."]],
  );
  for (const name of ["Goal", "/x", "a b", "-x", "1x", ""])
    assert.throws(() => register(agent, { name, description: "", run: () => ({ kind: "success" }) }), TypeError);
});

test("CMD-5 an agent's own command stands before the host's of that name; two in one layer are an error; both go with their owner", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  const say = (text: string) => ({ name: "who", description: text, run: () => ({ kind: "success" as const, text }) });
  let changes = 0;
  agent.ctx.on("commands/change", () => {
    changes += 1;
  });
  const undo = register(agent, say("mine"));
  assert.throws(() => register(agent, say("twin")), { code: "NAME_TAKEN" });
  assert.equal((await run(agent, "who"))?.text, "mine");
  assert.deepEqual(
    service(agent)
      .list(agent)
      .filter(({ name }) => name === "who")
      .map(({ description }) => description),
    ["mine"],
  );
  await undo();
  assert.equal(service(agent).find("who", agent), null);
  assert.equal(changes, 2);
});

test("a command that was cut off before anything else happened is closed at the next pickup", async (t) => {
  const events = logOf({ type: "command/run", data: { commandId: "c", name: "compact" } });
  const { agent } = await testAgent(t, { script: ok, events });
  await recoverSession(agent, { ended: never, stopAsked: never, dispatched: new Map() } as never);
  assert.deepEqual(types(agent), ["command/run", "command/done", "session/end-seed"]);
});
