import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { audit, type Context, createScope, type Handle, mount, Service } from "../src/index.ts";
import { gate, inPlugin, testRoot } from "./support.ts";

class Roster extends Service {
  readonly entries = new Set<string>();
  private notes = 0;
  constructor(ctx: Context) {
    super(ctx, "testRoster");
  }
  add(entry: string): void {
    this.notes += 1;
    this.ctx.effect(() => {
      this.entries.add(entry);
      return () => this.entries.delete(entry);
    }, `roster ${entry}`);
  }
  adopt(name: string): Handle {
    return mount(this.ctx, { name, inject: [], apply: (own: Context) => void own.testShell });
  }
  count(): number {
    return this.notes;
  }
}

declare module "@gantry/kernel" {
  interface Context {
    testRoster: Roster;
  }
}

describe("services", () => {
  it("a plugin that provides in a realm of its own serves those below it and nobody else, again after a restart", async () => {
    const { ctx } = testRoot();
    const seen: string[] = [];
    let life = 0;
    const source = mount(ctx, {
      name: "source",
      inject: ["testStore"],
      apply(own: Context) {
        life += 1;
        const apart = own.isolate("testShell");
        apart.provide("testShell", { kind: `life ${life}` });
        mount(apart, { name: "below", inject: ["testShell"], apply: (below: Context) => void seen.push(below.testShell.kind) });
      },
    });
    const outside = mount(ctx, { name: "outside", inject: ["testShell"], apply: () => assert.fail("it saw the service") });
    for (const round of [1, 2]) {
      const store = mount(ctx, { name: "store", apply: (own: Context) => void own.provide("testStore", { kind: "s" }) });
      await Promise.all([store.settled(), source.settled()]);
      await audit([source]);
      assert.equal(seen.length, round);
      await store.dispose();
    }
    assert.deepEqual([seen, outside.state, source.state], [["life 1", "life 2"], "pending", "pending"]);
  });

  it("KN-015 a second provider of a realm fails and names the holder; in another realm it succeeds", async () => {
    const { ctx } = testRoot();
    await mount(ctx, { name: "holder", apply: (own: Context) => void own.provide("testShell", { kind: "a" }) }).settled();
    const second = mount(ctx, { name: "second", apply: (own: Context) => void own.provide("testShell", { kind: "b" }) });
    await assert.rejects(second.settled(), { code: "SERVICE_TAKEN", message: /<holder>/ });
    const apart = ctx.isolate("testShell");
    const third = mount(apart, { name: "third", apply: (own: Context) => void own.provide("testShell", { kind: "c" }) });
    await third.settled();
    const seen: string[] = [];
    const look = (name: string) => ({ name, inject: ["testShell"], apply: (own: Context) => void seen.push(own.testShell.kind) });
    await mount(ctx, look("outside")).settled();
    await mount(apart, look("inside")).settled();
    assert.deepEqual(seen, ["a", "c"]);
  });

  it("KN-015 contexts isolated with one label share a realm, and a name of the kernel cannot be provided", async () => {
    const { ctx } = testRoot();
    const label = Symbol("shared");
    await inPlugin(ctx.isolate("testShell", label), (own) => void own.provide("testShell", { kind: "shared" }));
    assert.equal(ctx.isolate("testShell", label).get("testShell")?.kind, "shared");
    assert.equal(ctx.get("testShell"), undefined);
    await inPlugin(ctx, (own) => assert.throws(() => own.provide("logger" as never, {} as never), { code: "SERVICE_TAKEN" }));
  });

  it("KN-015 one label denotes one realm of each name: two services under it do not meet, in this root or another", async () => {
    for (const label of [Symbol("realm"), Symbol.for("gantry.test.realm")]) {
      for (const { ctx } of [testRoot(), testRoot()]) {
        const inner = ctx.isolate("testShell", label).isolate("testStore", label);
        const seen: string[] = [];
        await inPlugin(inner, (own) => void own.provide("testShell", { kind: "shell" }));
        const reader = mount(inner, {
          name: "reader",
          inject: ["testShell", "testStore"],
          apply: (own: Context) => void seen.push(own.testShell.kind, own.testStore.kind),
        });
        await reader.settled();
        assert.equal(reader.state, "pending");
        await inPlugin(ctx.isolate("testStore", label), (own) => void own.provide("testStore", { kind: "store" }));
        await reader.settled();
        assert.deepEqual([seen, ctx.get("testShell"), ctx.get("testStore")], [["shell", "store"], undefined, undefined]);
      }
    }
  });

  it("reading a service that is not injected fails by name; get answers undefined; both recover with inject", async () => {
    const { ctx } = testRoot();
    await inPlugin(ctx, (own) => {
      assert.throws(() => own.testShell, { code: "NOT_INJECTED", message: /"testShell".*<plugin>/ });
      assert.equal(own.get("testShell"), undefined);
    });
    await inPlugin(ctx, (own) => void own.provide("testShell", { kind: "here" }));
    await inPlugin(ctx, (own) => {
      assert.throws(() => own.testShell, { code: "NOT_INJECTED" });
      assert.equal(own.get("testShell")?.kind, "here");
    });
    await inPlugin(ctx, (own) => assert.equal(own.testShell.kind, "here"), ["testShell"]);
  });

  it("KN-015 inside a realm a plugin reads what it or a plugin above it holds there, and nothing of the realm outside", async () => {
    const { ctx } = testRoot();
    const look = (own: Context): string => {
      try {
        return own.testShell.kind;
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    const seen: Record<string, string> = {};
    await inPlugin(ctx, (own) => void own.provide("testShell", { kind: "outside" }));
    const apart = ctx.isolate("testShell");
    await inPlugin(apart, (own) => void own.provide("testShell", { kind: "inside" }));
    await inPlugin(
      apart,
      async (own) => {
        seen.own = look(own);
        await inPlugin(own, (below) => void Object.assign(seen, { below: look(below), isolatedBelow: look(below.isolate("testShell")) }));
        seen.scope = look(createScope(own, {}).ctx);
        seen.isolated = look(own.isolate("testShell"));
      },
      ["testShell"],
    );
    await inPlugin(ctx, async (own) => {
      const realm = own.isolate("testStore");
      realm.provide("testStore", { kind: "mine" });
      own.provide("testStore", { kind: "everybody's" });
      seen.provided = `${realm.testStore.kind}, ${own.testStore.kind}`;
      await inPlugin(realm, (below) => void Object.assign(seen, { providedAbove: below.testStore.kind }));
    });
    assert.deepEqual(seen, {
      own: "inside",
      below: "inside",
      isolatedBelow: "NOT_INJECTED",
      scope: "inside",
      isolated: "NOT_INJECTED",
      provided: "mine, everybody's",
      providedAbove: "mine",
    });
  });

  it("a provider may read its own service until it withdraws it, and may then provide again", async () => {
    const { ctx } = testRoot();
    await inPlugin(ctx, async (own) => {
      const withdraw = own.provide("testShell", { kind: "one" });
      assert.equal(own.testShell.kind, "one");
      await withdraw();
      assert.throws(() => own.testShell, { code: "NOT_INJECTED" });
      own.provide("testShell", { kind: "two" });
      assert.equal(own.testShell.kind, "two");
    });
    assert.equal(ctx.get("testShell")?.kind, "two");
  });

  it("KN-012 a provider that puts another service in the place of its own restarts a consumer that is starting (K-3, K-17)", async () => {
    const { ctx } = testRoot();
    const seen: string[] = [];
    const serve = (own: Context, kind: string) =>
      own.effect(async function* () {
        yield () => seen.push(`close ${kind}`);
        yield own.provide("testShell", { kind });
      }, kind);
    const turns = [gate(), gate()] as const;
    await inPlugin(ctx, async (own) => {
      const end = await serve(own, "one");
      void turns[0].promise.then(async () => {
        const ended = end();
        await serve(own, "two");
        turns[1].resolve();
        await ended;
      });
    });
    const consumer = mount(ctx, {
      name: "consumer",
      inject: ["testShell"],
      async apply(own: Context) {
        const { kind } = own.testShell;
        seen.push(`use ${kind}`);
        own.effect(() => () => seen.push(`leave ${kind}`), "use");
        turns[0].resolve();
        await turns[1].promise;
      },
    });
    await consumer.settled();
    assert.deepEqual([seen.filter((what) => what !== "use two"), seen.includes("use two")], [["use one", "leave one", "close one"], true]);
    assert.equal(consumer.state, "active");
  });

  it("a plugin goes on with what it injects when it provides the same name in a realm for its children (K-3, K-22)", async () => {
    const { ctx } = testRoot();
    await inPlugin(ctx, (own) => void own.provide("testShell", { kind: "outer" }));
    const seen: (string | undefined)[] = [];
    const read = (own: Context) => void seen.push(own.testShell.kind);
    const parent = mount(ctx, {
      name: "parent",
      inject: ["testShell"],
      apply(own: Context) {
        const inner = own.isolate("testShell");
        inner.provide("testShell", { kind: "inner" });
        mount(inner, { name: "child", inject: ["testShell"], apply: read });
        mount(own, { name: "sibling", inject: ["testShell"], apply: read });
        read(own);
        own.effect(() => () => read(own), "last");
      },
    });
    await audit([parent]);
    await parent.dispose();
    assert.deepEqual(seen.toSorted(), ["inner", "outer", "outer", "outer"]);
  });

  it("K-17 a provider waits for a user that meanwhile provides the same name itself, and the user never sees that inside", async () => {
    const { ctx } = testRoot();
    const seen: string[] = [];
    const provider = mount(ctx, {
      name: "provider",
      apply: (own: Context) =>
        void own.effect(function* () {
          yield () => seen.push("closed");
          yield own.provide("testShell", { kind: "first" });
        }, "shell"),
    });
    const begun = gate();
    const withdrawn = gate();
    const user = mount(ctx, {
      name: "user",
      inject: ["testShell"],
      async apply(own: Context) {
        own.effect(() => () => seen.push(`left ${own.testShell.kind}`), "use");
        begun.resolve();
        await withdrawn.promise;
        own.provide("testShell", { kind: "second" });
      },
    });
    await begun.promise;
    const disposed = provider.dispose();
    while (ctx.get("testShell") !== undefined) await new Promise(setImmediate);
    withdrawn.resolve();
    await disposed;
    await user.settled();
    assert.deepEqual([seen, user.state], [["left first", "closed"], "pending"]);
  });

  it("KN-017 a service called through two contexts registers into each caller's plugin", async () => {
    const { ctx } = testRoot();
    await mount(ctx, Roster).settled();
    const one = await inPlugin(ctx, (own) => own.testRoster.add("one"), ["testRoster"]);
    const two = await inPlugin(ctx, (own) => own.testRoster.add("two"), ["testRoster"]);
    const roster = ctx.get("testRoster");
    assert.deepEqual([one.effects(), two.effects()], [["roster one"], ["roster two"]]);
    assert.deepEqual([...(roster?.entries ?? [])], ["one", "two"]);
    assert.equal(roster?.count(), 2);
    await one.dispose();
    assert.deepEqual([...(roster?.entries ?? [])], ["two"]);
  });

  it("KN-017 a child that a service mounts for its caller reads the caller's services, not the service's", async () => {
    const { ctx } = testRoot();
    await mount(ctx, Roster).settled();
    await inPlugin(ctx, (own) => void own.provide("testShell", { kind: "callers" }));
    let child: Handle | undefined;
    const adopt = (own: Context) => {
      child = own.testRoster.adopt("child");
    };
    const caller = await inPlugin(ctx, adopt, ["testRoster", "testShell"]);
    await child?.settled();
    assert.equal(child?.state, "active");
    await caller.dispose();
    assert.equal(child?.state, "disposed");
  });

  it("a scope inherits what its minting plugin injects", async () => {
    const { ctx } = testRoot();
    await mount(ctx, Roster).settled();
    const roster = ctx.get("testRoster");
    await inPlugin(
      ctx,
      async (own) => {
        const scope = createScope(own, {});
        scope.ctx.testRoster.add("scoped");
        assert.ok(roster?.entries.has("scoped"));
        await scope.dispose();
        assert.ok(!roster?.entries.has("scoped"));
      },
      ["testRoster"],
    );
  });
});
