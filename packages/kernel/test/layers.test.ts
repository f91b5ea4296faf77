import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AnonymousEntries, type Context, createScope, NamedEntries, ScopedLayers } from "../src/index.ts";
import { inPlugin, testRoot } from "./support.ts";

const newTables = () => ({ tools: new NamedEntries<string>(), guards: new AnonymousEntries<string>() });
type Tables = ReturnType<typeof newTables>;

function stores(options: { create?: () => Tables; changed?: (key: object | undefined) => void } = {}) {
  const layers = new ScopedLayers<Tables>({ create: newTables, ...options });
  const tool = (ctx: Context, name: string, value: string) => layers.register(ctx, `tool ${name}`, ({ tools }) => tools.add(name, value));
  const guard = (ctx: Context, value: string) => layers.register(ctx, "guard", ({ guards }) => guards.add(value));
  const tools = (key?: object) => Object.fromEntries(layers.named(key, (layer) => layer.tools));
  const guards = (key?: object) => layers.anonymous(key, (layer) => layer.guards);
  return { layers, tool, guard, tools, guards };
}

describe("entries", () => {
  it("KN-032 equal anonymous values are separate registrations; undo is idempotent and exact", () => {
    const entries = new AnonymousEntries<string>();
    const undoFirst = entries.add("same");
    entries.add("other");
    entries.add("same");
    undoFirst();
    undoFirst();
    assert.deepEqual([...entries], ["other", "same"]);
    assert.equal(entries.size, 2);
  });

  it("KN-033 an undo kept from an earlier life does not remove a later entry of the same name", () => {
    const entries = new NamedEntries<string>();
    const stale = entries.add("read", "same value");
    stale();
    assert.equal(entries.size, 0);
    entries.add("read", "same value");
    stale();
    assert.equal(entries.get("read"), "same value");
  });

  it("a name is held once in a table, and prototype names are names", () => {
    const entries = new NamedEntries<string>();
    assert.equal(entries.get("constructor"), undefined);
    entries.add("constructor", "mine");
    assert.throws(() => entries.add("constructor", "again"), { code: "NAME_TAKEN", message: /constructor/ });
    assert.deepEqual([...entries], [["constructor", "mine"]]);
  });
});

describe("layers", () => {
  it("KN-033 an undo kept from an earlier life of a layer does not touch the layer of today", async () => {
    const { ctx } = testRoot();
    await inPlugin(ctx, async (own) => {
      const { layers, tool, tools } = stores();
      const stale = tool(own, "read", "old");
      await stale();
      assert.equal(layers.size, 0);
      tool(own, "read", "new");
      await stale();
      assert.deepEqual(tools(), { read: "new" });
      assert.equal(layers.size, 1);
    });
  });

  it("KN-034 a layer goes only when all its tables are empty; reads create none", async () => {
    const { ctx } = testRoot();
    await inPlugin(ctx, async (own) => {
      const { layers, tool, guard, tools, guards } = stores();
      const key = {};
      const scope = createScope(own, key);
      assert.deepEqual([tools(key), guards(key), layers.peek(key), layers.chain(key)], [{}, [], undefined, []]);
      assert.equal(layers.size, 0);
      const undoTool = tool(scope.ctx, "read", "mine");
      const undoGuard = guard(scope.ctx, "mine");
      assert.equal(layers.size, 1);
      await undoTool();
      assert.equal(layers.size, 1);
      await undoGuard();
      assert.equal(layers.size, 0);
    });
  });

  it("views merge global, ancestors and own, the nearest name winning; disposal restores the view", async () => {
    const { ctx } = testRoot();
    await inPlugin(ctx, async (own) => {
      const { layers, tool, guard, tools, guards } = stores();
      const [parent, child] = [{}, {}];
      const scopes = { parent: createScope(own, parent), child: createScope(own, child, { parent }) };
      tool(scopes.child.ctx, "read", "child");
      tool(scopes.parent.ctx, "read", "parent");
      tool(scopes.parent.ctx, "bash", "parent");
      tool(own, "bash", "global");
      tool(own, "write", "global");
      guard(scopes.child.ctx, "child");
      guard(own, "global");
      guard(scopes.parent.ctx, "parent");
      assert.deepEqual(tools(), { bash: "global", write: "global" });
      assert.deepEqual(tools(parent), { bash: "parent", write: "global", read: "parent" });
      assert.deepEqual(tools(child), { bash: "parent", write: "global", read: "child" });
      assert.deepEqual(guards(child), ["global", "parent", "child"]);
      await scopes.child.dispose();
      assert.deepEqual(tools(child), { bash: "parent", write: "global", read: "parent" });
      assert.equal(layers.peek(child), undefined);
      assert.equal(layers.size, 2);
    });
  });

  it("a cached reading is made once for each key, and anew after a registration, an undo and a move of a scope", async () => {
    const root = testRoot();
    const { layers, tool, tools } = stores();
    let made = 0;
    const read = layers.cached((key) => {
      made += 1;
      return tools(key);
    });
    const count = () => {
      const before = made;
      read();
      read();
      return made - before;
    };
    await inPlugin(root.ctx, async (ctx) => {
      tool(ctx, "a", "global");
      const [one, two] = [createScope(ctx, {}), createScope(ctx, {})];
      const child = createScope(ctx, {}, { parent: one.key });
      tool(one.ctx, "b", "one");
      const undo = tool(two.ctx, "b", "two");
      assert.deepEqual([read(), read(child.key), read(two.key)], [{ a: "global" }, { a: "global", b: "one" }, { a: "global", b: "two" }]);
      assert.equal(read(child.key), read(child.key));
      assert.equal(count(), 0);
      child.link?.relink(two.key);
      assert.deepEqual(read(child.key), { a: "global", b: "two" });
      await undo();
      assert.deepEqual(read(child.key), { a: "global" });
      assert.equal(count(), 1);
      assert.equal(count(), 0);
    });
  });

  it("KN-036 a factory that fails for a new layer leaves no layer behind; so does a refused entry", async () => {
    const { ctx } = testRoot();
    await inPlugin(ctx, (own) => {
      let fail = true;
      const { layers, tool } = stores({
        create: () => {
          if (fail) throw new Error("no tables");
          return newTables();
        },
      });
      assert.throws(() => tool(own, "read", "x"), /no tables/);
      assert.equal(layers.size, 0);
      fail = false;
      assert.throws(
        () =>
          layers.register(own, "bad", () => {
            throw new Error("refused");
          }),
        /refused/,
      );
      assert.equal(layers.size, 0);
      tool(own, "read", "x");
      assert.equal(layers.size, 1);
    });
  });

  it("a throwing change listener takes the registration back", async () => {
    const { ctx } = testRoot();
    const handle = await inPlugin(ctx, (own) => {
      const seen: unknown[] = [];
      const { layers, tool, tools } = stores({
        changed: (key) => {
          seen.push([key, tools(key)]);
          if ("bad" in tools(key)) throw new Error("listener");
        },
      });
      tool(own, "good", "x");
      assert.throws(() => tool(own, "bad", "x"), /listener/);
      assert.deepEqual(tools(), { good: "x" });
      assert.equal(layers.size, 1);
      assert.deepEqual(seen, [
        [undefined, { good: "x" }],
        [undefined, { good: "x", bad: "x" }],
      ]);
    });
    assert.deepEqual(handle.effects(), ["tool good"]);
  });
});
