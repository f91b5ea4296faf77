import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AnswerPrompt, Json } from "@gantry/contracts";
import { pendingCommands, readPrompt } from "@gantry/db";
import { newId } from "@gantry/platform";
import { answerPrompt } from "../src/prompt/answer-prompt.ts";
import { listDeciders } from "../src/prompt/list-deciders.ts";
import { listPrompts } from "../src/prompt/list-prompts.ts";
import { showHidden } from "../src/prompt/show-hidden.ts";
import { cancelTurn } from "../src/session/cancel-turn.ts";
import { createSession } from "../src/session/create-session.ts";
import { getSession } from "../src/session/get-session.ts";
import { setPermission } from "../src/session/set-permission.ts";
import { updateSettings } from "../src/settings/update-settings.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();
const binding = "b".repeat(64);
const questions = [
  { id: "q1", header: "", question: "Which?", options: [{ label: "A" }, { label: "B" }] },
  { id: "q2", header: "", question: "What else?", options: [{ label: "C" }, { label: "D" }], multiSelect: true },
];

/** A session that asks a person, as a worker stored it. */
async function asking(kind: "approval" | "question" = "approval", shown: Json = { arguments: '{"command":"ls"}', reason: "look" }) {
  const tenant = await world.createTenant();
  const { orgId, sessionId, slug: org } = tenant;
  const promptId = newId();
  const columns = "(org_id, session_id, id, kind, call_id, tool_name, shown, binding, expires_at)";
  const values = [orgId, sessionId, promptId, kind, kind === "question" ? JSON.stringify({ questions }) : JSON.stringify(shown), binding];
  await world.asOwner(
    orgId,
    `INSERT INTO pending_prompts ${columns} VALUES ($1, $2, $3, $4, 'c1', 'bash', $5, $6, now() + interval '1 hour')`,
    values,
  );
  const ctx = world.contextOf(tenant);
  const input = (more: Partial<AnswerPrompt> = {}): AnswerPrompt => ({
    org,
    promptId,
    binding,
    outcome: "allow-once",
    clientKey: newId(),
    ...more,
  });
  const row = () => readPrompt(orgId, sessionId, promptId);
  const set = (assignment: string) => world.asOwner(orgId, `UPDATE pending_prompts SET ${assignment} WHERE id = $1`, [promptId]);
  const commands = async () => (await pendingCommands(orgId, sessionId)).map(({ payload }) => payload);
  return { tenant, ctx, org, sessionId, promptId, input, row, set, commands };
}

describe("answering", () => {
  test("who answered has a name for the session's readers, nobody else has", async () => {
    const { ctx, input, org, sessionId, tenant } = await asking();
    assert.deepEqual(await listDeciders(ctx, { org, sessionId }), []);
    await answerPrompt(ctx, input());
    const named = await listDeciders(ctx, { org, sessionId });
    assert.deepEqual(
      named.map(({ id }) => id),
      [tenant.userId],
    );
    assert.ok(named[0]?.name);
    const stranger = await world.createTenant();
    await assert.rejects(listDeciders(world.contextOf(stranger), { org: stranger.slug, sessionId }), { code: "NOT_FOUND" });
  });

  test("APR-5 the answer, who gave it and the command that wakes the session are stored together", async () => {
    const { ctx, input, row, commands, promptId, tenant } = await asking();
    await answerPrompt(ctx, input());
    const stored = await row();
    assert.deepEqual(
      [stored?.state, stored?.decidedBy, stored?.answer],
      ["answered", tenant.userId, { kind: "approval", outcome: "allowed-once" }],
    );
    assert.deepEqual(await commands(), [{ kind: "answer", promptId }]);
    assert.deepEqual(
      (await world.audit(tenant.orgId)).map(({ action, subject }) => [action, subject]),
      [["prompt.answer", promptId]],
    );
  });

  test("AG-245 approve on two devices: one answer counts, the other is told; a repeat of the same request is harmless", async () => {
    const { ctx, input, row, commands } = await asking();
    const settled = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => answerPrompt(ctx, input({ outcome: index % 2 ? "deny" : "allow-once" }))),
    );
    assert.equal(settled.filter(({ status }) => status === "fulfilled").length, 1);
    for (const result of settled) if (result.status === "rejected") assert.equal(result.reason.code, "CONFLICT");
    assert.equal((await commands()).length, 1);
    assert.equal((await row())?.state, "answered");
    const again = await asking();
    const same = again.input();
    const first = await answerPrompt(again.ctx, same);
    assert.deepEqual(await Promise.all([answerPrompt(again.ctx, same), answerPrompt(again.ctx, same)]), [first, first]);
    assert.equal((await again.commands()).length, 1);
  });

  test("SC-P2 an answer for something else than what is asked is refused, and the question stays", async () => {
    const { ctx, input, row } = await asking();
    await assert.rejects(answerPrompt(ctx, input({ binding: "c".repeat(64) })), { code: "CONFLICT", message: /not what is asked/ });
    assert.equal((await row())?.state, "pending");
  });

  test("AG-173 a late answer, and one that nobody waits for any more, is a conflict", async () => {
    const late = await asking();
    await late.set("expires_at = now() - interval '1 second'");
    await assert.rejects(answerPrompt(late.ctx, late.input()), { code: "CONFLICT", message: /time for this answer is over/ });
    const stopped = await asking();
    await stopped.set("state = 'cancelled'");
    await assert.rejects(answerPrompt(stopped.ctx, stopped.input()), { code: "CONFLICT", message: /was stopped/ });
    assert.deepEqual([await late.commands(), await stopped.commands()], [[], []]);
  });

  test("SC-T1 another org's question is not there, neither to see nor to answer", async () => {
    const { input, org, sessionId, row } = await asking();
    const stranger = world.contextOf(await world.createTenant());
    await assert.rejects(answerPrompt(stranger, input()), { code: "NOT_FOUND" });
    await assert.rejects(listPrompts(stranger, { org, sessionId }), { code: "NOT_FOUND" });
    assert.equal((await row())?.state, "pending");
  });

  test("a key that was used for something else is refused, and the answer with it", async () => {
    const { ctx, input, org, sessionId, row } = await asking();
    await cancelTurn(ctx, { org, sessionId, clientKey: "taken-key-1" });
    await assert.rejects(answerPrompt(ctx, input({ clientKey: "taken-key-1" })), { code: "CONFLICT" });
    assert.equal((await row())?.state, "pending");
  });

  test("EX-241 EX-242 AG-227 questions: the first answer counts; unknown questions and options, two choices of one, and doubles are refused", async () => {
    const { ctx, input, row } = await asking("question");
    const say = (answers: NonNullable<AnswerPrompt["answers"]>) => answerPrompt(ctx, input({ outcome: "answer", answers }));
    const wrong: NonNullable<AnswerPrompt["answers"]>[] = [
      [{ id: "q9", selected: [] }],
      [{ id: "q1", selected: ["C"] }],
      [{ id: "q1", selected: ["A", "B"] }],
      [{ id: "q2", selected: ["C", "C"] }],
      [
        { id: "q1", selected: ["A"] },
        { id: "q1", selected: ["B"] },
      ],
    ];
    for (const answers of wrong) await assert.rejects(say(answers), { code: "BAD_REQUEST" }, JSON.stringify(answers));
    await assert.rejects(answerPrompt(ctx, input({ outcome: "allow-once" })), { code: "BAD_REQUEST" });
    assert.equal((await row())?.state, "pending");
    await say([{ id: "q2", selected: ["D", "C"], custom: "and more" }]);
    assert.deepEqual((await row())?.answer, {
      kind: "question",
      outcome: "answered",
      answers: [
        { id: "q1", selected: [] },
        { id: "q2", selected: ["D", "C"], custom: "and more" },
      ],
    });
    await assert.rejects(say([{ id: "q1", selected: ["A"] }]), { code: "CONFLICT" });
    const approval = await asking();
    await assert.rejects(answerPrompt(approval.ctx, approval.input({ outcome: "dismiss" })), { code: "BAD_REQUEST" });
  });
});

describe("what is shown", () => {
  test("SC-P2 hidden characters of arguments and reason are escapes", async () => {
    const shown = { arguments: '{"command":"rm a\u202egnp.txt"}', reason: "\u001b[2Kharmless\u200b" };
    const { ctx, org, sessionId, promptId } = await asking("approval", shown);
    const [prompt] = await listPrompts(ctx, { org, sessionId });
    assert.equal(prompt?.id, promptId);
    assert.ok(prompt?.kind === "approval");
    assert.equal(prompt.arguments, '{"command":"rm a\\u{202e}gnp.txt"}');
    assert.equal(prompt.reason, "\\u{1b}[2Kharmless\\u{200b}");
    assert.equal(prompt.binding, binding);
  });

  test("SC-P2 escapes: what is seen as it is stays", () => {
    assert.equal(showHidden("line\n\ttab ä 漢 🙂"), "line\n\ttab ä 漢 🙂");
    assert.equal(showHidden("a\u2066b\ufeffc\u00add\r\u2028"), "a\\u{2066}b\\u{feff}c\\u{ad}d\\u{d}\\u{2028}");
    assert.equal(showHidden("\u{e0041}"), "\\u{e0041}");
    for (const char of ["\u034f", "\u180b", "\ufe00", "\ufe0f", "\u{e0100}", "\u{e01ef}", "\u3164", "\u115f", "\u17b4", "\u2800", "\uffff"])
      assert.match(showHidden(`a${char}b`), /^a\\u\{[0-9a-f]+\}b$/);
  });

  test("EX-240 what is open is listed again and again, until it is answered or its time is over", async () => {
    const { ctx, org, sessionId, input, set } = await asking("question");
    const ids = async () => (await listPrompts(ctx, { org, sessionId })).length;
    assert.deepEqual([await ids(), await ids()], [1, 1]);
    await set("expires_at = now() - interval '1 second'");
    assert.equal(await ids(), 0);
    await set("expires_at = now() + interval '1 hour'");
    await answerPrompt(ctx, input({ outcome: "dismiss" }));
    assert.equal(await ids(), 0);
  });
});

describe("permissions of sessions", () => {
  test("AG-106 a new session begins with the person's default, else the organisation's; one that exists keeps what it was created with", async () => {
    const tenant = await world.createTenant();
    const ctx = world.contextOf(tenant);
    const { slug: org, workspaceId } = tenant;
    const permissionOf = async (permission?: string) => {
      const { sessionId } = await createSession(ctx, { org, workspaceId, clientKey: newId(), ...(permission ? { permission } : {}) });
      return { sessionId, now: async () => (await getSession(ctx, { org, sessionId })).permission };
    };
    const first = await permissionOf();
    assert.equal(await first.now(), "workspace-write");
    await updateSettings(ctx, { org, namespace: "permissions", level: "org", values: { default: "read-only" } });
    const second = await permissionOf();
    await updateSettings(ctx, { org, namespace: "permissions", level: "user", values: { default: "danger-full-access" } });
    const third = await permissionOf();
    assert.deepEqual([await first.now(), await second.now(), await third.now()], ["workspace-write", "read-only", "danger-full-access"]);
    assert.equal(await (await permissionOf("read-only")).now(), "read-only");
    await assert.rejects(permissionOf("custom"), { code: "INPUT_REFUSED" });
  });

  test("PRM-3 a switch is a command; an unknown preset is refused before anything is stored", async () => {
    const { ctx, org, sessionId, commands } = await asking();
    await assert.rejects(setPermission(ctx, { org, sessionId, preset: "custom", clientKey: newId() }), { code: "INPUT_REFUSED" });
    const clientKey = newId();
    const first = await setPermission(ctx, { org, sessionId, preset: "read-only", clientKey });
    assert.deepEqual(await setPermission(ctx, { org, sessionId, preset: "read-only", clientKey }), first);
    assert.deepEqual(await commands(), [{ kind: "set-permission", preset: "read-only", userId: ctx.userId }]);
  });

  test("PRM-2 an organisation's own table is what its people may choose from", async () => {
    const { ctx, org, sessionId, tenant } = await asking();
    const presets = [{ name: "locked", mode: "read-only", policy: "never" }];
    const source = JSON.stringify([{ id: "permission-presets", config: { presets } }]);
    const columns = "(org_id, profile, kind, revision, bundles, source)";
    await world.asOwner(tenant.orgId, `INSERT INTO composition_revisions ${columns} VALUES ($1, 'web', 'org', 1, '{}', $2)`, [
      tenant.orgId,
      source,
    ]);
    await world.asOwner(tenant.orgId, "INSERT INTO composition_pointers VALUES ($1, 'web', 'org', 1)", [tenant.orgId]);
    const set = (preset: string) => setPermission(ctx, { org, sessionId, preset, clientKey: newId() });
    await set("locked");
    await assert.rejects(set("danger-full-access"), { code: "INPUT_REFUSED", message: /Choose one of: locked/ });
    const input = { org, workspaceId: tenant.workspaceId, permission: "danger-full-access", clientKey: newId() };
    await assert.rejects(createSession(ctx, input), { code: "INPUT_REFUSED" });
  });
});
