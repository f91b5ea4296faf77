import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { acquireLease, appendEvents, expirePrompts, pendingCommands, type Role, readPrompt, withOrg } from "@gantry/db";
import type { Tenant } from "@gantry/testing/db-factories";
import { storePrompt } from "./prompt-fixtures.ts";
import { openApi, type Principal } from "./support.ts";

const api = await openApi();
const binding = "a".repeat(64);
type Outcome = "allow-once" | "deny";

/** A session that asks, and people of its organisation who are signed in. */
async function asking() {
  const tenant = await api.createTenant();
  await storePrompt(api, tenant);
  const { orgId, sessionId, slug: org } = tenant;
  const join = async (role: Role) => {
    const { userId } = await api.createUser();
    await api.createMembership(orgId, userId, role);
    return api.signIn(userId);
  };
  const answer = (who: Principal, outcome: Outcome, more: object = {}) =>
    api.call(who, "prompt.answer", "mutation", { org, promptId: sessionId, binding, outcome, clientKey: randomUUID(), ...more });
  const row = () => readPrompt(orgId, sessionId, sessionId);
  const commands = async () => (await pendingCommands(orgId, sessionId)).map(({ payload }) => payload);
  const audit = () =>
    api.asOwner<{ actor_id: string; details: { outcome: string } }>(
      orgId,
      "SELECT actor_id, details FROM audit_entries WHERE action = 'prompt.answer'",
    );
  return { tenant, org, join, answer, row, commands, audit };
}
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort();

describe("APR-5 two members answer at once", () => {
  for (let round = 1; round <= 6; round += 1)
    test(`AG-245 round ${round}: one answer counts, with its name; the other is told so, and the session is woken once`, async () => {
      const { join, answer, row, commands, audit, tenant } = await asking();
      const people = await Promise.all([join("member"), join("admin"), join("member")]);
      const outcomeOf = (index: number): Outcome => ((index + round) % 2 ? "deny" : "allow-once");
      const answers = await Promise.all(people.map((who, index) => answer(who, outcomeOf(index))));
      assert.deepEqual(statuses(answers), [200, 409, 409], answers.map(({ body }) => body).join());
      const won = answers.findIndex(({ status }) => status === 200);
      const stored = await row();
      const said = outcomeOf(won) === "deny" ? "rejected" : "allowed-once";
      assert.deepEqual(
        [stored?.state, stored?.decidedBy, stored?.answer],
        ["answered", people[won]?.userId, { kind: "approval", outcome: said }],
      );
      assert.deepEqual(await commands(), [{ kind: "answer", promptId: tenant.sessionId }]);
      assert.deepEqual(
        (await audit()).map(({ actor_id: by, details }) => [by, details.outcome]),
        [[people[won]?.userId, said]],
      );
      for (const { status, body } of answers) if (status !== 200) assert.match(body, /answered already\. The first answer counts/);
    });

  test("one person in two browsers, each with its own request key, and each sent twice by its network", async () => {
    const { join, answer, commands, row } = await asking();
    const who = await join("member");
    const keys = [randomUUID(), randomUUID()];
    const sent = keys.flatMap((clientKey, index) => [0, 1].map(() => answer(who, index ? "deny" : "allow-once", { clientKey })));
    const answers = await Promise.all(sent);
    assert.equal((await commands()).length, 1);
    assert.deepEqual(statuses(answers), [200, 200, 409, 409]);
    const isAllowed = answers[0]?.status === 200;
    assert.deepEqual((await row())?.answer, { kind: "approval", outcome: isAllowed ? "allowed-once" : "rejected" });
    assert.equal(answers[0]?.body === answers[1]?.body && answers[2]?.body === answers[3]?.body, true, "repeats have one answer");
  });

  test("the same key with the opposite answer is no repeat: the first stays", async () => {
    const { join, answer, row } = await asking();
    const who = await join("member");
    const clientKey = randomUUID();
    assert.equal((await answer(who, "deny", { clientKey })).status, 200);
    assert.equal((await answer(who, "allow-once", { clientKey })).status, 409);
    assert.equal((await answer(await join("member"), "deny", { clientKey })).status, 409, "nor is another person's");
    assert.equal((await answer(who, "deny", { clientKey })).status, 200);
    assert.deepEqual((await row())?.answer, { kind: "approval", outcome: "rejected" });
  });
});

describe("APR-5 who may answer", () => {
  test("viewers, removed members, members of another organisation and people without an organisation do not; the question stays", async () => {
    const { tenant, org, join, answer, row, commands } = await asking();
    const viewer = await join("viewer");
    assert.equal((await answer(viewer, "allow-once")).status, 403);
    const removed = await join("member");
    await withOrg(tenant.orgId, (tx) => tx.membership.deleteMany({ where: { orgId: tenant.orgId, userId: removed.userId } }));
    const other = await api.createTenant();
    const stranger = await api.signIn(other.userId);
    const nobody = await api.signIn((await api.createUser()).userId);
    for (const who of [removed, stranger, nobody]) {
      assert.equal((await answer(who, "allow-once")).status, 404);
      assert.equal((await answer(who, "allow-once", { org: other.slug })).status, 404, "nor through an organisation of their own");
    }
    assert.equal((await answer(null, "allow-once")).status, 401);
    const demoted = await join("member");
    await withOrg(tenant.orgId, (tx) =>
      tx.membership.updateMany({ where: { orgId: tenant.orgId, userId: demoted.userId }, data: { role: "viewer" } }),
    );
    assert.equal((await answer(demoted, "allow-once")).status, 403);
    assert.deepEqual([(await row())?.state, await commands(), org], ["pending", [], tenant.slug]);
  });

  test("a member of both organisations answers each one's question through that one only", async () => {
    const [here, there] = [await asking(), await asking()];
    const who = await here.join("member");
    await api.createMembership(there.tenant.orgId, who.userId, "member");
    assert.equal((await here.answer(who, "deny", { org: there.org })).status, 404);
    assert.equal((await here.answer(who, "deny")).status, 200);
    assert.equal((await there.row())?.state, "pending");
  });
});

describe("APR-5 an answer meets its end", () => {
  /** The worker's batch that says nobody waits any more. */
  async function withdraw({ orgId, sessionId }: Tenant): Promise<void> {
    const lease = await acquireLease(orgId, sessionId, "w", 30_000);
    assert.ok(lease);
    const { epoch, nextSeq } = lease;
    await appendEvents(orgId, sessionId, { epoch, nextSeq, events: [], prompts: { open: [], close: [sessionId] } });
  }

  for (let round = 1; round <= 4; round += 1)
    test(`a stop and an answer at once, round ${round}: whichever was first stands, and both are told the truth`, async () => {
      const { tenant, join, answer, row, commands } = await asking();
      const who = await join("member");
      const [said] = await Promise.all([answer(who, "allow-once"), withdraw(tenant)]);
      const state = (await row())?.state;
      assert.ok(state === "answered" || state === "cancelled");
      assert.equal(said.status, state === "answered" ? 200 : 409, said.body);
      assert.equal((await commands()).length, state === "answered" ? 1 : 0);
      assert.equal((await answer(who, "deny")).status, 409);
    });

  test("an answer in the moment its time runs out: it counts or it does not, and the session hears of it once", async () => {
    const { tenant, join, answer, row, commands } = await asking();
    const who = await join("member");
    await api.asOwner(tenant.orgId, "UPDATE pending_prompts SET expires_at = now() + interval '30 milliseconds' WHERE id = $1", [
      tenant.sessionId,
    ]);
    const answers = [];
    do answers.push((await Promise.all([answer(who, "allow-once"), expirePrompts(tenant.orgId)]))[0]);
    while ((await row())?.state === "pending");
    const state = (await row())?.state;
    assert.equal(answers.filter(({ status }) => status === 200).length, state === "answered" ? 1 : 0);
    assert.deepEqual(await commands(), [{ kind: "answer", promptId: tenant.sessionId }]);
  });
});
