import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { JsonObject } from "@gantry/contracts";
import { isAppError } from "@gantry/contracts";
import { type Context, closeRoot, createRoot, type Handle, isKernelError, mount, type Root } from "@gantry/kernel";
import * as settings from "../src/settings/index.ts";
import type { Setting, Settings } from "../src/settings/settings.ts";
import { createSettingsStore, type FilledStore } from "../src/settings/store.ts";
import { until } from "./support/agent.ts";

type Retry = { readonly maxRetries: number; readonly maxDelayMs: number };
type Options = NonNullable<Parameters<Settings["register"]>[1]>;

describe("settings", () => {
  let root: Root;
  let stored: FilledStore;
  let warnings: object[];
  let revision: number;

  beforeEach(() => {
    warnings = [];
    revision = 0;
    const drop = () => {};
    const logger = { debug: drop, info: drop, warn: (about: object) => void warnings.push(about), error: drop };
    root = createRoot({ name: "test", logger });
    stored = createSettingsStore();
    root.ctx.provide("settingsStore", stored.store);
    mount(root.ctx, settings);
  });

  const set = (value: JsonObject) => stored.refresh([{ namespace: "llm-retry", value, revision: ++revision }]);
  const base = { maxRetries: 3, maxDelayMs: 1_000 };

  /** A plugin that takes the namespace. @throws what its registration throws */
  async function consumer(options: Options = { base }): Promise<{ handle: Handle; setting: Setting<Retry> }> {
    const made = Promise.withResolvers<Setting<Retry>>();
    const apply = (ctx: Context) => {
      try {
        made.resolve(ctx.settings.register<Retry>("llm-retry", options as never));
      } catch (error) {
        made.reject(error);
      }
    };
    const handle = mount(root.ctx, { name: "consumer", inject: ["settings"], apply });
    return { handle, setting: await made.promise };
  }

  it("KN-098 the org's section goes over the row's config, and a reset gives it back; values are frozen", async () => {
    const { setting } = await consumer();
    assert.deepEqual(setting.get(), base);
    set({ maxRetries: 7 });
    assert.deepEqual(setting.get(), { ...base, maxRetries: 7 });
    assert.ok(Object.isFrozen(setting.get()));
    set({});
    assert.deepEqual(setting.get(), base);
  });

  it("what was stored before the plugin came holds from its first look", async () => {
    set({ maxRetries: 9 });
    assert.equal((await consumer()).setting.get().maxRetries, 9);
  });

  it("N-1 a namespace has one owner at a time; its end frees it", async () => {
    const first = await consumer();
    await assert.rejects(consumer(), (error) => isKernelError(error, "NAME_TAKEN"));
    await first.handle.dispose();
    assert.deepEqual((await consumer()).setting.get(), base);
  });

  it("N-4 a bad base refuses the registration; a bad stored value leaves the last good one and warns", async () => {
    await assert.rejects(consumer({ base: { maxRetries: -1 } }), (error) => isAppError(error, "INPUT_REFUSED"));
    const { setting } = await consumer();
    set({ maxRetries: 4 });
    set({ maxRetries: "many" });
    assert.equal(setting.get().maxRetries, 4);
    assert.match(JSON.stringify(warnings), /llm-retry.*maxRetries/);
  });

  it("N-1 a value that `validate` refuses as a whole does not come into force", async () => {
    const validate = (value: object) => ((value as Retry).maxRetries > 5 ? "too many" : null);
    const { setting } = await consumer({ base, validate });
    set({ maxRetries: 6 });
    assert.equal(setting.get().maxRetries, 3);
  });

  it("N-4 a check that fails refuses the value and keeps nobody else from theirs", async () => {
    const validate = (value: object) => {
      if ((value as Retry).maxRetries > 5) throw new Error("the check is broken");
      return null;
    };
    const { setting } = await consumer({ base, validate });
    let told = 0;
    stored.store.watch(() => told++);
    set({ maxRetries: 6 });
    assert.deepEqual([setting.get().maxRetries, told, warnings.length], [3, 1, 1]);
  });

  it("N-5 watchers run one at a time in the order of changes, a failing one is contained", async () => {
    const { setting } = await consumer();
    const seen: string[] = [];
    const gate = Promise.withResolvers<void>();
    setting.watch(async ({ maxRetries }, before) => {
      seen.push(`a${before.maxRetries}-${maxRetries}`);
      await gate.promise;
      seen.push(`a${maxRetries} done`);
      throw new Error("mine");
    });
    setting.watch(({ maxRetries }) => void seen.push(`b${maxRetries}`));
    set({ maxRetries: 4 });
    set({ maxRetries: 5 });
    await until(() => seen.length > 0, "the first callback");
    assert.deepEqual(seen, ["a3-4"]);
    gate.resolve();
    await until(() => seen.length === 6, "all callbacks");
    assert.deepEqual(seen, ["a3-4", "a4 done", "b4", "a4-5", "a5 done", "b5"]);
  });

  it("N-5 no callback starts after its disposer, or after the plugin is gone", async () => {
    const { handle, setting } = await consumer();
    const seen: number[] = [];
    const gate = Promise.withResolvers<void>();
    setting.watch(() => gate.promise);
    const stop = setting.watch(({ maxRetries }) => void seen.push(maxRetries));
    const last = Promise.withResolvers<void>();
    setting.watch(() => last.resolve());
    set({ maxRetries: 4 });
    await stop();
    gate.resolve();
    await last.promise;
    await handle.dispose();
    set({ maxRetries: 5 });
    assert.deepEqual(seen, []);
  });

  it("N-6 equal values tell nobody", async () => {
    const { setting } = await consumer();
    const seen: number[] = [];
    setting.watch(({ maxRetries }) => void seen.push(maxRetries));
    set({ maxRetries: 3 });
    set({ maxRetries: 3, maxDelayMs: 1_000 });
    set({ maxRetries: 4 });
    await until(() => seen.length > 0, "the change");
    assert.deepEqual(seen, [4]);
  });

  it("a reader that was overtaken does not bring an older section back", async () => {
    const { setting } = await consumer();
    stored.refresh([{ namespace: "llm-retry", value: { maxRetries: 8 }, revision: 5 }]);
    stored.refresh([{ namespace: "llm-retry", value: { maxRetries: 1 }, revision: 4 }]);
    assert.equal(setting.get().maxRetries, 8);
  });

  it("a root that closes leaves no watcher in the store", async () => {
    const { setting } = await consumer();
    await closeRoot(root);
    set({ maxRetries: 4 });
    assert.deepEqual(setting.get(), base);
  });
});
