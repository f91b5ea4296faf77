import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkPresetSource } from "../src/preset/check-preset-source.ts";
import { createPreset } from "../src/preset/create-preset.ts";
import { discardDraft } from "../src/preset/discard-draft.ts";
import { goodSource, startPreset } from "./preset-support.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();

const nested = (depth: number): string => `- id: shell\n  name: persona\n  config: { prefix: ${"[".repeat(depth)}${"]".repeat(depth)} }\n`;
const dryRun = (more: string): string =>
  `- id: realm\n  name: cordis:group\n  group: true\n  isolate: { subprocess: true }\n  config:\n    - id: dry\n      name: subprocess-dry-run\n${more}`;

/** What is wrong → the text, the code, the row path and a word of the reason. */
const bad: Readonly<Record<string, [source: string, code: string, path: string, reason: RegExp]>> = {
  "no list": ["id: shell", "ROW_INVALID", "$", /list/],
  "broken YAML": ["- id: [shell", "INPUT_SYNTAX", "$", /./],
  "a custom tag": ["- id: shell\n  name: !plugin tool-bash", "INPUT_SYNTAX", "$[0].name", /tag/],
  "a tag that is code": ['- id: shell\n  name: !!js/function "() => 1"', "EXPR_FORBIDDEN", "$[0].name", /code/],
  "an anchor": ["- &row\n  id: shell\n  name: tool-bash", "INPUT_SYNTAX", "$[0]", /anchor/],
  "an alias": ["- id: shell\n  name: *shell", "INPUT_SYNTAX", "$[0].name", /alias/],
  "a merge key": ["- id: shell\n  <<: { name: tool-bash }", "INPUT_KEY", "$[0]", /merge/],
  "a key twice": ["- id: shell\n  id: other\n  name: tool-bash", "INPUT_SYNTAX", "$", /./],
  "a key of the language": [
    "- id: shell\n  name: tool-bash\n  config: { __proto__: { timeoutMs: 1 } }",
    "INPUT_KEY",
    "$[0].config.__proto__",
    /reserved/,
  ],
  "an expression": [
    '- id: shell\n  name: tool-bash\n  config: { timeoutMs: { __jsExpr: "process.exit()" } }',
    "EXPR_FORBIDDEN",
    "$[0].config.timeoutMs.__jsExpr",
    /no code/,
  ],
  "an unknown operator": [
    "- id: shell\n  name: tool-bash\n  config: { timeoutMs: { $env: HOME } }",
    "EXPR_FORBIDDEN",
    "$[0].config.timeoutMs.$env",
    /operator/,
  ],
  "an unknown fact": [
    "- id: shell\n  name: tool-bash\n  disabled: { $eq: [{ $fact: plan.colour }, red] }",
    "FACT_UNKNOWN",
    "$[0].disabled.$eq[0].$fact",
    /Known are org\.flag/,
  ],
  "too deep": [nested(30), "INPUT_LIMIT", "$", /deeper/],
  "too long": [`# ${"x".repeat(262_143)}`, "INPUT_LIMIT", "$", /KiB/],
  "too many values": [
    `- id: shell\n  name: persona\n  config: { prefix: [${"1,".repeat(5_001)}] }`,
    "INPUT_LIMIT",
    "$[0].config.prefix[4994]",
    /5000 values/,
  ],
  "a row id that is none": ["- id: My Shell\n  name: tool-bash", "ROW_INVALID", "$[0].id", /id/],
  "an id twice": ["- { id: shell, name: tool-bash }\n- { id: shell, name: tool-fs }", "ROW_DUPLICATE", "$[1]", /taken/],
  "a plugin that does not exist": ["- id: shell\n  name: tool-zsh", "PLUGIN_UNKNOWN", "$.shell.name", /No plugin named "tool-zsh"/],
  "a plugin of the host": ["- id: brain\n  name: agent-loop", "PLUGIN_PLANE", "$.brain", /plane/],
  "config that the plugin refuses": [
    "- id: shell\n  name: tool-bash\n  config: { timeoutMs: soon }",
    "CONFIG_INVALID",
    "$.shell.config.timeoutMs",
    /tool-bash refuses/,
  ],
  "config of a row in a group": [dryRun("      config: { exitCode: 300 }"), "CONFIG_INVALID", "$.realm.dry.config.exitCode", /refuses/],
  "a service that leaks": ["- id: dry\n  name: subprocess-dry-run", "PRESET_LEAK", "$.dry", /isolate/],
  "a service that is not there": ["- id: shell\n  name: tool-bash\n  inject: [jobs]", "SERVICE_MISSING", "$.shell", /jobs/],
  "a service of no plugin": ["- id: shell\n  name: tool-bash\n  inject: [moon]", "SERVICE_UNKNOWN", "$.shell.inject", /moon/],
  "a circle of needs": [dryRun("      inject: [subprocess]"), "SERVICE_LOOP", "$.realm.dry", /provides itself/],
};

describe("G-4 a text with a mistake", () => {
  for (const [what, [source, code, path, reason]] of Object.entries(bad)) {
    test(`G-4 ${what}: refused with row and reason, kept as a draft, and the last valid revision stays`, async () => {
      const { ctx, mine, save, get, start } = await startPreset(world);
      const saved = await save(source);
      assert.deepEqual([saved.saved, saved.revision], ["draft", 1]);
      const [problem] = saved.problems;
      assert.deepEqual([problem?.code, problem?.path], [code, path]);
      assert.match(problem?.message ?? "", reason);
      const { draft, state, revision, source: current, hasDraft } = await get();
      assert.deepEqual([state, revision, current, hasDraft], ["ok", 1, goodSource(), true]);
      assert.deepEqual([draft?.source, draft?.problems, draft?.authorId], [source, saved.problems, ctx.userId]);
      assert.equal((await start("mine")).pinned, "mine@1");
      assert.deepEqual((await checkPresetSource(ctx, { ...mine, source })).problems, saved.problems);
    });
  }
});

describe("drafts", () => {
  test("G-4 the next good save drops the draft, also when it changes nothing else", async () => {
    for (const [source, revision] of [[goodSource(1_000), 2] as const, [goodSource(), 1] as const]) {
      const { save, get, actions } = await startPreset(world);
      await save("- nothing");
      assert.equal((await save(source)).revision, revision);
      assert.equal((await get()).draft, null);
      assert.deepEqual(await actions(), ["preset.create", "preset.saveDraft", "preset.save"]);
    }
  });

  test("G-4 a draft is put away on demand, audited once; the revision in force and the history stay", async () => {
    const { ctx, mine, save, get, start, actions, list } = await startPreset(world);
    await save("- nothing");
    const { draft, revisions } = await get();
    const expectedDraft = draft?.at ?? "";
    await assert.rejects(discardDraft(ctx, { ...mine, expectedDraft: new Date(0).toISOString() }), { code: "REVISION_STALE" });
    assert.deepEqual((await get()).draft, draft);
    for (const _again of [1, 2]) assert.deepEqual(await discardDraft(ctx, { ...mine, expectedDraft }), { slug: "mine" });
    const now = await get();
    assert.deepEqual([now.draft, now.source, now.revision, now.revisions], [null, goodSource(), 1, revisions]);
    assert.equal((await list()).mine?.hasDraft, false);
    assert.deepEqual(await actions(), ["preset.create", "preset.saveDraft", "preset.discardDraft"]);
    assert.equal((await start("mine")).pinned, "mine@1");
  });

  test("G-1 G-4 the draft of a preset without a revision, a platform preset and another organisation's draft are not put away", async () => {
    const [ours, theirs] = [await startPreset(world), await startPreset(world)];
    const { ctx, org, get } = ours;
    await createPreset(ctx, { org, slug: "wish", name: "A wish", source: "- nothing" });
    const expectedDraft = (await get("wish")).draft?.at ?? "";
    await assert.rejects(discardDraft(ctx, { org, slug: "wish", expectedDraft }), { code: "CONFLICT", message: /delete the preset/ });
    await assert.rejects(discardDraft(theirs.ctx, { org: theirs.org, slug: "wish", expectedDraft }), { code: "PRESET_UNKNOWN" });
    await assert.rejects(discardDraft(ctx, { org, slug: "standard", expectedDraft }), { code: "PRESET_LOCKED" });
    assert.equal((await get("wish")).draft?.at, expectedDraft);
  });

  test("G-4 a preset that never was valid is listed with its reasons and starts no session, until it is repaired", async () => {
    const { ctx, org, list, start, get, save } = await startPreset(world);
    await createPreset(ctx, { org, slug: "wish", name: "A wish", source: "- id: shell\n  name: tool-zsh" });
    const { wish } = await list();
    assert.deepEqual([wish?.state, wish?.revision, wish?.name, wish?.hasDraft], ["draft", null, "A wish", true]);
    assert.match(wish?.reasons.join() ?? "", /^line 2, column 3 \(\$\.shell\.name\): No plugin/);
    await assert.rejects(start("wish"), { code: "PRESET_BROKEN", message: /no valid version yet.*No plugin/ });
    assert.equal((await get("wish")).source, "- id: shell\n  name: tool-zsh");
    assert.equal((await save(goodSource(), null, { slug: "wish" })).revision, 1);
    assert.equal((await start("wish")).pinned, "wish@1");
  });

  test("a draft that somebody else stored meanwhile is not put away unseen, by a draft or by a good save", async () => {
    const { save, get } = await startPreset(world);
    await save("- nothing", 1, { expectedDraft: null });
    const { draft } = await get();
    for (const source of ["- other", goodSource(1_000)])
      for (const expectedDraft of [null, new Date(0).toISOString()])
        await assert.rejects(save(source, 1, { expectedDraft }), { code: "REVISION_STALE" });
    assert.deepEqual((await get()).draft, draft);
    assert.equal((await save(goodSource(1_000), 1, { expectedDraft: draft?.at })).saved, "revision");
  });

  test("the dry run says what would mount and what would change, and stores nothing", async () => {
    const { ctx, mine, get, actions } = await startPreset(world);
    const checked = await checkPresetSource(ctx, {
      ...mine,
      source: `${goodSource(1_000)}- id: files\n  name: tool-fs\n  disabled: true\n`,
    });
    assert.deepEqual(
      checked.rows.map(({ row, outcome }) => [row.id, outcome?.state]),
      [
        ["shell", "mounts"],
        ["files", "disabled"],
      ],
    );
    assert.deepEqual(
      checked.diff.map((diff) => [diff.kind, diff.id]),
      [
        ["changed", "shell"],
        ["added", "files"],
      ],
    );
    assert.equal((await get()).revision, 1);
    assert.deepEqual(await actions(), ["preset.create"]);
  });

  test("SC-L3 an audit row names the rows that changed, never what they hold", async () => {
    const { save, sql } = await startPreset(world);
    await save("- id: shell\n  name: persona\n  config: { prefix: canary-text }\n");
    const rows = JSON.stringify(await sql("SELECT details FROM audit_entries"));
    assert.ok(rows.includes('"shell"') && !rows.includes("canary-text"));
  });
});
