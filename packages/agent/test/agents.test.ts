import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Context, createRoot, type Handle, mount, scopeOf } from "@gantry/kernel";
import type { AgentFactory, AgentRequest, LiveAgent } from "../src/agents/agent.ts";
import * as agents from "../src/agents/index.ts";

class TestAgent implements LiveAgent {
  readonly sessionId: string;
  readonly seen: string[] = [];
  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }
  start(): void {
    this.seen.push("start");
  }
  stop(): void {
    this.seen.push("stop");
  }
}

const building = (build: (request: AgentRequest) => LiveAgent): AgentFactory => ({ create: build, resume: build });
const loopOf = (factory: AgentFactory) => ({
  name: "loop",
  inject: ["agents"],
  apply: (ctx: Context) => void ctx.agents.setFactory(factory),
});

/** A root with the registry and a loop, a context to call from, and the announcements heard so far. */
async function world(build: (request: AgentRequest) => LiveAgent = ({ sessionId }) => new TestAgent(sessionId)) {
  const quiet = () => {};
  const root = createRoot({ name: "test", logger: { debug: quiet, info: quiet, warn: quiet, error: quiet } });
  await mount(root.ctx, agents).settled();
  const loop = mount(root.ctx, loopOf(building(build)));
  await loop.settled();
  const heard: string[] = [];
  root.ctx.on("agents/created", (agent) => void heard.push(`created ${agent.sessionId}`));
  root.ctx.on("agents/disposed", (agent) => void heard.push(`disposed ${agent.sessionId}`));
  const caller = await plugin(root.ctx);
  return { root, loop, heard, caller };
}

async function plugin(ctx: Context): Promise<{ own: Context; handle: Handle }> {
  const { promise, resolve } = Promise.withResolvers<Context>();
  const handle = mount(ctx, { name: "caller", inject: ["agents"], apply: (own: Context) => resolve(own) });
  return { own: await promise, handle };
}

describe("agents", () => {
  it("KN-065 a second factory is refused, the slot is cleared with its owner, and an empty slot says what is needed", async () => {
    const { root, loop, caller } = await world();
    const second = mount(root.ctx, loopOf(building(() => assert.fail("the second factory was used"))));
    await assert.rejects(second.settled(), { code: "AGENT_FACTORY_TAKEN" });
    const first = await caller.own.agents.create({ sessionId: "s1" });
    assert.deepEqual(caller.own.agents.list(), [first]);
    await loop.dispose();
    assert.deepEqual(caller.own.agents.list(), []);
    await assert.rejects(caller.own.agents.create({ sessionId: "s2" }), { code: "NO_AGENT_FACTORY", message: /loop/ });
    await assert.rejects(caller.own.agents.resume({ sessionId: "s2" }), { code: "NO_AGENT_FACTORY" });
  });

  it("AG-035 without a loop, with a second one, and after the loop is gone the errors say exactly what is the matter", async () => {
    const none = { code: "NO_AGENT_FACTORY", message: "no agent factory registered (load an agent-loop plugin)" };
    const { root, loop, caller } = await world();
    const second = mount(root.ctx, loopOf(building(() => assert.fail("the second factory was used"))));
    await assert.rejects(second.settled(), { message: "an agent factory is already registered" });
    await loop.dispose();
    await assert.rejects(caller.own.agents.create({ sessionId: "s" }), none);
    await mount(root.ctx, loopOf(building(() => assert.fail("made and gone")))).dispose();
    await assert.rejects(caller.own.agents.resume({ sessionId: "s" }), none);
  });

  it("KN-065 the caller's plugin owns the agent, and the loop's unload takes it too: stop, announce, then undo", async () => {
    for (const who of ["caller", "loop"] as const) {
      const { root, loop, heard, caller } = await world();
      const undone: string[] = [];
      const agent = (await caller.own.agents.create({
        sessionId: "s1",
        setup(ctx, { agent: own }) {
          assert.equal(scopeOf(ctx), own);
          ctx.effect(() => () => undone.push(`undone after ${(own as TestAgent).seen.join()}, ${heard.join()}`), "own");
        },
      })) as TestAgent;
      assert.deepEqual(agent.seen, ["start"]);
      assert.equal(root.ctx.agents.find("s1"), agent);
      await (who === "caller" ? caller.handle : loop).dispose();
      assert.deepEqual(undone, ["undone after start,stop, created s1,disposed s1"]);
      assert.equal(root.ctx.agents.find("s1"), null);
      if (who === "loop") assert.deepEqual(caller.handle.effects(), []);
    }
  });

  it("KN-066 a failure of the factory, setup or commit publishes nothing and leaves nothing", async () => {
    const { loop, heard, caller } = await world(({ sessionId }) => {
      if (sessionId === "no-factory") throw new Error("factory");
      return new TestAgent(sessionId);
    });
    const undone: string[] = [];
    const setup: AgentRequest["setup"] = (ctx) => void ctx.effect(() => () => undone.push("undone"), "own");
    const failing = (what: string) => () => {
      assert.deepEqual(caller.own.agents.list(), []);
      throw new Error(what);
    };
    const baseline = [loop.effects(), caller.handle.effects()];
    await assert.rejects(caller.own.agents.create({ sessionId: "no-factory" }), /factory/);
    await assert.rejects(caller.own.agents.create({ sessionId: "s1", setup: failing("setup") }), /setup/);
    await assert.rejects(caller.own.agents.create({ sessionId: "s1", setup, commit: failing("commit") }), /commit/);
    assert.deepEqual([heard, undone, caller.own.agents.list()], [[], ["undone"], []]);
    assert.deepEqual([loop.effects(), caller.handle.effects()], baseline);
    await caller.own.agents.create({ sessionId: "s1" });
    assert.deepEqual(heard, ["created s1"]);
  });

  it("KN-066 the owner's or the loop's disposal during setup aborts it, waits for it and publishes nothing", async () => {
    for (const who of ["caller", "loop"] as const) {
      const { loop, heard, caller } = await world();
      const order: string[] = [];
      const inSetup = Promise.withResolvers<void>();
      const creation = caller.own.agents.create({
        sessionId: "s1",
        async setup(_ctx, { signal }) {
          inSetup.resolve();
          await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
          await new Promise(setImmediate);
          order.push("setup ended");
        },
      });
      const refused = assert.rejects(creation, { code: "AGENT_OWNER_GONE" });
      await inSetup.promise;
      await (who === "caller" ? caller.handle : loop).dispose();
      order.push("disposed");
      await refused;
      assert.deepEqual([order, heard], [["setup ended", "disposed"], []]);
    }
  });

  it("KN-067 a throwing creation listener takes the creation back and is paired with one disposal notice", async () => {
    const { root, heard, caller } = await world();
    const stop = root.ctx.on("agents/created", () => {
      throw new Error("not this one");
    });
    await assert.rejects(caller.own.agents.create({ sessionId: "s1" }), AggregateError);
    assert.deepEqual(heard, ["created s1", "disposed s1"]);
    assert.deepEqual(caller.own.agents.list(), []);
    await stop();
    await caller.own.agents.create({ sessionId: "s1" });
  });

  it("KN-067 a start that fails is taken back and paired with a disposal notice", async () => {
    const { heard, caller } = await world(({ sessionId }) => ({ sessionId, start: () => Promise.reject(new Error("no start")) }));
    await assert.rejects(caller.own.agents.create({ sessionId: "s1" }), /no start/);
    assert.deepEqual(heard, ["created s1", "disposed s1"]);
  });

  it("KN-067 an agent of another session is refused, and so is a second agent of a live session", async () => {
    const { heard, caller } = await world(({ sessionId }) => new TestAgent(sessionId === "asked" ? "other" : sessionId));
    await assert.rejects(caller.own.agents.create({ sessionId: "asked" }), { code: "AGENT_MISMATCH" });
    await caller.own.agents.create({ sessionId: "s1" });
    await assert.rejects(caller.own.agents.resume({ sessionId: "s1" }), { code: "NAME_TAKEN" });
    assert.deepEqual(heard, ["created s1"]);
    await Promise.all([caller.own.agents.dispose("s1"), caller.own.agents.dispose("s1")]);
    assert.deepEqual(heard, ["created s1", "disposed s1"]);
  });

  it("an agent hears its own announcements, its ancestors' scopes hear them too, and attribution follows asynchronous calls", async () => {
    const { caller } = await world();
    const { own } = caller;
    const heard: string[] = [];
    const parent = await own.agents.create({
      sessionId: "parent",
      setup: (ctx) => void ctx.on("agents/created", ({ sessionId }) => void heard.push(`parent hears ${sessionId}`)),
    });
    await own.agents.create({ sessionId: "stranger" });
    await own.agents.create({
      sessionId: "child",
      parentScope: parent,
      setup: (ctx) => void ctx.on("agents/created", ({ sessionId }) => void heard.push(`child hears ${sessionId}`)),
    });
    assert.deepEqual(heard, ["parent hears parent", "parent hears child", "child hears child"]);
    const initiator = await own.agents.initiatedBy(parent, async () => {
      await Promise.resolve();
      return own.agents.initiator();
    });
    assert.equal(initiator, parent);
    assert.equal(own.agents.initiator(), undefined);
  });
});
