import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type SettingsNamespace, settingsNamespaces } from "@gantry/compose";
import type { JsonObject, SettingsLevel, WorkspaceId } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { z } from "zod";
import type { Role } from "../src/context.ts";
import { createSession } from "../src/session/create-session.ts";
import { getSession } from "../src/session/get-session.ts";
import { listSettings } from "../src/settings/list-settings.ts";
import { replaceSettings } from "../src/settings/replace-settings.ts";
import { setSetting } from "../src/settings/set-setting.ts";
import { unsetSetting } from "../src/settings/unset-setting.ts";
import { updateSettings } from "../src/settings/update-settings.ts";
import { removeWorkspace } from "../src/workspace/remove-workspace.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();

const fields = {
  host: z.string(),
  port: z.int(),
  auth: z.strictObject({ user: z.string(), password: z.string().min(3), token: z.string() }).partial(),
};
/** No namespace of the product has a secret yet. */
const mail: SettingsNamespace = {
  name: "mail",
  title: "Mail",
  description: "How mail leaves.",
  levels: ["org", "workspace", "user"],
  applies: "live",
  schema: z.strictObject({ ...fields, host: z.string().default("localhost") }).partial({ port: true, auth: true }),
  section: z
    .strictObject(fields)
    .partial()
    .refine(({ host, port }) => port === undefined || host !== undefined, "A port needs a host."),
  secrets: ["auth.password", "auth.token"],
};
const namespaces = [...settingsNamespaces, mail];
const [password, token] = ["canary-password", "canary-token"];

async function begin() {
  const tenant = await world.createTenant();
  const ctx = world.contextOf(tenant, { role: "admin" });
  const org = tenant.slug;
  const at = (level: SettingsLevel, workspaceId: WorkspaceId = tenant.workspaceId) => ({
    org,
    namespace: "mail",
    level,
    ...(level === "workspace" && { workspaceId }),
  });
  const as = (role: Role) => world.contextOf(tenant, { role });
  return {
    tenant,
    ctx,
    org,
    at,
    as,
    update: (level: SettingsLevel, values: JsonObject, expectedRevision?: number) =>
      updateSettings(ctx, { ...at(level), values, ...(expectedRevision !== undefined && { expectedRevision }) }, namespaces),
    replace: (level: SettingsLevel, values: JsonObject) => replaceSettings(ctx, { ...at(level), values }, namespaces),
    set: (path: string, value: string | number) => setSetting(ctx, { ...at("org"), path, value }, namespaces),
    unset: (path: string) => unsetSetting(ctx, { ...at("org"), path }, namespaces),
    view: async (viewer = ctx) => {
      const views = await listSettings(viewer, { org, workspaceId: tenant.workspaceId }, namespaces);
      const view = views.find(({ name }) => name === "mail") ?? assert.fail();
      const [own, workspace, user] = view.sections;
      return { ...view, own, workspace, user };
    },
    sql: (text: string, values: unknown[] = []) => world.asOwner(tenant.orgId, text, values),
  };
}

describe("levels", () => {
  test("KN-098 N-2 the person's word counts before the workspace's and the organisation's; a reset inherits again", async () => {
    const { update, replace, view } = await begin();
    assert.deepEqual((await view()).effective, { host: "localhost" });
    await update("org", { host: "org", port: 1, auth: { user: "o" } });
    await update("workspace", { host: "workspace", port: 2 });
    await update("user", { host: "user" });
    assert.deepEqual((await view()).effective, { host: "user", port: 2, auth: { user: "o" } });
    await replace("user", {});
    assert.deepEqual((await view()).effective, { host: "workspace", port: 2, auth: { user: "o" } });
    await update("workspace", { host: null, port: null });
    assert.deepEqual((await view()).effective, { host: "org", port: 1, auth: { user: "o" } });
  });

  test("what a person sets is theirs, and only admins set for others", async () => {
    const { tenant, update, view, at, as, org } = await begin();
    await update("user", { host: "mine" });
    const { userId } = await world.createUser();
    const colleague = world.contextOf({ orgId: tenant.orgId, userId }, { role: "member" });
    const { effective, sections } = await view(colleague);
    assert.deepEqual(effective, { host: "localhost" });
    assert.deepEqual(
      sections.map((section) => [section.level, section.mayWrite]),
      [
        ["org", false],
        ["workspace", false],
        ["user", true],
      ],
    );
    await updateSettings(colleague, { ...at("user"), values: { host: "theirs" } }, namespaces);
    assert.equal((await view()).effective.host, "mine");
    for (const level of ["org", "workspace"] as const)
      await assert.rejects(updateSettings(colleague, { ...at(level), values: {} }, namespaces), { code: "FORBIDDEN" });
    await assert.rejects(updateSettings(as("viewer"), { ...at("user"), values: {} }, namespaces), { code: "FORBIDDEN" });
    await assert.rejects(updateSettings(colleague, { org, namespace: "llm-retry", level: "user", values: {} }), { code: "BAD_REQUEST" });
    await assert.rejects(updateSettings(colleague, { org, namespace: "nothing", level: "user", values: {} }), { code: "NOT_FOUND" });
  });

  test("SC-T1 another organisation's workspace has no settings here", async () => {
    const [{ ctx, at, org }, other] = [await begin(), await begin()];
    const { workspaceId } = other.tenant;
    await assert.rejects(updateSettings(ctx, { ...at("workspace", workspaceId), values: {} }, namespaces), { code: "NOT_FOUND" });
    await assert.rejects(listSettings(ctx, { org, workspaceId }), { code: "NOT_FOUND" });
    await assert.rejects(updateSettings(ctx, { ...at("org"), workspaceId, values: {} }, namespaces), { code: "BAD_REQUEST" });
  });
});

test("what was set for a workspace goes with it", async () => {
  const { ctx, org, tenant, update, sql } = await begin();
  await update("workspace", { host: "a" });
  await update("org", { host: "b" });
  await removeWorkspace(ctx, { org, workspaceId: tenant.workspaceId });
  assert.deepEqual(await sql("SELECT level FROM settings"), [{ level: "org" }]);
});

describe("writing", () => {
  test("KN-098 N-3 a stale writer is refused, and of ten at once one is heard", async () => {
    const { update, view } = await begin();
    assert.deepEqual(await update("org", { host: "a" }, 0), { revision: 1 });
    await assert.rejects(update("org", { host: "b" }, 0), { code: "REVISION_STALE" });
    const results = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => update("org", { host: `h${index}` }, 1)));
    assert.equal(results.filter((result) => result.status === "fulfilled").length, 1);
    assert.equal((await view()).own?.revision, 2);
  });

  test("N-3 changes of different fields made at once all hold", async () => {
    const { set, view } = await begin();
    await set("host", "a");
    await Promise.all([set("port", 1), set("auth.user", "u"), set("auth.token", token), set("auth.password", password)]);
    const { own } = await view();
    assert.deepEqual([own?.revision, own?.values], [5, { host: "a", port: 1, auth: { user: "u" } }]);
  });

  test("N-6 equal values commit nothing", async () => {
    const { tenant, update, set, unset, replace } = await begin();
    await update("org", { host: "a", auth: { password } });
    const before = await world.audit(tenant.orgId);
    assert.deepEqual(await update("org", { host: "a" }), { revision: 1 });
    assert.deepEqual(await set("auth.password", password), { revision: 1 });
    assert.deepEqual(await unset("auth.token"), { revision: 1 });
    assert.deepEqual(await replace("org", { auth: { password }, host: "a" }), { revision: 1 });
    assert.deepEqual(await world.audit(tenant.orgId), before);
  });

  test("N-4 9.2 what the gate or the namespace refuses is not stored, and the reason does not repeat it", async () => {
    const { update, set, sql } = await begin();
    const bad: [JsonObject, RegExp][] = [
      [{ hots: "a" }, /hots/],
      [{ host: 5 }, /host/],
      [{ port: 25 }, /A port needs a host/],
      [{ auth: { password: "x" } }, /auth\.password/],
      [{ auth: { password: { $secret: "mail" } } }, /auth\.password/],
      [{ host: { $env: "HOME" } }, /operator/],
      [{ host: JSON.parse('{"__proto__": {"admin": true}}') }, /reserved/],
      [{ host: "x".repeat(70_000) }, /KiB/],
    ];
    for (const [values, reason] of bad) await assert.rejects(update("org", values), { code: "INPUT_REFUSED", message: reason });
    const deep = Array.from({ length: 50_000 }).reduce<JsonObject>((inner) => ({ inner }), {});
    await assert.rejects(update("org", { auth: deep }), { code: "INPUT_REFUSED", message: /deeper than 24/ });
    await assert.rejects(set("host.name", "a"), { code: "INPUT_REFUSED" });
    await set("host", "a");
    await assert.rejects(set("host.name", "a"), { code: "INPUT_REFUSED", message: /single value/ });
    assert.deepEqual(await sql("SELECT value, revision FROM settings"), [{ value: { host: "a" }, revision: 1 }]);
  });

  test("N-4 a stored section that is not valid any more counts for nothing, and the list says why", async () => {
    const { sql, view, update } = await begin();
    await sql("INSERT INTO settings (org_id, namespace, level, value, revision) SELECT id, 'mail', 'org', '{\"host\": 5}', 3 FROM orgs");
    const { effective, own } = await view();
    assert.deepEqual(effective, { host: "localhost" });
    assert.match(own?.problems.join() ?? "", /^host: /);
    assert.deepEqual(await update("org", { host: "a" }, 3), { revision: 4 });
    assert.deepEqual((await view()).own?.problems, []);
  });
});

describe("secrets", () => {
  test("SC-K1 N-7 they are sealed for their place and never given back: not in lists, answers, audit or errors", async () => {
    const { tenant, update, view, sql } = await begin();
    await update("org", { host: "a", auth: { user: "u", password, token } });
    const { own, effective } = await view();
    assert.deepEqual(own?.secrets, [
      { path: "auth.password", set: true },
      { path: "auth.token", set: true },
    ]);
    assert.deepEqual(
      [own?.values, effective],
      [
        { host: "a", auth: { user: "u" } },
        { host: "a", auth: { user: "u" } },
      ],
    );
    const stored = JSON.stringify([await sql("SELECT * FROM settings"), await sql("SELECT * FROM audit_entries"), await view()]);
    assert.ok(stored.includes("settings.update") && !stored.includes("canary"));
    await sql("UPDATE settings SET level = 'user', subject = $1", [tenant.userId]);
    await assert.rejects(update("user", { host: "b" }), { code: "SECRET_UNREADABLE" });
  });

  test("KN-098 unsetting one leaves the other, and other fields can change without either", async () => {
    const { update, set, unset, view, sql } = await begin();
    await update("org", { auth: { password, token } });
    const sealed = async () => (await sql("SELECT secrets FROM settings"))[0]?.secrets as Record<string, string>;
    const before = await sealed();
    await set("host", "b");
    assert.deepEqual(await sealed(), before);
    await unset("auth.password");
    assert.deepEqual(await sealed(), { "auth.token": before["auth.token"] });
    assert.deepEqual(
      (await view()).own?.secrets.map((secret) => secret.set),
      [false, true],
    );
    await unset("auth");
    assert.deepEqual(await sealed(), {});
  });

  test("one that cannot be opened any more can be taken out, or entered again", async () => {
    const { update, set, unset, sql, view } = await begin();
    await update("org", { auth: { password } });
    await sql('UPDATE settings SET secrets = \'{"auth.password": "AAAA"}\'');
    await assert.rejects(set("host", "a"), { code: "SECRET_UNREADABLE" });
    await unset("auth.password");
    assert.equal((await view()).own?.secrets[0]?.set, false);
    await sql('UPDATE settings SET secrets = \'{"auth.password": "AAAA"}\'');
    await set("auth.password", "new-password");
    await set("host", "a");
    await sql('UPDATE settings SET secrets = \'{"auth.password": "AAAA"}\'');
    await update("org", { auth: null });
    assert.equal((await view()).own?.secrets[0]?.set, false);
  });
});

describe("the default model", () => {
  test("N-2 person, workspace, organisation, first provider, in this order; a named one counts before all", async () => {
    const { tenant, ctx, org } = await begin();
    for (const slug of ["of-org", "of-workspace", "of-user"]) await world.createProvider(tenant.orgId, { slug, models: ["m1", "m2"] });
    const prefer = (level: SettingsLevel, provider: string, model = "m2") =>
      updateSettings(ctx, {
        org,
        namespace: "models",
        level,
        values: { provider, model },
        ...(level === "workspace" && { workspaceId: tenant.workspaceId }),
      });
    const started = async (providerSlug?: string) => {
      const asked = { org, workspaceId: tenant.workspaceId, clientKey: newId(), ...(providerSlug && { providerSlug }) };
      const { provider, model } = await getSession(ctx, { org, ...(await createSession(ctx, asked)) });
      return `${provider}/${model}`;
    };
    assert.equal(await started(), "demo/scripted");
    for (const level of ["org", "workspace", "user"] as const) {
      await prefer(level, `of-${level}`);
      assert.equal(await started(), `of-${level}/m2`);
    }
    assert.equal(await started("of-org"), "of-org/m1");
    await prefer("user", "of-user", "m3");
    await assert.rejects(started(), { code: "NO_MODEL", message: /default model/ });
    await assert.rejects(updateSettings(ctx, { org, namespace: "models", level: "org", values: { model: null } }), {
      code: "INPUT_REFUSED",
    });
  });
});
