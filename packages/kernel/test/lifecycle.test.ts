import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { audit, type Context, closeRoot, createRoot, describeAudit, type Handle, mount, provideManaged, quiesce } from "../src/index.ts";
import { gate, inPlugin, testRoot } from "./support.ts";

const provider = (kind: string) => ({ name: `shell-${kind}`, apply: (ctx: Context) => void ctx.provide("testShell", { kind }) });

describe("lifecycle", () => {
  it("KN-007 a plugin that disposes itself in its body ends disposed, without effects", async () => {
    const { ctx } = testRoot();
    const undone: string[] = [];
    let done: Promise<void> | undefined;
    const handle: Handle = mount(ctx, {
      name: "suicidal",
      apply(own: Context) {
        own.effect(() => () => undone.push("undone"), "effect");
        done = handle.dispose();
      },
    });
    await handle.settled();
    await done;
    assert.equal(handle.state, "disposed");
    assert.deepEqual(undone, ["undone"]);
    assert.deepEqual(handle.effects(), []);
  });

  it("KN-008 concurrent disposals wait for the same end, also when the parent began it", async () => {
    const { ctx } = testRoot();
    const go = gate();
    let child: Handle | undefined;
    const parent = await inPlugin(ctx, (own) => {
      child = mount(own, { name: "child", apply: (below: Context) => void below.effect(() => () => go.promise, "slow") });
    });
    await child?.settled();
    const ends: string[] = [];
    const calls = [
      parent.dispose().then(() => ends.push("parent")),
      child?.dispose().then(() => ends.push("child")),
      child?.dispose().then(() => ends.push("child again")),
    ];
    await new Promise(setImmediate);
    assert.deepEqual(ends, []);
    go.resolve();
    await Promise.all(calls);
    assert.deepEqual(ends.sort(), ["child", "child again", "parent"]);
  });

  it("KN-009 a hanging undo step rejects with FIBER_STUCK at the deadline and taints the root, once", async () => {
    const { ctx, root, lines } = testRoot();
    const go = gate();
    const handle = await inPlugin(ctx, (own) => void own.effect(() => () => go.promise, "hangs"));
    const other = handle.dispose();
    await assert.rejects(quiesce(handle, 5), { code: "FIBER_STUCK" });
    await assert.rejects(quiesce(handle, 5), { code: "FIBER_STUCK" });
    assert.match(String(root.taint), /plugin/);
    assert.equal(lines.filter((line) => line.message?.includes("tainted")).length, 1);
    go.resolve();
    await other;
    await quiesce(handle, 1000);
  });

  it("KN-009 the host is told of a tainted root also when the log cannot be written", async () => {
    const told: string[] = [];
    const boom = () => {
      throw new Error("the disk is full");
    };
    const logger = { debug: boom, info: boom, warn: boom, error: boom };
    const root = createRoot({ name: "test", logger, onTaint: (reason) => told.push(reason) });
    const handle = await inPlugin(root.ctx, (own) => void own.effect(() => () => new Promise(() => {}), "hangs"));
    await assert.rejects(quiesce(handle, 5), { code: "FIBER_STUCK" });
    assert.deepEqual(told, [root.taint]);
  });

  it("KN-011 a consumer waits for the asynchronous start of its provider", async () => {
    const { ctx } = testRoot();
    const go = gate();
    const consumer = mount(ctx, { name: "consumer", inject: ["testShell"], apply() {} });
    const slow = mount(ctx, {
      name: "slow",
      async apply(own: Context) {
        own.provide("testShell", { kind: "slow" });
        await go.promise;
      },
    });
    await new Promise(setImmediate);
    assert.deepEqual([slow.state, consumer.state], ["loading", "pending"]);
    go.resolve();
    const { usable } = await audit([consumer, slow]);
    assert.ok(usable);
    assert.equal(consumer.state, "active");
  });

  it("KN-012 another provider restarts the consumer exactly once, and no two activations overlap", async () => {
    const { ctx } = testRoot();
    const seen: string[] = [];
    const consumer = mount(ctx, {
      name: "consumer",
      inject: ["testShell"],
      apply(own: Context) {
        const { kind } = own.testShell;
        seen.push(`start ${kind}`);
        own.effect(
          () => async () => {
            await Promise.resolve();
            seen.push(`stop ${kind}`);
          },
          "life",
        );
      },
    });
    const first = mount(ctx, provider("local"));
    await audit([first, consumer]);
    await first.dispose();
    assert.equal(consumer.state, "pending");
    const second = mount(ctx, provider("dry"));
    await audit([second, consumer]);
    assert.equal(consumer.state, "active");
    assert.deepEqual(seen, ["start local", "stop local", "start dry"]);
  });

  it("KN-013 a consumer that failed tries again when its provider changes", async () => {
    const { ctx, errors } = testRoot();
    const consumer = mount(ctx, {
      name: "picky",
      inject: ["testShell"],
      apply(own: Context) {
        if (own.testShell.kind === "bad") throw new Error("not this one");
      },
    });
    const bad = mount(ctx, provider("bad"));
    await bad.settled();
    await assert.rejects(consumer.settled(), /not this one/);
    assert.equal(consumer.state, "failed");
    assert.deepEqual(
      errors().map(({ fields }) => [fields.fiber, fields.phase]),
      [["picky", "start"]],
    );
    await bad.dispose();
    const good = mount(ctx, provider("good"));
    await audit([good, consumer]);
    assert.equal(consumer.state, "active");
  });

  it("KN-014 a cycle and a self-dependency are reported as pending, with the names that are missing", async () => {
    const { ctx } = testRoot();
    const a = mount(ctx, { name: "a", inject: ["testShell"], apply: (own: Context) => void own.provide("testStore", { kind: "a" }) });
    const b = mount(ctx, { name: "b", inject: ["testStore"], apply: (own: Context) => void own.provide("testShell", { kind: "b" }) });
    const self = mount(ctx, {
      name: "self",
      inject: ["testShell", "testStore"],
      apply: (own: Context) => void own.provide("testStore", { kind: "self" }),
    });
    const report = await audit([a, b, self]);
    assert.equal(report.usable, false);
    assert.deepEqual(describeAudit(report), [
      "a: waiting for testShell",
      "b: waiting for testStore",
      "self: waiting for testShell, testStore",
    ]);
  });

  it("KN-014 the audit lists every failure with its own error, and a start that does not end", async () => {
    const { ctx } = testRoot();
    const go = gate();
    const fails = mount(ctx, { name: "fails", apply: () => Promise.reject(new Error("no disk")) });
    const hangs = mount(ctx, { name: "hangs", apply: () => go.promise });
    const config = mount(
      ctx,
      { name: "typed", Config: z.object({ port: z.number() }), apply() {} } as { apply(): void },
      { port: "x" } as never,
    );
    const report = await audit([fails, hangs, config], 10);
    assert.deepEqual(
      report.failed.map(({ handle, error }) => [handle.name, (error as { code?: string }).code]),
      [
        ["fails", undefined],
        ["hangs", "FIBER_STUCK"],
        ["typed", "BAD_CONFIG"],
      ],
    );
    assert.match(describeAudit(report)[2] ?? "", /port: /);
    go.resolve();
    await hangs.settled();
  });

  it("KN-014 the audit waits for what a row mounts below itself", async () => {
    const { ctx } = testRoot();
    const consumer = mount(ctx, { name: "consumer", inject: ["testShell"], apply() {} });
    const row = mount(ctx, {
      name: "row",
      apply(own: Context) {
        mount(own, {
          name: "below",
          async apply(below: Context) {
            await new Promise(setImmediate);
            below.provide("testShell", { kind: "late" });
          },
        });
      },
    });
    assert.equal((await audit([consumer, row])).usable, true);
  });

  it("KN-018 a child dies with its parent, and its failure does not fail the parent", async () => {
    const { ctx } = testRoot();
    const children: Handle[] = [];
    const parent = await inPlugin(ctx, (own) => {
      children.push(mount(own, { name: "good", apply() {} }));
      children.push(mount(own, { name: "bad", apply: () => Promise.reject(new Error("bad")) }));
    });
    await audit([parent]);
    assert.deepEqual([parent.state, ...children.map((child) => child.state)], ["active", "active", "failed"]);
    await parent.dispose();
    assert.deepEqual(
      children.map((child) => child.state),
      ["disposed", "disposed"],
    );
  });

  it("KN-023 after closing, mount and effect on the root fail with ROOT_SEALED", async () => {
    const { ctx, root } = testRoot();
    const undone: string[] = [];
    ctx.effect(() => () => undone.push("root effect"), "root effect");
    const handle = await inPlugin(ctx, (own) => void own.effect(() => () => undone.push("plugin"), "e"));
    await inPlugin(ctx, (own) => void own.effect(() => () => undone.push("later plugin"), "e"));
    const closing = closeRoot(root);
    assert.throws(() => mount(ctx, { name: "late", apply() {} }), { code: "ROOT_SEALED" });
    await Promise.all([closing, closeRoot(root)]);
    assert.deepEqual([root.phase, handle.state, root.taint], ["sealed", "disposed", null]);
    assert.deepEqual(undone, ["later plugin", "plugin", "root effect"]);
    assert.throws(() => mount(ctx, { name: "late", apply() {} }), { code: "ROOT_SEALED" });
    assert.throws(() => ctx.effect(() => () => {}, "late"), { code: "ROOT_SEALED" });
    assert.throws(() => ctx.on("test/ping", () => {}), { code: "ROOT_SEALED" });
  });

  it("KN-023 a root that cannot rest is sealed and tainted, and the others are disposed all the same", async () => {
    const { ctx, root } = testRoot();
    const go = gate();
    const hangs = await inPlugin(ctx, (own) => void own.effect(() => () => go.promise, "hangs"));
    const fine = await inPlugin(ctx);
    await assert.rejects(closeRoot(root, 10), { code: "FIBER_STUCK" });
    assert.deepEqual([root.phase, fine.state], ["sealed", "disposed"]);
    assert.notEqual(root.taint, null);
    go.resolve();
    await hangs.dispose();
  });

  it("KN-023 a sealed root refuses mount and effect of every plugin, also of one below a start that never ended", async () => {
    const { ctx, root } = testRoot();
    const go = gate();
    const below = Promise.withResolvers<Context>();
    const stuck = mount(ctx, {
      name: "stuck",
      apply(own: Context) {
        mount(own, { name: "below", apply: below.resolve });
        return go.promise;
      },
    });
    const child = await below.promise;
    await assert.rejects(closeRoot(root, 10), { code: "FIBER_STUCK" });
    assert.throws(() => child.effect(() => () => {}, "late"), { code: "ROOT_SEALED" });
    assert.throws(() => mount(child, { name: "late", apply() {} }), { code: "ROOT_SEALED" });
    go.resolve();
    await stuck.dispose();
  });

  it("a plugin is an object, a function or a class; its body gets the parsed config", async () => {
    const { ctx } = testRoot();
    const seen: unknown[] = [];
    const Config = z.object({ port: z.number().default(80) });
    await mount(ctx, {
      name: "object",
      Config,
      apply: (_own: Context, config: z.output<typeof Config>) => void seen.push(config),
    }).settled();
    await mount(ctx, (_own: Context, config: { port: number }) => void seen.push(config), { port: 1 }).settled();
    class Plain {
      constructor(_own: Context, config: { port: number }) {
        seen.push(config);
      }
    }
    await mount(ctx, Plain, { port: 2 }).settled();
    assert.deepEqual(seen, [{ port: 80 }, { port: 1 }, { port: 2 }]);
    const generator = mount(ctx, { name: "generator", *apply() {} } as unknown as { name: string; apply(): void });
    await assert.rejects(generator.settled(), { code: "BAD_PLUGIN" });
  });

  it("config is never changed in place, even by a plugin that reaches below the facade", async () => {
    const { ctx } = testRoot();
    await inPlugin(ctx, (own) => {
      const { fiber } = own as unknown as { fiber: { update(config: unknown): void; restart(): void } };
      assert.throws(() => fiber.update({}), { code: "BAD_PLUGIN" });
      assert.throws(() => fiber.restart(), { code: "BAD_PLUGIN" });
    });
  });

  it("KN-024 awaiting a handle does not loop, and the start is never synchronous", async () => {
    const { ctx } = testRoot();
    let started = false;
    const handle = mount(ctx, {
      name: "plugin",
      apply() {
        started = true;
      },
    });
    assert.equal(started, false);
    assert.equal(await handle, handle);
    await handle.settled();
    assert.equal(started, true);
  });

  it("provideManaged: the service is withdrawn, dependents flush, and only then the resource closes", async () => {
    for (const how of ["provider alone", "everything at once"] as const) {
      const { ctx, root } = testRoot();
      const seen: string[] = [];
      const owner = mount(ctx, {
        name: "owner",
        apply: async (own: Context) => {
          await provideManaged(
            own,
            "testStore",
            async () => ({ kind: "db" }),
            () => void seen.push("closed"),
          );
        },
      });
      const consumer = mount(ctx, {
        name: "consumer",
        inject: ["testStore"],
        apply: (own: Context) =>
          void own.effect(
            () => async () => {
              await new Promise(setImmediate);
              seen.push(`flushed to ${own.testStore.kind}`);
            },
            "flush",
          ),
      });
      assert.ok((await audit([owner, consumer])).usable);
      await (how === "provider alone" ? owner.dispose() : closeRoot(root));
      assert.deepEqual(seen, ["flushed to db", "closed"], how);
    }
  });

  it("provideManaged closes the resource again when the name is taken or the owner goes while it opens", async () => {
    const { ctx } = testRoot();
    await mount(ctx, provider("local")).settled();
    const closed: string[] = [];
    const taken = mount(ctx, {
      name: "taken",
      apply: async (own: Context) => {
        await provideManaged(
          own,
          "testShell",
          () => ({ kind: "second" }),
          ({ kind }) => void closed.push(kind),
        );
      },
    });
    await assert.rejects(taken.settled(), { code: "SERVICE_TAKEN" });
    const go = gate();
    const gone = mount(ctx, {
      name: "gone",
      apply: async (own: Context) => {
        const open = async () => {
          await go.promise;
          return { kind: "slow" };
        };
        await provideManaged(own, "testStore", open, ({ kind }) => void closed.push(kind));
      },
    });
    await new Promise(setImmediate);
    const done = gone.dispose();
    go.resolve();
    await done;
    assert.deepEqual(closed, ["second", "slow"]);
    assert.equal(ctx.get("testStore"), undefined);
  });
});
