import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { catalogData, composeOrg, composePreset, type MountRow, type ProviderRow, platformPresets } from "@gantry/compose";
import { AppError, type OrgId, type ProviderId, type SessionId, type UserId } from "@gantry/contracts";
import type { Context, Events } from "@gantry/kernel";
import { bySteps, startScriptedModel } from "@gantry/testing";
import { noAttachments } from "../src/attachments/store.ts";
import { catalog } from "../src/catalog.ts";
import { hostFor } from "../src/host/host-for.ts";
import { runForOrg } from "../src/host/org-context.ts";
import { OrgRoot } from "../src/root/org-root.ts";
import { createSettingsStore } from "../src/settings/store.ts";
import { userMessage } from "./support/log.ts";

const withCode = catalogData.entries.filter(({ planned }) => !planned);
const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: args }] });
/** Uses tools that work without a container and some that fail without one, then answers. */
const script = () =>
  bySteps(
    call("todo_write", { todos: [{ content: "look", status: "in_progress", activeForm: "Looking" }] }),
    call("read", { file_path: "a.txt" }),
    call("bash", { command: "true", description: "Nothing" }),
    call("no_such_tool", {}),
    { text: "done" },
  );

/** One of each kind. */
const providersOf = (baseUrl: string, canary: string): ProviderRow[] =>
  (["openai_compatible", "anthropic", "openai", "deepseek", "demo"] as const).map((kind) => ({
    id: randomUUID() as ProviderId,
    slug: `${kind.replace("_", "-")}-${canary}`,
    kind,
    baseUrl,
    models: [`model-${canary}`],
  }));

type Seen = { readonly lines: string[]; readonly events: string[]; readonly frames: string[]; readonly keys: string[] };

/** An org with every plugin of the catalogue mounted, and an agent; what it shows of itself is collected. */
async function openOrg(t: TestContext, canary: string, bundles: readonly string[]) {
  const model = await startScriptedModel(script());
  const orgId = randomUUID() as OrgId;
  const providers = providersOf(model.url, canary);
  const seen: Seen = { lines: [], events: [], frames: [], keys: [] };
  const write = (about: object, text?: string) => void seen.lines.push(JSON.stringify([about, text]));
  const store = createSettingsStore();
  store.refresh([{ namespace: "llm-retry", value: { maxRetries: 0 }, revision: 1 }]);
  const host = hostFor(orgId, {
    logger: { debug: write, info: write, warn: write, error: write },
    credentials: {
      async resolve(providerId) {
        seen.keys.push(providerId);
        return `key-${canary}`;
      },
    },
    settings: store.store,
    attachments: noAttachments,
    onMismatch: (capability) => assert.fail(`${capability} was called for another org`),
  });
  const { mounts, problems } = composeOrg({ providers, bundles, facts: { "platform.privateHosts": true } });
  assert.deepEqual(problems, []);
  const inRoot = Promise.withResolvers<Context>();
  const plugins = { ...catalog, probe: { name: "probe", apply: (ctx: Context) => inRoot.resolve(ctx) } };
  const rows = [...mounts, { id: "probe", name: "probe" }];
  const root = await runForOrg(orgId, () => OrgRoot.build({ ...host, rows }, plugins));
  t.after(async () => {
    await runForOrg(orgId, () => root.close());
    await model.close();
  });
  const probe = await inRoot.promise;
  for (const name of Object.keys(root.inspect().listeners)) {
    probe.on(
      name as keyof Events,
      ((...args: unknown[]) => {
        seen.events.push(name);
        const next = args.at(-1);
        return typeof next === "function" ? next() : undefined;
      }) as never,
    );
  }
  const agent = await runForOrg(orgId, () =>
    root.createAgent(
      {
        orgId,
        sessionId: randomUUID() as SessionId,
        userId: randomUUID() as UserId,
        epoch: 1,
        events: [],
        route: { provider: `openai-compatible-${canary}`, model: `model-${canary}` },
        mode: "workspace-write",
        write: async () => {},
        publish: (frame) => void seen.frames.push(JSON.stringify(frame)),
        openWorld: () => Promise.reject(new AppError("ENGINE_DOWN", `No engine for ${canary}.`)),
      },
      presetOf(canary),
    ),
  );
  const turn = (text: string) =>
    runForOrg(orgId, async () => {
      agent.send(userMessage(text), "next-turn", true);
      await agent.whenIdle();
    });
  /** Everything of the org that another must not change. */
  const picture = () =>
    JSON.stringify([
      root.inspect(),
      agent.ctx.tools.schemas(agent),
      agent.log.events,
      seen,
      model.requests,
      store.store.section("llm-retry"),
    ]);
  return { orgId, root, agent, turn, picture, seen, model, rows: mounts };
}

function presetOf(canary: string) {
  const shipped = platformPresets.findLast(({ slug }) => slug === "standard") ?? assert.fail();
  const { hash, mounts } = composePreset({ ...shipped, facts: {} });
  const marked = mounts.map((row) => (row.name === "persona" ? { ...row, config: { ...row.config, prefix: `You are ${canary}.` } } : row));
  return { presetId: "p", slug: `preset-${canary}`, revision: 1, hash, mounts: marked };
}
const flat = (rows: readonly MountRow[]): string[] => rows.flatMap((row) => (row.children ? flat(row.children) : [row.name]));

for (const bundles of [[], ["dry-run"]]) {
  test(`KN-103 with every plugin in two roots nothing crosses: work in one changes nothing of the other (${bundles.join() || "as shipped"})`, async (t) => {
    const [a, b] = [await openOrg(t, "alder", bundles), await openOrg(t, "birch", bundles)];
    const before = b.picture();
    await a.turn("hello alder");
    assert.equal(a.agent.log.events.at(-1)?.type, "turn/end");
    assert.ok(a.seen.events.length > 10 && a.seen.keys.length > 0 && a.model.requests.length === 5, "the work was real");
    assert.equal(b.picture(), before, "the other root did not move");
    await b.turn("hello birch");
    assert.ok(!b.picture().includes("alder"), "nothing of the first org in the second");
    assert.ok(!a.picture().includes("birch"), "nor the other way");

    const whole = b.picture();
    await runForOrg(a.orgId, () => a.root.close());
    assert.equal(b.picture(), whole, "the end of one root leaves the other");
    await b.turn("again");
    assert.equal(b.agent.log.events.filter(({ type }) => type === "turn/end").length, 2);
  });
}

test("KN-103 every plugin of the catalogue takes part", () => {
  const providers = providersOf("https://models.example", "x");
  const host = [[], ["dry-run"]].flatMap((bundles) => flat(composeOrg({ providers, bundles, facts: {} }).mounts));
  const mounted = new Set([...host, ...flat(presetOf("x").mounts)]);
  assert.deepEqual([...mounted].sort(), withCode.map(({ name }) => name).sort());
});

// what hangs on an object (a WeakMap) is reached only by whoever has the object, so it cannot cross
test("M-4 plugin packages keep nothing that changes at module level", () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const files = globSync(["agent/src/**/*.ts", "tools/src/**/*.ts", "llm/src/**/*.ts", "sandbox/src/{plugins,seams}*/**/*.ts"], {
    cwd: root,
  });
  assert.ok(files.length > 100);
  const changing = /^(?:export )?(?:let|var) |^(?:export )?const (?!inject\b)\w+(?:: [^=]+)? = (?:new (?:Map|Set)(?:<[^>]*>)?\(\)|\[\]);/;
  const found = files.flatMap((file) =>
    readFileSync(`${root}${file}`, "utf8")
      .split("\n")
      .flatMap((line, index) => (changing.test(line) ? [`${file}:${index + 1} ${line}`] : [])),
  );
  assert.deepEqual(found, []);
});
