import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { audit, type Context, describeAudit, mount, type Plugin, quiesce } from "../src/index.ts";
import { gate, inPlugin, testRoot } from "./support.ts";

const refuse = (): never => {
  throw new Error("this refuses to be looked at");
};
const hidden = (member: string): Error => Object.defineProperty(new Error("a failure"), member, { get: refuse });
/** What code may throw besides an error: every one of them has to end as one failure that can be told. */
const oddities: readonly (readonly [string, make: () => unknown, told: RegExp])[] = [
  ["undefined", () => undefined, /^p: undefined$/],
  ["null", () => null, /^p: null$/],
  ["an empty text", () => "", /^p: an empty text$/],
  ["false", () => false, /^p: false$/],
  ["a text", () => "out of paper", /^p: out of paper$/],
  ["a symbol", () => Symbol("paper"), /^p: Symbol\(paper\)$/],
  ["an object without a prototype", () => Object.create(null), /^p: .*cannot be read/],
  ["an object with a message", () => ({ message: "out of paper" }), /^p: out of paper$/],
  ["an error without a message", () => new RangeError(), /^p: RangeError$/],
  ["a frozen error", () => Object.freeze(new Error("cold")), /^p: cold$/],
  ["an error that hides its code", () => hidden("code"), /^p: a failure$/],
  ["an error that hides its message", () => hidden("message"), /^p: .*cannot be read/],
  ["an error that hides its stack", () => hidden("stack"), /^p: a failure$/],
  ["a proxy that refuses everything", () => new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse }), /^p: .*cannot be read/],
];

describe("what is thrown", () => {
  for (const [what, make, told] of oddities) {
    it(`a start that throws ${what} is one failed plugin, told in words, and undone (K-4, F-3)`, async () => {
      const { ctx, errors } = testRoot();
      let undone = 0;
      const apply = async (own: Context) => {
        own.effect(() => () => void undone++, "before");
        await null;
        throw make();
      };
      const handle = mount(ctx, { name: "p", apply });
      const found = await audit([handle]);
      assert.match(describeAudit(found).join("; "), told);
      assert.deepEqual([handle.state, undone, errors().length], ["failed", 1, 1]);
      await assert.rejects(handle.settled());
      await handle.dispose();
      assert.equal(handle.state, "disposed");
    });

    it(`KN-003 an undo step that throws ${what} stops no other and is reported once`, async () => {
      const { ctx, errors } = testRoot();
      const undone: string[] = [];
      const handle = await inPlugin(ctx, (own) => {
        own.effect(() => () => undone.push("first"), "first");
        own.effect(function* () {
          yield () => undone.push("inner");
          yield () => {
            throw make();
          };
        }, "broken");
      });
      await handle.dispose();
      assert.deepEqual(undone.toSorted(), ["first", "inner"]);
      assert.equal(errors().length, 1);
      assert.ok(errors()[0]?.fields.err instanceof Error, "the log gets an error that it can print");
    });

    it(`a listener that throws ${what} keeps no other from hearing (2.5)`, async () => {
      const { ctx, errors } = testRoot();
      let heard = 0;
      await inPlugin(ctx, (own) => {
        own.on("test/ping", () => {
          throw make();
        });
        own.on("test/ping", () => Promise.reject(make()));
        own.on("test/ping", () => void heard++);
      });
      ctx.emit("test/ping", 1);
      await new Promise(setImmediate);
      assert.deepEqual([heard, errors().length], [1, 2]);
    });
  }

  it("a plugin that is none is refused by its code, whatever it is", async () => {
    const { ctx } = testRoot();
    for (const none of [null, undefined, 5, "x", {}, { apply: 5 }, { name: "x", inject: "tools", apply() {} }]) {
      assert.throws(() => mount(ctx, none as unknown as Plugin, undefined), { code: "BAD_PLUGIN" });
    }
  });

  it("KN-009 a host whose listener fails does not hide what would not rest", async () => {
    const { ctx, errors } = testRoot({ onTaint: refuse });
    const never = gate();
    const handle = await inPlugin(ctx, (own) => void own.effect(() => () => never.promise, "stuck"));
    await assert.rejects(quiesce(handle, 1), { code: "FIBER_STUCK" });
    assert.equal(errors().length, 0);
    never.resolve();
    await handle.dispose();
  });
});
