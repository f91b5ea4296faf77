import assert from "node:assert/strict";
import { it } from "node:test";
import {
  audit,
  type Context,
  createScope,
  describeAudit,
  mount,
  onServiceProvided,
  type ProvidedService,
  serviceIn,
} from "../src/index.ts";
import { gate, inPlugin, testRoot } from "./support.ts";

const provider = (kind: string) => ({ name: kind, apply: (ctx: Context) => void ctx.provide("testShell", { kind }) });

async function ownerOf(ctx: Context): Promise<Context> {
  let own: Context | undefined;
  await inPlugin(ctx, (given) => {
    own = given;
  });
  return own as Context;
}

it("a watcher hears of each service below a scope, at once and late, with its row and whether its realm is private", async () => {
  const { ctx, errors } = testRoot();
  const owner = await ownerOf(ctx);
  const [scope, other] = [createScope(owner, {}), createScope(owner, {})];
  const heard: ProvidedService[] = [];
  const stop = onServiceProvided(owner, scope.handle, (service) => void heard.push(service));
  const late = gate();
  const parent = {
    name: "parent",
    async apply(own: Context) {
      await mount(own.isolate("testShell"), provider("inner")).settled();
      own.effect(() => {
        const provided = late.promise.then(() => own.provide("testStore", { kind: "late" }));
        return () => provided;
      }, "late");
    },
  };
  await mount(scope.ctx, parent, undefined, { row: "group/row" }).settled();
  await mount(other.ctx, provider("elsewhere")).settled();
  const inner = { name: "testShell", provider: "inner", row: "group/row", isPrivate: true };
  assert.deepEqual(heard, [inner]);
  late.resolve();
  await late.promise;
  await Promise.resolve();
  const leaked = { name: "testStore", provider: "parent", row: "group/row", isPrivate: false };
  assert.deepEqual(heard, [inner, leaked]);

  await stop();
  await mount(scope.ctx.isolate("testShell"), provider("unheard")).settled();
  assert.equal(heard.length, 2);
  assert.deepEqual(errors(), []);
});

it("a watcher that throws is reported and stops neither the provider nor another watcher", async () => {
  const { ctx, errors } = testRoot();
  const owner = await ownerOf(ctx);
  const scope = createScope(owner, {});
  const heard: string[] = [];
  onServiceProvided(owner, scope.handle, () => {
    throw new Error("no ears");
  });
  onServiceProvided(scope.ctx, scope.handle, ({ name }) => void heard.push(name));
  await mount(scope.ctx, provider("one")).settled();
  assert.deepEqual([ctx.get("testShell")?.kind, heard, errors().length], ["one", ["testShell"], 1]);
});

it("KN-097 a service is found by the plugin it stands below, whatever its realm, while its provider is active", async () => {
  const { ctx } = testRoot();
  const owner = await ownerOf(ctx);
  const [one, two, none] = [createScope(owner, {}), createScope(owner, {}), createScope(owner, {})];
  await mount(one.ctx.isolate("testShell"), provider("one")).settled();
  await mount(two.ctx.isolate("testShell"), provider("two")).settled();
  const kinds = () => [one, two, none].map(({ handle }) => serviceIn(handle, "testShell")?.kind);
  assert.deepEqual(kinds(), ["one", "two", undefined]);
  const starting = gate();
  mount(none.ctx.isolate("testShell"), {
    name: "three",
    apply(own: Context) {
      own.provide("testShell", { kind: "three" });
      return starting.promise;
    },
  });
  await one.dispose();
  assert.deepEqual(kinds(), [undefined, "two", undefined]);
  starting.resolve();
  await none.handle.settled();
});

it("a mounted instance waits for the services it was told to, besides the plugin's own, and says so", async () => {
  const { ctx } = testRoot();
  const seen: string[] = [];
  const consumer = { name: "consumer", inject: ["testShell"], apply: (own: Context) => void seen.push(own.testStore.kind) };
  const handle = mount(ctx, consumer, undefined, { inject: ["testStore", "testShell"] });
  await mount(ctx, provider("shell")).settled();
  assert.deepEqual(describeAudit(await audit([handle])), ["consumer: waiting for testStore"]);
  ctx.provide("testStore", { kind: "store" });
  await handle.settled();
  assert.deepEqual(seen, ["store"]);
});
