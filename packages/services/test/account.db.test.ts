import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { OrgSlug, type SignUp, UserId } from "@gantry/contracts";
import { withSystem } from "@gantry/db";
import { getMe } from "../src/account/get-me.ts";
import { listLogins } from "../src/account/list-logins.ts";
import { findLogin } from "../src/account/login.ts";
import { orgSlug } from "../src/account/org-slug.ts";
import { revokeAllLogins } from "../src/account/revoke-all-logins.ts";
import { revokeLogin } from "../src/account/revoke-login.ts";
import { signInWithPassword } from "../src/account/sign-in-with-password.ts";
import { signUp } from "../src/account/sign-up.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();
const password = "correct horse battery";
const newcomer = (overrides: Partial<SignUp> = {}): SignUp => ({
  name: "Ada",
  email: `${randomUUID()}@example.test`,
  password,
  orgName: "Acme Research",
  ...overrides,
});

describe("signing up", () => {
  test("makes a person who owns an organisation; a taken name gets another slug", async () => {
    const input = newcomer();
    const { org } = await signUp(world.deps, input, "test");
    const login = await signInAs(input.email);
    const me = await getMe({ ...world.deps, ...login, userName: login.name });
    assert.deepEqual([me.user.email, me.orgs[0]?.slug, me.orgs[0]?.role], [input.email, org, "owner"]);
    const second = await signUp(world.deps, newcomer(), "test");
    assert.notEqual(second.org, org);
    assert.ok(second.org.startsWith("acme-research-"));
  });

  test("an address has one account, also when ten ask at once", async () => {
    const input = newcomer();
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => signUp(world.deps, input, randomUUID())));
    assert.equal(results.filter((result) => result.status === "fulfilled").length, 1);
    assert.ok(results.every((result) => result.status === "fulfilled" || result.reason.code === "EMAIL_TAKEN"));
    const slugs = await withSystem((tx) => tx.org.count({ where: { slug: { startsWith: "acme-research" } } }));
    await assert.rejects(signUp(world.deps, input, "test"), { code: "EMAIL_TAKEN" });
    assert.equal(await withSystem((tx) => tx.org.count({ where: { slug: { startsWith: "acme-research" } } })), slugs);
  });

  test("a closed installation takes nobody", async () => {
    const closed = { ...world.deps, env: { ...world.env, SIGNUP_OPEN: false } };
    await assert.rejects(signUp(closed, newcomer(), "test"), { code: "FORBIDDEN" });
  });

  test("SC-K1 the password is stored as argon2id with our parameters and nowhere else", async () => {
    const input = newcomer();
    await signUp(world.deps, input, "test");
    const user = await withSystem((tx) => tx.user.findUniqueOrThrow({ where: { email: input.email } }));
    assert.match(user.passwordHash ?? "", /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe("signing in", () => {
  test("SC-W11 unknown addresses cost the same work as wrong passwords", async () => {
    const known = newcomer();
    await signUp(world.deps, known, "test");
    const limiter = { take: async () => {}, reset: async () => {} };
    const deps = { ...world.deps, limiter };
    /** Computing time of the whole process, which hashes in threads: how long the machine lets it wait is not in it. */
    const workOf = async (email: string) => {
      const before = process.cpuUsage();
      await assert.rejects(signInWithPassword(deps, { email, password: "wrong password" }, "test"), { code: "WRONG_CREDENTIALS" });
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    await workOf(known.email);
    const work: [number, number][] = [];
    for (let round = 0; round < 15; round++) work.push([await workOf(known.email), await workOf(`${randomUUID()}@example.test`)]);
    const median = (side: 0 | 1) => work.map((pair) => pair[side]).sort((a, b) => a - b)[7] ?? 0;
    const ratio = median(1) / median(0);
    assert.ok(ratio > 0.5 && ratio < 2, `unknown/known ${ratio.toFixed(2)}`);
  });

  test("SC-W7 logins are listed, and revoked one by one or all at once, at once", async () => {
    const input = newcomer();
    await signUp(world.deps, input, "test");
    const logins = [];
    for (let browser = 0; browser < 3; browser++) logins.push(await signInAs(input.email));
    const [here, lost] = logins;
    assert.ok(here && lost);
    const ctx = { ...world.deps, ...here, userName: here.name };
    assert.deepEqual(
      (await listLogins(ctx)).filter((view) => view.isCurrent).map((view) => view.id),
      [here.loginId],
    );
    await revokeLogin(ctx, { loginId: lost.loginId });
    assert.equal(await findLogin(lost.userId, lost.loginId), null);
    assert.equal((await listLogins(ctx)).length, 2);
    const stranger = await signInAsSomebodyElse();
    await assert.rejects(revokeLogin({ ...world.deps, ...stranger, userName: "Eve" }, { loginId: here.loginId }), { code: "NOT_FOUND" });
    assert.ok(await findLogin(here.userId, here.loginId));
    assert.equal(await findLogin(UserId.parse(stranger.userId), here.loginId), null);
    assert.deepEqual(await revokeAllLogins(ctx), { revoked: 2 });
    assert.equal(await findLogin(here.userId, here.loginId), null);
    assert.ok(await findLogin(stranger.userId, stranger.loginId));
  });
});

test("a slug is made of any name", () => {
  assert.equal(orgSlug("Grüße & Söhne GmbH"), "gru-e-sohne-gmbh");
  for (const name of ["API", "設計", "🙂", "-", "x".repeat(200), "a--b", " Settings "])
    assert.ok(OrgSlug.safeParse(orgSlug(name)).success, name);
  assert.notEqual(orgSlug("API"), "api");
});

async function signInAsSomebodyElse() {
  const input = newcomer();
  await signUp(world.deps, input, "test");
  return signInAs(input.email);
}

function signInAs(email: string) {
  return signInWithPassword(world.deps, { email, password }, "test");
}
