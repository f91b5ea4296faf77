import assert from "node:assert/strict";
import { it } from "node:test";
import { type Context, inspectRoot, mount } from "../src/index.ts";
import { inPlugin, testRoot } from "./support.ts";

it("a mounted plugin shows all it registered, and its disposal leaves the root as it was", async () => {
  const { ctx, root, errors } = testRoot();
  const before = inspectRoot(root);
  assert.deepEqual(before, { plugins: [], services: [], listeners: {} });
  const weather = mount(
    ctx,
    {
      name: "weather",
      apply(own: Context) {
        own.provide("testShell", { kind: "sky" });
        own.on("test/ping", () => {});
      },
    },
    undefined,
    { row: "row-7" },
  );
  await weather.settled();
  const { plugins, services, listeners } = inspectRoot(root);
  assert.deepEqual(
    plugins.map(({ name, row, state, effects }) => [name, row, state, effects.map((effect) => effect.label)]),
    [["weather", "row-7", "active", ['ctx.provide("testShell")', 'ctx.on("test/ping")']]],
  );
  assert.deepEqual(services, [{ name: "testShell", provider: "weather" }]);
  assert.deepEqual(listeners, { "test/ping": ["weather"] });
  await weather.dispose();
  assert.deepEqual(inspectRoot(root), before);

  mount(ctx, { name: "fails", apply: () => Promise.reject(new Error("no")) }, undefined, { row: "row-8" });
  await inPlugin(ctx);
  assert.deepEqual(
    errors().map(({ fields }) => [fields.fiber, fields.row, fields.phase]),
    [["fails", "row-8", "start"]],
  );
});

it("what a plugin logs carries its name; nothing is kept in a buffer", async () => {
  const { ctx, lines } = testRoot();
  await inPlugin(ctx, (own) => own.logger.info({ ms: 3 }, "started"));
  assert.deepEqual(lines, [{ level: "info", fields: { fiber: "plugin", ms: 3 }, message: "started" }]);
});

it("two roots share nothing", async () => {
  const [one, two] = [testRoot(), testRoot()];
  const heard: string[] = [];
  await inPlugin(one.ctx, (own) => {
    own.provide("testShell", { kind: "one" });
    own.on("test/ping", () => heard.push("one"));
  });
  two.ctx.emit("test/ping", 1);
  assert.equal(two.ctx.get("testShell"), undefined);
  await inPlugin(two.ctx, (own) => void own.provide("testShell", { kind: "two" }));
  assert.deepEqual([one.ctx.get("testShell")?.kind, two.ctx.get("testShell")?.kind, heard], ["one", "two", []]);
});
