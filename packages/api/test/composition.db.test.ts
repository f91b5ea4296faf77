import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { appRouter } from "../src/router.ts";
import { procedureFixtures } from "./procedure-fixtures.ts";
import { openApi, type Principal } from "./support.ts";
import { targetOf } from "./walk-support.ts";

const api = await openApi();
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>);
const adminOnly = procedures.filter(([path]) => /^(composition|plugin|preset)\./.test(path) && path !== "preset.list");

async function start() {
  const tenant = await api.createTenant();
  const { userId } = await api.createUser();
  await api.createMembership(tenant.orgId, userId, "admin");
  const admin = await api.signIn(userId);
  const ask = async (path: string, type: "query" | "mutation", input: object) => {
    const { status, body } = await api.call(admin, path, type, { org: tenant.slug, profile: "web", ...input });
    const answer = JSON.parse(body);
    return { status, data: answer.result?.data.json, code: answer.error?.json.data.appCode };
  };
  const save = (source: string, expectedRevision: number) => ask("composition.save", "mutation", { source, expectedRevision });
  return { tenant, ask, save };
}

describe("13.3 who may see and change compositions and presets", () => {
  for (const [path, { _def }] of adminOnly)
    test(`${path} is refused to members and viewers, and leaves nothing`, async () => {
      const tenant = await api.createTenant();
      const target = await targetOf(api, tenant);
      for (const role of ["member", "viewer"] as const) {
        const { userId } = await api.createUser();
        await api.createMembership(tenant.orgId, userId, role);
        const who: Principal = await api.signIn(userId);
        const answer = await api.call(who, path, _def.type, procedureFixtures[path]?.input(target));
        assert.match(answer.body, /"FORBIDDEN"/, role);
      }
      assert.equal(await api.auditCount(tenant.orgId), 0);
    });
});

describe("a composition over HTTP", () => {
  test("KN-069 KN-070 what matches no row is left out whole and told, the rest is in force", async () => {
    const { ask, save } = await start();
    const source = `- {id: llm-retry, name: tools, disabled: true}
- {id: nowhere, insert: [{id: extra, name: llm-demo}]}
- {id: llm, insert: [{id: extra, name: llm-demo}]}
- {id: sandbox-prewarm, disabled: true}
`;
    assert.deepEqual((await save(source, 0)).data, { revision: 1, problems: [], affectedPresets: [] });
    const { data } = await ask("composition.get", "query", {});
    const outcome = (id: string) => data.dump.rows.find((one: { row: { id: string } }) => one.row.id === id)?.outcome.state;
    assert.deepEqual([outcome("llm-retry"), outcome("sandbox-prewarm"), outcome("extra")], ["mounts", "disabled", undefined]);
    assert.deepEqual(
      data.warnings.map((warning: string) => warning.slice(0, "org@1: patch 1".length)),
      ["org@1: patch 1", "org@1: patch 2", "org@1: patch 3"],
    );
  });

  test("R-16 R-18 a refused text comes back with row, line and reason; a stale one with its code", async () => {
    const { ask, save } = await start();
    const { data } = await save("# no\n- id: sandbox-policy\n  disabled: true\n- insert:\n    - {id: shell, name: tool-bash}\n", 0);
    assert.deepEqual(
      data.problems.map(({ code, line, path }: { code: string; line: number; path: string }) => [code, line, path]),
      [
        ["ROW_LOCKED", 2, "$[0]"],
        ["PLUGIN_PLANE", 5, "$.shell"],
      ],
    );
    assert.equal((await ask("composition.layer", "query", {})).data.revision, 0);
    const stale = await save("[]", 4);
    assert.deepEqual([stale.status, stale.code], [409, "REVISION_STALE"]);
  });

  test("R-13 a profile that is none is refused, one that does not exist is not found", async () => {
    const { ask } = await start();
    assert.equal((await ask("composition.get", "query", { profile: "../web" })).status, 400);
    assert.deepEqual((await ask("plugin.list", "query", { profile: "other" })).code, "NOT_FOUND");
  });

  test("a layer of the greatest size arrives; a greater one is refused with the limit", async () => {
    const { save } = await start();
    const fits = `# ${"x".repeat(262_000)}\n[]\n`;
    assert.deepEqual((await save(fits, 0)).data, { revision: 1, problems: [], affectedPresets: [] });
    assert.equal((await save(`${fits}${"#".repeat(1_000)}`, 1)).status, 400);
  });
});
