import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import type { Tenant } from "@gantry/testing/db-factories";
import { appRouter } from "../src/router.ts";
import { procedureFixtures, type Target } from "./procedure-fixtures.ts";
import { type Answer, openApi, type Principal } from "./support.ts";
import { endLogin, type LoginEnd, outputKeys, prepare, targetOf } from "./walk-support.ts";

const api = await openApi();
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>).map(
  ([path, { _def }]) => ({
    path,
    type: _def.type,
  }),
);
const unknown = (): Target => ({
  org: `org-${randomUUID().slice(0, 8)}`,
  workspaceId: randomUUID(),
  sessionId: randomUUID(),
  providerSlug: `p-${randomUUID().slice(0, 8)}`,
  presetSlug: `p-${randomUUID().slice(0, 8)}`,
  loginId: randomUUID(),
});
const comparable = ({ status, body }: Answer) => ({ status, body });

const home: Tenant = await api.createTenant();
const homeTarget = await targetOf(api, home);
const strangers = await makeStrangers();

test("SC-T1 every procedure has a fixture, and every fixture a procedure", () => {
  assert.deepEqual(procedures.map(({ path }) => path).sort(), Object.keys(procedureFixtures).sort());
});

describe("SC-T1 CP-39 strangers get the answer of things that do not exist", () => {
  for (const { path, type } of procedures) {
    const fixture = procedureFixtures[path];
    if (!fixture || fixture.access === "public") continue;
    test(`SC-T1 ${path}`, async () => {
      const before = await census();
      const same = async (what: string, who: Principal, mine: Target, nobodys: Target): Promise<string> => {
        const theirs: Answer = await api.call(who, path, type, fixture.input(mine));
        const random: Answer = await api.call(who, path, type, fixture.input(nobodys));
        assert.deepEqual(comparable(theirs), comparable(random), what);
        return theirs.body;
      };
      for (const [name, who] of Object.entries(strangers.signedOut))
        assert.match(await same(name, who, homeTarget, unknown()), /"UNAUTHENTICATED"/, name);
      for (const [name, { who, org }] of Object.entries(strangers.signedIn)) {
        if (fixture.access === "org") assert.match(await same(name, who, homeTarget, unknown()), /"NOT_FOUND"/, name);
        if (fixture.namesIds)
          await same(
            `${name}, foreign ids in the own organisation`,
            who,
            { ...homeTarget, providerSlug: "only-at-home", org },
            { ...unknown(), org },
          );
      }
      assert.deepEqual(await census(), before);
    });
  }

  test("SC-T1 a batch mixes nothing: each call gets its own answer", async () => {
    const who = strangers.signedIn.otherOwner.who;
    const inputs = { 0: { json: { org: homeTarget.org } }, 1: { json: { org: strangers.signedIn.otherOwner.org } } };
    const response = await api.fetch(
      who,
      `/api/trpc/workspace.list,workspace.list?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`,
    );
    const [foreign, own] = (await response.json()) as [{ error?: object }, { result?: object }];
    assert.ok(foreign.error);
    assert.ok(own.result);
  });
});

describe("what members may do", () => {
  for (const { path, type } of procedures) {
    const fixture = procedureFixtures[path];
    if (!fixture) continue;
    test(`SC-L2 SC-T7 ${path} works for the owner, answers with its known keys${type === "mutation" ? " and writes one audit row" : ""}`, async () => {
      const tenant = await api.createTenant();
      await prepare(api, path, tenant);
      const target = await targetOf(api, tenant);
      const who = await api.signIn(tenant.userId);
      const before = await api.auditCount(tenant.orgId);
      const answer = await api.call(who, path, type, fixture.input(target));
      assert.equal(answer.status, 200, answer.body);
      if (fixture.outputKeys === "stream") return assert.match(answer.body, /"caughtUp":true/);
      const data = JSON.parse(answer.body).result.data.json;
      const keys = outputKeys(data).filter((key) => !fixture.dataUnder?.some((part) => key.startsWith(`${part}.`)));
      assert.deepEqual(keys, [...fixture.outputKeys].sort());
      const written = (await api.auditCount(tenant.orgId)) - before;
      if (path !== "account.signUp") assert.equal(written, (type === "mutation" && !fixture.isDryRun) || fixture.isAudited ? 1 : 0);
    });

    if (fixture.access === "public" && fixture.input(homeTarget) === undefined) continue;
    test(`SC-T7 ${path} refuses keys it does not know`, async () => {
      const who = await api.signIn(home.userId);
      const before = await census();
      for (const extra of [
        '"orgId":"x"',
        '"role":"owner"',
        '"id":"x"',
        '"createdAt":1',
        '"__proto__":{"admin":true}',
        '"constructor":{}',
      ]) {
        const good = JSON.stringify(fixture.input(homeTarget) ?? {});
        const input = JSON.parse(good === "{}" ? `{${extra}}` : `${good.slice(0, -1)},${extra}}`);
        const answer = await api.call(who, path, type, input);
        assert.match(answer.body, /"BAD_REQUEST"/, extra);
        assert.doesNotMatch(answer.body, /orgId|createdAt|__proto__|constructor/, "the refusal echoes the input");
      }
      assert.deepEqual(await census(), before);
    });

    if (fixture.access !== "org" || type !== "mutation") continue;
    test(`SC-T1 ${path} is refused to viewers`, async () => {
      const before = await census();
      const answer = await api.call(strangers.viewer, path, type, fixture.input(homeTarget));
      assert.equal(answer.status, 403, answer.body);
      assert.deepEqual(await census(), before);
    });
  }

  test("provider changes are for admins", async () => {
    const { userId } = await api.createUser();
    await api.createMembership(home.orgId, userId, "member");
    const member = await api.signIn(userId);
    for (const path of ["provider.save", "provider.remove"])
      assert.equal((await api.call(member, path, "mutation", procedureFixtures[path]?.input(homeTarget))).status, 403);
    const sent = await api.call(member, "session.send", "mutation", procedureFixtures["session.send"]?.input(homeTarget));
    assert.equal(sent.status, 200, sent.body);
  });
});

async function makeStrangers() {
  const other = await api.createTenant();
  const otherMember = await api.createUser();
  await api.createMembership(other.orgId, otherMember.userId, "member");
  const removed = await api.createUser();
  const removedsOwn = await api.createOrg({ userId: removed.userId });
  await api.createMembership(home.orgId, removed.userId, "admin");
  const removedLogin = await api.signIn(removed.userId);
  await api.asOwner(home.orgId, "DELETE FROM memberships WHERE user_id = $1", [removed.userId]);
  const viewer = await api.createUser();
  await api.createMembership(home.orgId, viewer.userId, "viewer");
  const ended = async (how: LoginEnd): Promise<Principal> => {
    const login = await api.signIn(home.userId);
    await endLogin(login.loginId, how);
    return login;
  };
  return {
    signedOut: {
      anonymous: null,
      expired: await ended("expired"),
      idle: await ended("idle"),
      revoked: await ended("revoked"),
    } as Record<string, Principal>,
    signedIn: {
      otherMember: { who: await api.signIn(otherMember.userId), org: other.slug },
      otherOwner: { who: await api.signIn(other.userId), org: other.slug },
      removedMember: { who: removedLogin, org: removedsOwn.slug },
    },
    viewer: await api.signIn(viewer.userId),
  };
}

/** How many rows of each kind the attacked organisation has. */
async function census() {
  const tables = [
    "audit_entries",
    "workspaces",
    "sessions",
    "session_commands",
    "providers",
    "memberships",
    "composition_revisions",
    "presets",
    "preset_revisions",
    "settings",
  ];
  return Promise.all(tables.map(async (table) => (await api.asOwner(home.orgId, `SELECT count(*)::int AS n FROM ${table}`))[0]?.n));
}
