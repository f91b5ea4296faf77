/** Figures of the kernel through its facade: `node --expose-gc infra/bench/kernel.ts`. Times are of this machine, now; compare, do not quote. */
import assert from "node:assert/strict";
import {
  AnonymousEntries,
  type Context,
  closeRoot,
  createRoot,
  createScope,
  type Handle,
  mount,
  NamedEntries,
  type Scoped,
  ScopedLayers,
  scopeTarget,
} from "@gantry/kernel";

declare module "@gantry/kernel" {
  interface Context {
    benchA: { readonly n: number };
    benchB: { readonly n: number };
  }
  interface Events {
    /** emit */
    "bench/emit"(n: number): void;
    /** waterfall */
    "bench/wrap"(n: number, next: () => Promise<number>): Promise<number>;
    /** waterfall, scope-filtered by the key */
    "bench/scoped"(this: Scoped, key: object, next: () => Promise<number>): Promise<number>;
  }
}

const silent = () => {};
const logger = { debug: silent, info: silent, warn: silent, error: silent };
const newRoot = () => createRoot({ name: "bench", logger, checks: false });
const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const show = (measure: string, figure: string) => console.log(`${measure.padEnd(52)} ${figure}`);

async function took(work: () => unknown): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
const ms = (value: number) => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`;
const perSecond = (count: number, milliseconds: number) => `${Math.round((count / milliseconds) * 1000).toLocaleString("en")} /s`;

/** Bytes in use after a full collection, or null where the collector is not exposed. */
function heap(): number | null {
  if (!globalThis.gc) return null;
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
const grown = (from: number | null, to: number | null, per = 1) =>
  from === null || to === null ? "run with --expose-gc" : `${((to - from) / per / 1024).toFixed(1)} KB`;

async function inPlugin(ctx: Context, body: (own: Context) => unknown, inject: string[] = []): Promise<Handle> {
  const handle = mount(ctx, {
    name: "bench",
    inject,
    async apply(own: Context) {
      await body(own);
    },
  });
  await handle.settled();
  return handle;
}

async function mountMany(label: string, count: number, make: (ctx: Context) => Handle): Promise<void> {
  const root = newRoot();
  root.ctx.provide("benchA", { n: 1 });
  root.ctx.provide("benchB", { n: 2 });
  let handles: Handle[] = [];
  const up = await took(async () => {
    handles = times(count).map(() => make(root.ctx));
    await Promise.all(handles.map((handle) => handle.settled()));
  });
  const down = await took(() => Promise.all(handles.map((handle) => handle.dispose())));
  show(label, `${ms(up)} / ${ms(down)}`);
  await closeRoot(root);
}

async function scopes(label: string, count: number, fill: (ctx: Context, index: number) => void): Promise<void> {
  const root = newRoot();
  await inPlugin(root.ctx, async (own) => {
    const before = heap();
    let made: { dispose(): Promise<void> }[] = [];
    const up = await took(async () => {
      const all = times(count).map((index) => {
        const scope = createScope(own, { index });
        fill(scope.ctx, index);
        return scope;
      });
      await Promise.all(all.map((scope) => scope.handle.settled()));
      made = all;
    });
    const full = heap();
    const down = await took(() => Promise.all(made.map((scope) => scope.dispose())));
    made = [];
    show(label, `${ms(up)} / ${ms(down)} · ${grown(before, full, count)} each · left ${grown(before, heap())}`);
  });
  await closeRoot(root);
}

async function dispatches(): Promise<void> {
  const root = newRoot();
  let sum = 0;
  for (const _ of times(50)) {
    root.ctx.on("bench/emit", (n) => {
      sum += n;
    });
    root.ctx.on("bench/wrap", async (_n, next) => next());
  }
  const emits = await took(() => times(20_000).forEach(() => void root.ctx.emit("bench/emit", 1)));
  assert.equal(sum, 50 * 20_000);
  show("emit, 50 listeners", perSecond(20_000, emits));
  const waterfalls = await took(async () => {
    for (const n of times(5_000)) await root.ctx.waterfall("bench/wrap", n, async () => n);
  });
  show("waterfall, 50 async listeners", perSecond(5_000, waterfalls));
  const keys = times(10_001).map((index) => ({ index }));
  await inPlugin(root.ctx, async (own) => {
    for (const key of keys) createScope(own, key).ctx.on("bench/scoped", (_key, next) => next());
    const key = keys[5000] as object;
    const scoped = await took(async () => {
      for (const _ of times(100)) await own.waterfall(scopeTarget(key), "bench/scoped", key, async () => 1);
    });
    show("scoped waterfall among 10,001 scoped listeners", ms(scoped / 100));
  });
  await closeRoot(root);
}

async function services(): Promise<void> {
  const root = newRoot();
  root.ctx.provide("benchA", { n: 1 });
  await inPlugin(
    root.ctx,
    async (own) => {
      let sum = 0;
      const reads = await took(() => {
        for (let count = 0; count < 100_000; count++) sum += own.benchA.n;
      });
      assert.equal(sum, 100_000);
      show("one ctx.<service> read", `${(reads / 100).toFixed(2)} µs`);
      for (const index of times(10_000)) createScope(own, { index });
      const swaps = await took(async () => {
        for (const _ of times(20)) await own.provide("benchB", { n: 1 })();
      });
      show("provide + withdraw while 10,000 fibers live", ms(swaps / 20));
    },
    ["benchA"],
  );
  await closeRoot(root);
}

async function roots(): Promise<void> {
  const open = async () => {
    const root = newRoot();
    const handles = times(60).map((index) =>
      mount(root.ctx, { name: `row${index}`, apply: (own: Context) => void own.on("bench/emit", () => {}) }),
    );
    await Promise.all(handles.map((handle) => handle.settled()));
    return root;
  };
  await closeRoot(await open());
  const before = heap();
  const kept: Awaited<ReturnType<typeof open>>[] = [];
  const up = await took(async () => {
    for (const _ of times(20)) kept.push(await open());
  });
  show("root with 60 plugins", `${ms(up / 20)} · ${grown(before, heap(), 20)}`);
  await Promise.all(kept.map((root) => closeRoot(root)));
}

console.log(`Node ${process.version}; a / b is mount / dispose`);
await mountMany("1,000 trivial plugins", 1000, (ctx) => mount(ctx, { name: "trivial", apply() {} }));
await mountMany("1,000 plugins, 2 injects and 3 effects", 1000, (ctx) =>
  mount(ctx, {
    name: "usual",
    inject: ["benchA", "benchB"],
    apply: (own: Context) => times(3).forEach((index) => void own.effect(() => () => {}, `effect ${index}`)),
  }),
);
await mountMany("1,000 plugins, each an isolated provider", 1000, (ctx) =>
  mount(ctx.isolate("benchA"), { name: "provider", apply: (own: Context) => void own.provide("benchA", { n: 3 }) }),
);
await scopes("10,000 bare scopes", 10_000, () => {});
const layers = new ScopedLayers({ create: () => ({ tools: new NamedEntries<number>(), sections: new AnonymousEntries<number>() }) });
await scopes("10,000 agent scopes (tool, section, listener)", 10_000, (ctx, index) => {
  layers.register(ctx, "tool", ({ tools }) => tools.add("read", index));
  layers.register(ctx, "section", ({ sections }) => sections.add(index));
  ctx.on("bench/scoped", (_key, next) => next());
});
await dispatches();
await services();
await roots();
