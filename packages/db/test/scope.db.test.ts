import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { OrgId } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { testDatabase } from "@gantry/testing/db";
import { enterOrg, isUniqueViolation, listOrgIds, type Tx, withOrg, withSystem, withUser } from "../src/index.ts";

const db = await testDatabase();

const counts = async (tx: Tx) => ({
  orgs: await tx.org.count(),
  users: await tx.user.count(),
  memberships: await tx.membership.count(),
  workspaces: await tx.workspace.count(),
  sessions: await tx.session.count(),
  providers: await tx.provider.count(),
});

describe("scopes", () => {
  test("SC-T2 an org sees its own rows and its members, a person their own, the system identities but no content", async () => {
    const [a, b] = [await db.createTenant(), await db.createTenant()];
    const { orgId: second } = await db.createOrg({ userId: a.userId });
    assert.deepEqual(await withOrg(a.orgId, counts), { orgs: 1, users: 1, memberships: 1, workspaces: 1, sessions: 1, providers: 1 });
    assert.deepEqual(await withUser(a.userId, counts), { orgs: 2, users: 1, memberships: 2, workspaces: 0, sessions: 0, providers: 0 });
    assert.deepEqual(await withSystem(counts), { orgs: 3, users: 2, memberships: 0, workspaces: 0, sessions: 0, providers: 0 });
    assert.deepEqual(new Set(await listOrgIds()), new Set([a.orgId, b.orgId, second]));
  });

  test("SC-T2 a scope ends with its transaction: pooled connections carry nothing over", async () => {
    const { orgId } = await db.createTenant();
    await withOrg(orgId, (tx) => tx.session.count());
    const rounds = await Promise.all(Array.from({ length: 12 }, () => withSystem((tx) => tx.session.count())));
    assert.deepEqual(new Set(rounds), new Set([0]));
  });

  test("SC-T2 a person cannot make themselves a member, nor can another org add to this one", async () => {
    const [a, b] = [await db.createTenant(), await db.createTenant()];
    const join = { orgId: b.orgId, userId: a.userId, role: "owner" as const };
    await assert.rejects(
      withUser(a.userId, (tx) => tx.membership.create({ data: join })),
      /row-level security/,
    );
    await assert.rejects(
      withOrg(a.orgId, (tx) => tx.membership.create({ data: join })),
      /row-level security/,
    );
    await assert.rejects(
      withSystem((tx) => tx.membership.create({ data: join })),
      /row-level security/,
    );
  });

  test("a sign-up writes person, org and membership in one transaction or not at all", async () => {
    const signUp = (email: string, fail: boolean) =>
      withSystem(async (tx) => {
        const [userId, orgId] = [newId(), newId<OrgId>()];
        await tx.user.create({ data: { id: userId, email, name: "N" } });
        await enterOrg(tx, orgId);
        await tx.org.create({ data: { id: orgId, name: "O", slug: orgId } });
        await tx.membership.create({ data: { orgId, userId, role: "owner" } });
        if (fail) throw new Error("cut off");
      });
    await assert.rejects(signUp("x@example.test", true), /cut off/);
    await signUp("x@example.test", false);
    await assert.rejects(
      signUp("x@example.test", false),
      (error) => isUniqueViolation(error, "email") && !isUniqueViolation(error, "slug"),
    );
  });

  test("platform presets are read by every org and written by none", async () => {
    const { orgId } = await db.createTenant();
    const preset = { slug: "own" };
    await withOrg(orgId, (tx) => tx.preset.create({ data: { ...preset, id: newId(), orgId } }));
    const seen = await withOrg(orgId, (tx) => tx.preset.findMany({ select: { slug: true }, orderBy: { slug: "asc" } }));
    assert.deepEqual(seen, [{ slug: "own" }, { slug: "standard" }]);
    await assert.rejects(
      withOrg(orgId, (tx) => tx.preset.create({ data: { ...preset, id: newId(), orgId: null } })),
      /row-level security/,
    );
    assert.deepEqual(await withOrg(orgId, (tx) => tx.preset.deleteMany({ where: { orgId: null } })), { count: 0 });
  });
});
