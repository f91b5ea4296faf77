import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Context, mount } from "../src/index.ts";
import { gate, inPlugin, testRoot } from "./support.ts";

describe("effects", () => {
  it("KN-001 undo steps of a plugin run last-registered first", async () => {
    const { ctx } = testRoot();
    const undone: string[] = [];
    const handle = await inPlugin(ctx, (own) => {
      for (const name of ["a", "b", "c"]) own.effect(() => () => undone.push(name), name);
    });
    assert.deepEqual(handle.effects(), ["a", "b", "c"]);
    await handle.dispose();
    assert.deepEqual(undone, ["c", "b", "a"]);
    assert.deepEqual(handle.effects(), []);
  });

  it("KN-002 asynchronous undo steps of one effect run one by one, those of separate effects overlap", async () => {
    const { ctx } = testRoot();
    const seen: string[] = [];
    const step = (name: string) => async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      await Promise.resolve();
      seen.push(`${name} ends`);
    };
    const one = await inPlugin(ctx, (own) => {
      own.effect(function* () {
        yield step("first");
        yield step("second");
      }, "one");
    });
    await one.dispose();
    assert.deepEqual(seen, ["second begins", "second ends", "first begins", "first ends"]);

    seen.length = 0;
    const separate = await inPlugin(ctx, (own) => {
      own.effect(() => step("first"), "first");
      own.effect(() => step("second"), "second");
    });
    await separate.dispose();
    assert.deepEqual(seen, ["second begins", "first begins", "second ends", "first ends"]);
  });

  it("KN-003 an undo step that throws does not stop the others, in its effect or beside it, and is reported once", async () => {
    const { ctx, errors } = testRoot();
    const undone: string[] = [];
    const handle = await inPlugin(ctx, (own) => {
      own.effect(() => () => undone.push("first"), "first");
      own.effect(function* () {
        yield () => undone.push("inner");
        yield async () => {
          throw new Error("async", { cause: new Error("deep") });
        };
        yield () => {
          throw new Error("sync");
        };
      }, "broken");
      own.effect(() => () => undone.push("last"), "last");
    });
    await handle.dispose();
    assert.deepEqual(undone.sort(), ["first", "inner", "last"]);
    assert.deepEqual(
      errors().map(({ fields }) => [fields.fiber, fields.label, fields.phase, (fields.err as Error).message]),
      [
        ["plugin", "broken", "undo", "sync"],
        ["plugin", "broken", "undo", "async"],
      ],
    );
  });

  it("KN-004 an effect registered from an undo step is refused and leaves nothing", async () => {
    const { ctx } = testRoot();
    let refused: unknown;
    let ran = false;
    const handle = await inPlugin(ctx, (own) => {
      own.effect(
        () => () => {
          try {
            own.effect(() => {
              ran = true;
              return () => {};
            }, "late");
          } catch (error) {
            refused = error;
          }
        },
        "early",
      );
    });
    await handle.dispose();
    assert.equal((refused as { code?: string }).code, "INACTIVE_EFFECT");
    assert.equal(ran, false);
    assert.deepEqual(handle.effects(), []);
  });

  it("KN-004 a plugin that waits for a service, or failed, takes no effect from what an earlier activation left running", async () => {
    const { ctx } = testRoot();
    const provider = await inPlugin(ctx, (own) => void own.provide("testShell", { kind: "local" }));
    const seen: Context[] = [];
    const waiting = await inPlugin(ctx, (own) => void seen.push(own), ["testShell"]);
    await provider.dispose();
    const failing = mount(ctx, {
      name: "failing",
      apply(own: Context) {
        seen.push(own);
        throw new Error("no start");
      },
    });
    await assert.rejects(failing.settled(), /no start/);
    assert.deepEqual([waiting.state, failing.state], ["pending", "failed"]);
    for (const own of seen) {
      assert.throws(() => own.effect(() => assert.fail("it ran"), "late"), { code: "INACTIVE_EFFECT" });
      assert.throws(() => own.on("test/ping", () => {}), { code: "INACTIVE_EFFECT" });
      assert.throws(() => mount(own, { name: "late", apply() {} }), { code: "INACTIVE_EFFECT" });
    }
    assert.deepEqual([waiting.effects(), failing.effects()], [[], []]);
  });

  it("KN-002 an undo step that answers with any thenable is waited for like a promise", async () => {
    const { ctx } = testRoot();
    const seen: string[] = [];
    const handle = await inPlugin(ctx, (own) => {
      own.effect(function* () {
        yield () => seen.push("then the next");
        // biome-ignore lint/suspicious/noThenProperty: queries of a database are such objects
        yield () => ({ then: (done: (pushed: number) => void) => setImmediate(() => done(seen.push("first"))) });
      }, "one");
    });
    await handle.dispose();
    assert.deepEqual(seen, ["first", "then the next"]);
  });

  it("KN-005 a setup that fails after two steps undoes both and leaves no wrapper", async () => {
    const { ctx } = testRoot();
    const undone: string[] = [];
    const handle = await inPlugin(ctx, (own) => {
      assert.throws(
        () =>
          own.effect(function* () {
            yield () => undone.push("one");
            yield () => undone.push("two");
            throw new Error("third");
          }, "failing"),
        /third/,
      );
    });
    assert.deepEqual(undone, ["two", "one"]);
    assert.deepEqual(handle.effects(), []);
  });

  it("KN-006 disposal during an asynchronous start: the start finishes, later effects are refused, earlier ones undone", async () => {
    const { ctx } = testRoot();
    const started = gate();
    const go = gate();
    const seen: string[] = [];
    const handle = mount(ctx, {
      name: "slow",
      async apply(own: Context) {
        own.effect(() => () => seen.push("early undone"), "early");
        started.resolve();
        await go.promise;
        seen.push("start goes on");
        assert.throws(() => own.effect(() => () => seen.push("never"), "late"), { code: "INACTIVE_EFFECT" });
      },
    });
    await started.promise;
    const done = handle.dispose();
    assert.deepEqual(seen, []);
    go.resolve();
    await done;
    assert.deepEqual(seen, ["start goes on", "early undone"]);
    assert.equal(handle.state, "disposed");
  });

  it("an effect whose asynchronous setup is still running when its owner unloads is undone right after the setup", async () => {
    const { ctx } = testRoot();
    const go = gate();
    const seen: string[] = [];
    const handle = await inPlugin(ctx, (own) => {
      void own.effect(async () => {
        await go.promise;
        seen.push("set up");
        return () => seen.push("undone");
      }, "slow setup");
    });
    const done = handle.dispose();
    go.resolve();
    await done;
    assert.deepEqual(seen, ["set up", "undone"]);
  });
});
