import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { test } from "node:test";
import { composeOrg, composePreset, type MountRow, platformPresets, readLayer } from "@gantry/compose";
import { AppError, type LiveFrame, type OrgId, type ProviderId, type SessionEvent, type SessionId, type UserId } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import { bySteps, startScriptedModel } from "@gantry/testing";
import { catalog } from "../../src/catalog.ts";
import type { Plugins } from "../../src/root/mount-rows.ts";
import { OrgRoot } from "../../src/root/org-root.ts";
import { userMessage } from "../support/log.ts";

const kinds = ["openai_compatible", "anthropic", "openai", "deepseek", "demo"] as const;
const facts = { "platform.privateHosts": true };
/** Plugins that a root of these tests held. */
const covered = new Set<string>();

for (const bundles of [[], ["dry-run"]]) {
  const brought = bundles.length > 0 ? `and the bundle ${bundles}` : "of the platform";
  test(`KN-103 with the plugins ${brought} in two roots, one's work shows nowhere in the other and its end changes nothing there`, async (t) => {
    const here = await openTenant(bundles);
    t.after(here.close);
    const alone = await here.view();
    const there = await openTenant(bundles);
    t.after(there.close);
    await there.work();
    assert.deepEqual(await here.view(), alone, "the other's start and work changed nothing here");
    await here.work();
    for (const [one, other] of [
      [here, there],
      [there, here],
    ] as const) {
      for (const [what, text] of Object.entries(await one.traces())) {
        assert.ok(text.includes(one.mark), `its own mark is in its ${what}, so another's would show`);
        assert.ok(!text.includes(other.mark) && !text.includes(other.orgId), `the other's mark is in its ${what}`);
      }
    }
    const before = await here.view();
    await there.close();
    assert.deepEqual(await here.view(), before, "the other's end changed nothing here");
    await here.work();
    for (const name of here.plugins) covered.add(name);
  });
}

test("KN-103 that held for every plugin of the catalogue", () => {
  assert.deepEqual([...covered].sort(), Object.keys(catalog).sort());
});

test("KN-103 a plugin that keeps state outside its root is found out by this", async (t) => {
  const everyone: string[] = [];
  const leaky = {
    name: "session-title-fallback",
    inject: ["systemPrompt"],
    apply(ctx: Context) {
      everyone.push(ctx.get("tenant")?.orgId ?? "");
      ctx.systemPrompt.section({ name: "leak", order: 500, text: () => everyone.join() });
    },
  };
  const plugins = { ...catalog, "session-title-fallback": leaky };
  const here = await openTenant([], plugins);
  t.after(here.close);
  const alone = await here.view();
  const there = await openTenant([], plugins);
  t.after(there.close);
  assert.notDeepEqual(await here.view(), alone);
  assert.ok((await here.traces()).view.includes(there.orgId));
});

/** A root with every plugin of the bundles and of the preset `standard`, one live session, and a mark in all that is the org's own. */
async function openTenant(bundles: readonly string[], plugins: Plugins = catalog) {
  const mark = `mark${randomBytes(8).toString("hex")}`;
  const orgId = randomUUID() as OrgId;
  const command = { name: "bash", arguments: { command: `echo ${mark}`, description: `Print ${mark}` } };
  const model = await startScriptedModel(bySteps({ toolCalls: [command] }, { text: `done ${mark}` }));
  const providers = kinds.map((kind) => ({
    id: randomUUID() as ProviderId,
    kind,
    slug: kind,
    baseUrl: kind === "openai_compatible" ? model.url : `${model.url}/${mark}`,
    models: [kind === "openai_compatible" ? mark : "m"],
  }));
  const layer = readLayer(mark, "org", JSON.stringify([{ id: "system-prompt", config: { personaSuffix: mark } }]));
  const { mounts, problems } = composeOrg({ providers, bundles, layers: [layer], facts });
  assert.deepEqual(problems, []);
  const preset = standardPreset();
  const lines: string[] = [];
  const write = (fields: object, message?: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const logger = { debug: write, info: write, warn: write, error: write };
  const root = await OrgRoot.build({ orgId, logger, credentials: { resolve: async () => `key-${mark}` }, rows: mounts }, plugins);
  const frames: LiveFrame[] = [];
  const stored: SessionEvent[] = [];
  const agent = await root.createAgent(
    {
      orgId,
      sessionId: "0190a0a0-0000-7000-8000-0000000000aa" as SessionId,
      userId: randomUUID() as UserId,
      epoch: 1,
      events: [],
      route: { provider: "openai_compatible", model: mark },
      mode: "workspace-write",
      write: async ({ events }) => void stored.push(...events),
      publish: (frame) => frames.push(frame),
      openWorld: () => Promise.reject(new AppError("ENGINE_DOWN", `${mark} has no container engine.`)),
    },
    preset,
  );
  let sent = 0;
  const view = async () => ({
    root: root.inspect(),
    prompt: await agent.ctx.systemPrompt.assemble({ scope: agent }),
    schemas: agent.ctx.tools.schemas(agent),
  });
  return {
    mark,
    orgId,
    plugins: [...flat(mounts), ...flat(preset.mounts)].map(({ name }) => name),
    view,
    async work() {
      agent.send(userMessage(`m${++sent}`, `please ${mark}`), "next-turn", true);
      await agent.whenIdle();
      assert.match(JSON.stringify(stored), new RegExp(`done ${mark}`));
    },
    async traces() {
      agent.ctx.logger.info({ mark }, "traces are read");
      return {
        view: JSON.stringify(await view()),
        events: JSON.stringify([stored, frames]),
        requests: JSON.stringify(model.requests),
        log: lines.join("\n"),
      };
    },
    async close() {
      await root.close();
      await model.close();
    },
  };
}

function standardPreset() {
  const preset = platformPresets.findLast(({ slug }) => slug === "standard");
  assert.ok(preset);
  const { slug, revision, rows } = preset;
  const { hash, mounts } = composePreset({ slug, revision, rows, facts });
  return { presetId: "standard", slug, revision, hash, mounts };
}

function flat(rows: readonly MountRow[]): MountRow[] {
  return rows.flatMap((row) => (row.children ? flat(row.children) : [row]));
}
