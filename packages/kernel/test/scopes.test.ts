import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  bindScopeParent,
  type Context,
  createScope,
  declareScopedEvent,
  mount,
  type Scope,
  scopeChainOf,
  scopeOf,
  scopeTarget,
} from "../src/index.ts";
import { gate, inPlugin, type Subject, testRoot } from "./support.ts";

const subject = (id: string): Subject => ({ id });

async function inScopes(checks: boolean, body: (own: Context) => void | Promise<void>): Promise<void> {
  const { ctx } = testRoot({ checks });
  await inPlugin(ctx, async (own) => {
    declareScopedEvent(own, "test/scoped", (about) => about);
    await body(own);
  });
}

describe("scopes", () => {
  it("KN-027 the nearest tag wins, derived contexts inherit it, and a scope is usable before it is active", async () => {
    const { ctx } = testRoot();
    await inPlugin(ctx, async (own) => {
      const [outer, inner] = [subject("outer"), subject("inner")];
      assert.equal(scopeOf(own), undefined);
      const scope = createScope(own, outer);
      assert.notEqual(scope.handle.state, "active");
      const undone: string[] = [];
      scope.ctx.effect(() => () => undone.push("early"), "early");
      assert.equal(scopeOf(scope.ctx), outer);
      assert.equal(scopeOf(scope.ctx.isolate("testShell")), outer);
      const nested = createScope(scope.ctx, inner);
      assert.equal(scopeOf(nested.ctx), inner);
      let seen: object | undefined;
      const below = {
        name: "below",
        apply(ctx: Context) {
          seen = scopeOf(ctx);
        },
      };
      await mount(scope.ctx, below).settled();
      assert.equal(seen, outer);
      assert.equal(scopeOf(own), undefined);
      await scope.dispose();
      assert.deepEqual(undone, ["early"]);
      assert.equal(nested.handle.state, "disposed");
    });
  });

  it("KN-028 a parent is bound once, only the binder can move it, and both refuse cycles", () => {
    const [a, b, c] = [subject("a"), subject("b"), subject("c")];
    const link = bindScopeParent(b, a);
    assert.throws(() => bindScopeParent(b, c), { code: "SCOPE_BOUND" });
    assert.throws(() => bindScopeParent(a, a), { code: "SCOPE_CYCLE" });
    assert.throws(() => bindScopeParent(a, b), { code: "SCOPE_CYCLE" });
    bindScopeParent(c, b);
    assert.deepEqual(scopeChainOf(c), [c, b, a]);
    assert.throws(() => link.relink(c), { code: "SCOPE_CYCLE" });
    assert.deepEqual(scopeChainOf(c), [c, b, a]);
    const d = subject("d");
    link.relink(d);
    assert.deepEqual(scopeChainOf(c), [c, b, d]);
  });

  it("KN-028 a scope created with a parent holds the link; a refused parent leaves no scope", async () => {
    const { ctx } = testRoot();
    await inPlugin(ctx, (own) => {
      const [parent, child] = [subject("parent"), subject("child")];
      const scope = createScope(own, child, { parent });
      assert.deepEqual(scopeChainOf(child), [child, parent]);
      assert.throws(() => createScope(own, child, { parent }), { code: "SCOPE_BOUND" });
      const next = subject("next");
      scope.link?.relink(next);
      assert.deepEqual(scopeChainOf(child), [child, next]);
    });
  });

  for (const checks of [true, false]) {
    it(`KN-029 an ancestor hears a descendant's event, never the reverse, never a sibling's (checks ${checks})`, async () => {
      await inScopes(checks, (own) => {
        const keys = { parent: subject("parent"), child: subject("child"), sibling: subject("sibling") };
        const heard: string[] = [];
        const listen = (name: string, scope: Scope) => scope.ctx.on("test/scoped", () => heard.push(name));
        own.on("test/scoped", () => heard.push("untagged"));
        listen("parent", createScope(own, keys.parent));
        listen("child", createScope(own, keys.child, { parent: keys.parent }));
        listen("sibling", createScope(own, keys.sibling, { parent: keys.parent }));
        const dispatch = (key: Subject | undefined) => {
          heard.length = 0;
          own.emit(scopeTarget(key), "test/scoped", key);
          return [...heard];
        };
        assert.deepEqual(dispatch(keys.child), ["untagged", "parent", "child"]);
        assert.deepEqual(dispatch(keys.parent), ["untagged", "parent"]);
        assert.deepEqual(dispatch(undefined), ["untagged"]);
      });
    });
  }

  it("KN-031 a scoped dispatch without a carrier, or about another subject, fails where checks are on", async () => {
    await inScopes(true, (own) => {
      const [a, b] = [subject("a"), subject("b")];
      const heard: string[] = [];
      own.on("test/scoped", () => heard.push("heard"));
      const bare = own.emit as (name: string, about: Subject) => void;
      assert.throws(() => bare.call(own, "test/scoped", a), { code: "SCOPE_CARRIER" });
      assert.throws(() => own.emit(scopeTarget(a), "test/scoped", b), { code: "SCOPE_CARRIER" });
      assert.throws(() => own.emit(scopeTarget<Subject>(undefined), "test/scoped", b), { code: "SCOPE_CARRIER" });
      assert.deepEqual(heard, []);
      own.emit(scopeTarget(a), "test/scoped", a);
      assert.deepEqual(heard, ["heard"]);
    });
  });

  it("KN-031 without checks, a scoped dispatch that lost its carrier reaches nobody's scope", async () => {
    await inScopes(false, (own) => {
      const a = subject("a");
      const heard: string[] = [];
      own.on("test/scoped", () => heard.push("untagged"));
      createScope(own, a).ctx.on("test/scoped", () => heard.push("scoped"));
      (own.emit as (name: string, about: Subject) => void).call(own, "test/scoped", a);
      assert.deepEqual(heard, ["untagged"]);
    });
  });

  it("disposing a scope waits for what was registered through it; racing callers share one end", async () => {
    const { ctx } = testRoot();
    const go = gate();
    const ends: string[] = [];
    let scope: Scope | undefined;
    await inPlugin(ctx, (own) => {
      scope = createScope(own, {});
      scope.ctx.effect(() => () => go.promise, "slow");
    });
    const calls = [scope?.dispose().then(() => ends.push("first")), scope?.dispose().then(() => ends.push("second"))];
    await new Promise(setImmediate);
    assert.deepEqual(ends, []);
    go.resolve();
    await Promise.all(calls);
    assert.deepEqual(ends.sort(), ["first", "second"]);
  });

  it("a scope that an effect yields goes in that effect's order", async () => {
    const { ctx } = testRoot();
    const seen: string[] = [];
    const handle = await inPlugin(ctx, (own) => {
      own.effect(function* () {
        yield () => seen.push("after the scope");
        const scope = createScope(own, {});
        scope.ctx.effect(() => () => seen.push("scope"), "inside");
        yield scope.dispose;
        yield async () => {
          await new Promise(setImmediate);
          seen.push("before the scope");
        };
      }, "life");
    });
    await handle.dispose();
    assert.deepEqual(seen, ["before the scope", "scope", "after the scope"]);
  });
});
