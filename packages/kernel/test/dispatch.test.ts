import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Context } from "../src/index.ts";
import { inPlugin, testRoot } from "./support.ts";

describe("events", () => {
  it("KN-019 a listener added during a dispatch does not run in it; a removed one still does", async () => {
    const { ctx } = testRoot();
    const seen: string[] = [];
    ctx.on("test/ping", () => {
      seen.push("first");
      void stop();
      ctx.on("test/ping", () => seen.push("added"));
    });
    const stop = ctx.on("test/ping", () => seen.push("removed"));
    ctx.emit("test/ping", 1);
    assert.deepEqual(seen, ["first", "removed"]);
    ctx.emit("test/ping", 1);
    assert.deepEqual(seen, ["first", "removed", "first", "added"]);
  });

  it("KN-020 calling next twice throws, and inner policy cannot be skipped by it", async () => {
    const { ctx } = testRoot();
    let bodies = 0;
    const policy: string[] = [];
    await inPlugin(ctx, (own) => {
      own.on("test/wrap", (_input, next) => {
        next();
        return next();
      });
    });
    ctx.on("test/wrap", (input, next) => {
      policy.push(input);
      return next();
    });
    assert.throws(
      () =>
        ctx.waterfall("test/wrap", "x", () => {
          bodies += 1;
          return "body";
        }),
      { code: "NEXT_CALLED_TWICE", message: /<plugin>.*test\/wrap/ },
    );
    assert.deepEqual([bodies, policy], [1, ["x"]]);
  });

  it("emit contains each listener, synchronous or not, and reports it with plugin and event", async () => {
    const { ctx, errors, root } = testRoot();
    const seen: number[] = [];
    await inPlugin(ctx, (own) => {
      own.on("test/ping", () => {
        throw new Error("sync");
      });
      own.on("test/ping", async () => {
        throw new Error("async");
      });
      own.on("test/ping", (value) => seen.push(value));
    });
    ctx.emit("test/ping", 7);
    await new Promise(setImmediate);
    assert.deepEqual(seen, [7]);
    assert.deepEqual(
      errors().map(({ fields }) => [fields.fiber, fields.label, fields.phase, (fields.err as Error).message]),
      [
        ["plugin", "test/ping", "listener", "sync"],
        ["plugin", "test/ping", "listener", "async"],
      ],
    );
    assert.equal(root.errorCounts.get("Error"), 2);
  });

  it("KN-022 events named constructor and toString dispatch normally, and unheard ones do nothing", () => {
    const { ctx } = testRoot();
    const seen: number[] = [];
    ctx.emit("constructor", 1);
    ctx.on("constructor", (value) => seen.push(value));
    ctx.on("toString", (value) => seen.push(value));
    ctx.emit("constructor", 2);
    ctx.emit("toString", 3);
    assert.deepEqual(seen, [2, 3]);
  });

  it("waterfall: outermost first, prepend goes further out, silence short-circuits the built-in behaviour", () => {
    const { ctx } = testRoot();
    const wrap = (name: string) => (_input: string, next: () => string) => `${name}(${next()})`;
    ctx.on("test/wrap", wrap("a"));
    ctx.on("test/wrap", wrap("b"), { prepend: true });
    ctx.on("test/wrap", wrap("c"), { prepend: true });
    assert.equal(
      ctx.waterfall("test/wrap", "x", () => "body"),
      "c(b(a(body)))",
    );
    ctx.on("test/wrap", () => "denied");
    assert.equal(
      ctx.waterfall("test/wrap", "x", () => assert.fail("the body ran")),
      "c(b(a(denied)))",
    );
  });

  it("serial and bail answer with the first value that says something, and stop there", async () => {
    const { ctx } = testRoot();
    const asked: string[] = [];
    const answers = { none: undefined, nil: null, no: false, zero: 0, late: "late" };
    for (const [name, answer] of Object.entries(answers)) {
      ctx.on("test/ping", () => {
        asked.push(name);
        return answer;
      });
    }
    assert.equal(ctx.bail("test/ping", 1), 0);
    assert.equal(await ctx.serial("test/ping", 1), 0);
    assert.deepEqual(asked, ["none", "nil", "no", "zero", "none", "nil", "no", "zero"]);
  });

  it("parallel runs all listeners and throws one aggregate error; serial stops at the error", async () => {
    const { ctx } = testRoot();
    const seen: string[] = [];
    ctx.on("test/ping", async () => {
      throw new Error("one");
    });
    ctx.on("test/ping", () => {
      throw new Error("two");
    });
    ctx.on("test/ping", () => seen.push("ran"));
    await assert.rejects(ctx.parallel("test/ping", 1), (error: AggregateError) => error.errors.length === 2);
    assert.deepEqual(seen, ["ran"]);
    await assert.rejects(ctx.serial("test/ping", 1), /one/);
    assert.deepEqual(seen, ["ran"]);
  });

  it("KN-019 a dispatch from inside a dispatch has its own listeners; what listens once is called once by both", () => {
    const modes = { emit: (at: Context) => at.emit("test/ping", 2), bail: (at: Context) => at.bail("test/ping", 2) };
    for (const [mode, dispatch] of Object.entries(modes)) {
      const { ctx } = testRoot();
      const seen: string[] = [];
      let isInner = false;
      ctx.on("test/ping", () => {
        seen.push("on");
        if (isInner) return;
        isInner = true;
        dispatch(ctx);
      });
      ctx.once("test/ping", () => void seen.push("once"));
      dispatch(ctx);
      assert.deepEqual(seen, ["on", "on", "once"], mode);
    }
    const { ctx } = testRoot();
    let depth = 0;
    ctx.on("test/wrap", (input, next) => (depth++ > 0 ? next() : ctx.waterfall("test/wrap", input, () => "inner") + next()));
    ctx.once("test/wrap", (_input, next) => `once(${next()})`);
    assert.equal(
      ctx.waterfall("test/wrap", "x", () => "outer"),
      "once(inner)outer",
    );
  });

  it("KN-020 a next that is kept runs the rest late, once, and not at all after that", () => {
    const { ctx } = testRoot();
    let later: (() => string) | undefined;
    ctx.on("test/wrap", (_input, next) => {
      later = next;
      return "short";
    });
    assert.equal(
      ctx.waterfall("test/wrap", "x", () => "body"),
      "short",
    );
    assert.equal(later?.(), "body");
    assert.throws(() => later?.(), { code: "NEXT_CALLED_TWICE" });
  });

  it("a listener goes with its plugin; once listens once", async () => {
    const { ctx } = testRoot();
    const seen: string[] = [];
    const handle = await inPlugin(ctx, (own) => {
      own.on("test/ping", () => seen.push("on"));
      own.once("test/ping", () => seen.push("once"));
    });
    ctx.emit("test/ping", 1);
    ctx.emit("test/ping", 2);
    await handle.dispose();
    ctx.emit("test/ping", 3);
    assert.deepEqual(seen, ["on", "once", "on"]);
  });
});
