import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openApi } from "./support.ts";

const api = await openApi();

async function start() {
  const tenant = await api.createTenant();
  const as = async (role: "admin" | "member") => {
    const { userId } = await api.createUser();
    await api.createMembership(tenant.orgId, userId, role);
    const who = await api.signIn(userId);
    return async (path: string, input: object, type: "mutation" | "query" = "mutation") => {
      const { status, body } = await api.call(who, path, type, { org: tenant.slug, ...input });
      const { result, error } = JSON.parse(body);
      return { status, data: result?.data.json, code: error?.json.data.appCode, message: error?.json.message };
    };
  };
  return { tenant, admin: await as("admin"), member: await as("member") };
}

describe("presets over HTTP", () => {
  test("G-4 an admin's mistake comes back with row, line and reason; a member starts on the last valid revision", async () => {
    const { tenant, admin, member } = await start();
    await admin("preset.create", { slug: "mine", name: "Mine", source: "- id: shell\n  name: tool-bash\n" });
    const change = { slug: "mine", name: "Mine", description: "", order: 1, expectedRevision: 1 };
    const { data } = await admin("preset.save", { ...change, source: "- id: shell\n  name: tool-zsh\n" });
    assert.deepEqual([data.saved, data.revision], ["draft", 1]);
    const { code, path, line, column } = data.problems[0];
    assert.deepEqual([code, path, line, column], ["PLUGIN_UNKNOWN", "$.shell.name", 2, 3]);
    const list = await member("preset.list", {}, "query");
    assert.deepEqual(
      list.data.map((item: { slug: string; state: string; hasDraft: boolean }) => [item.slug, item.state, item.hasDraft]),
      [
        ["standard", "ok", false],
        ["mine", "ok", true],
      ],
    );
    const created = await member("session.create", { workspaceId: tenant.workspaceId, preset: "mine", clientKey: "first-session" });
    const session = await member("session.get", { sessionId: created.data.sessionId }, "query");
    assert.deepEqual(session.data.preset, { slug: "mine", name: "Mine", revision: 1, isCurrent: true });
  });

  test("what goes wrong has its code and status", async () => {
    const { tenant, admin, member } = await start();
    await admin("preset.create", { slug: "wish", name: "Wish", source: "- id: shell\n  name: tool-zsh\n" });
    const session = { workspaceId: tenant.workspaceId, clientKey: "a-session" };
    const failures = [
      [await member("session.create", { ...session, preset: "wish" }), "PRESET_BROKEN", 422],
      [await member("session.create", { ...session, preset: "nobody" }), "PRESET_UNKNOWN", 404],
      [await admin("preset.remove", { slug: "standard" }), "PRESET_LOCKED", 409],
      [await admin("preset.create", { slug: "standard", name: "Mine" }), "SLUG_TAKEN", 409],
      [await admin("preset.rollBack", { slug: "wish", revision: 1, expectedRevision: 5 }), "REVISION_STALE", 409],
      [await admin("settings.set", { namespace: "models", level: "org", path: "model", value: "m" }), "INPUT_REFUSED", 422],
    ] as const;
    for (const [answer, code, status] of failures) assert.deepEqual([answer.code, answer.status], [code, status]);
    const { data } = await member("session.list", {}, "query");
    assert.equal(data.items.length, 1); // the tenant's own
  });
});

test("13.3 a member sets what is their own, an admin what is for others", async () => {
  const { tenant, admin, member } = await start();
  const models = { namespace: "models", values: { provider: "demo", model: "scripted" } };
  const workspace = { ...models, level: "workspace", workspaceId: tenant.workspaceId };
  assert.deepEqual((await member("settings.update", { ...models, level: "user" })).data, { revision: 1 });
  for (const input of [{ ...models, level: "org" }, workspace]) {
    assert.equal((await member("settings.update", input)).code, "FORBIDDEN");
    assert.deepEqual((await admin("settings.update", input)).data, { revision: 1 });
  }
  const { data } = await member("settings.list", { workspaceId: tenant.workspaceId }, "query");
  const own = data.find((view: { name: string }) => view.name === "models").sections;
  assert.deepEqual(
    own.map((section: { level: string; mayWrite: boolean; revision: number }) => [section.level, section.mayWrite, section.revision]),
    [
      ["org", false, 1],
      ["workspace", false, 1],
      ["user", true, 1],
    ],
  );
});
