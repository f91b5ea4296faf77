import type { TestContext } from "node:test";
import type { MountRow } from "@gantry/compose";
import {
  AnonymousEntries,
  type Context,
  closeRoot,
  createRoot,
  createScope,
  inspectRoot,
  mount,
  type Plugin,
  ScopedLayers,
} from "@gantry/kernel";
import { GenerationPool } from "../../src/presets/generation-pool.ts";
import { Memberships } from "../../src/presets/memberships.ts";
import type { PresetRef } from "../../src/presets/preset-ref.ts";
import { type RootLimits, rootLimits } from "../../src/root/limits.ts";

declare module "@gantry/kernel" {
  interface Context {
    lamp: { readonly color: string };
    cable: { readonly to: string };
  }
}

/** A revision of a preset; `rows` may be names of plugins. */
export const presetOf = (slug: string, rows: readonly (string | MountRow)[], more: Partial<PresetRef> = {}): PresetRef => ({
  presetId: `id-of-${slug}`,
  slug,
  revision: 1,
  hash: "hash",
  mounts: rows.map((row) => (typeof row === "string" ? { id: row, name: row } : row)),
  ...more,
});

export const group = (id: string, children: readonly MountRow[], more: Partial<MountRow> = {}): MountRow => ({
  id,
  name: "cordis:group",
  children,
  ...more,
});

/** Plugins to mount by name; each counts its starts and what of it stands. */
export function fixtures() {
  const started: string[] = [];
  const layers = new ScopedLayers({ create: () => ({ notes: new AnonymousEntries<string>() }) });
  const note = (ctx: Context, text: string) => layers.register(ctx, "note", ({ notes }) => notes.add(text));
  const seen: (readonly [string, string])[] = [];
  const plugins: Record<string, Plugin> = {
    note: {
      name: "note",
      apply(ctx: Context, config: { text?: string } = {}) {
        started.push("note");
        note(ctx, config.text ?? "note");
      },
    },
    lamp: {
      name: "lamp",
      apply: (ctx: Context, config: { color?: string } = {}) => void ctx.provide("lamp", { color: config.color ?? "red" }),
    },
    reader: {
      name: "reader",
      inject: ["lamp"],
      apply: (ctx: Context, { id }: { id: string }) => void seen.push([id, ctx.lamp.color]),
    },
    fails: { name: "fails", apply: () => Promise.reject(new Error("no oil")) },
    "needs-cable": { name: "needs-cable", inject: ["cable"], apply: () => {} },
  };
  /** notes as the scope sees them */
  const notesOf = (key: object) => layers.anonymous(key, ({ notes }) => notes);
  return { plugins, started, seen, note, notesOf, layers };
}

/** Generations on a real root, owned by a plugin of their own, and scopes that stand for agents. */
export async function presetWorld(
  t: TestContext,
  { plugins, limits = {} }: { plugins: Record<string, Plugin>; limits?: Partial<RootLimits> },
) {
  const lines: { level: string; message: string | undefined }[] = [];
  const write = (level: string) => (_fields: object, message?: string) => void lines.push({ level, message });
  const taints: string[] = [];
  const root = createRoot({
    name: "test",
    logger: { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") },
    onTaint: (reason) => taints.push(reason),
  });
  const broken: (readonly [string, readonly string[]])[] = [];
  const owner = Promise.withResolvers<Context>();
  await mount(root.ctx, { name: "host", apply: (ctx: Context) => owner.resolve(ctx) }).settled();
  const host = await owner.promise;
  const generations = new GenerationPool(host, {
    plugins,
    limits: { ...rootLimits, ...limits },
    onBroken: ({ slug }, reasons) => broken.push([slug, reasons]),
  });
  const memberships = new Memberships(generations);
  t.after(() => closeRoot(root).catch(() => {}));
  const agent = async (preset?: PresetRef, like?: object) => {
    const key = {};
    const scope = createScope(host, key);
    const end = async () => {
      await scope.dispose();
      await memberships.leave(key);
    };
    try {
      if (preset) await memberships.join(scope.ctx, preset);
      else if (like) await memberships.joinLike(scope.ctx, like);
    } catch (error) {
      await end();
      throw error;
    }
    return { key, ctx: scope.ctx, end };
  };
  const users = () => generations.views().map(({ slug, revision, users: count }) => `${slug}@${revision}: ${count}`);
  return { root, host, generations, memberships, agent, users, broken, lines, taints, standing: () => inspectRoot(root) };
}
