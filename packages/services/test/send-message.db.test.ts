import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { maxMessageChars, type SendMessage, SessionId } from "@gantry/contracts";
import { pendingCommands } from "@gantry/db";
import { newId } from "@gantry/platform";
import type { Tenant } from "@gantry/testing/db-factories";
import type { ServiceContext } from "../src/context.ts";
import { cancelTurn } from "../src/session/cancel-turn.ts";
import { sendMessage } from "../src/session/send-message.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();

describe("sending to a session", () => {
  let tenant: Tenant;
  let ctx: ServiceContext;
  const message = (overrides: Partial<SendMessage> = {}): SendMessage => ({
    org: tenant.slug,
    sessionId: tenant.sessionId,
    clientKey: `key-${newId()}`,
    text: "hello",
    target: "next-turn",
    ...overrides,
  });
  const fresh = async () => {
    tenant = await world.createTenant();
    ctx = world.contextOf(tenant);
  };

  test("AG-245 the same key twice is one entry with one answer and one audit row", async () => {
    await fresh();
    const input = message();
    const [first, second] = [await sendMessage(ctx, input), await sendMessage(ctx, input)];
    assert.deepEqual(second, first);
    const pending = await pendingCommands(tenant.orgId, tenant.sessionId);
    assert.equal(pending.length, 1);
    assert.equal(pending[0]?.payload.kind === "send" && pending[0].payload.messageId, first.messageId);
    assert.deepEqual(
      (await world.audit(tenant.orgId)).map((row) => row.action),
      ["session.send"],
    );
  });

  test("AG-245 twenty parallel copies are one entry", async () => {
    await fresh();
    const input = message();
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendMessage(ctx, input)));
    assert.equal(new Set(answers.map((answer) => answer.messageId)).size, 1);
    assert.equal((await pendingCommands(tenant.orgId, tenant.sessionId)).length, 1);
  });

  test("a key used for another text or another request is refused and stores nothing", async () => {
    await fresh();
    const input = message();
    await sendMessage(ctx, input);
    await assert.rejects(sendMessage(ctx, { ...input, text: "other" }), { code: "CONFLICT" });
    await assert.rejects(cancelTurn(ctx, { org: tenant.slug, sessionId: tenant.sessionId, clientKey: input.clientKey }), {
      code: "CONFLICT",
    });
    assert.equal((await pendingCommands(tenant.orgId, tenant.sessionId)).length, 1);
  });

  test("SC-R11 a message above the limit is refused with both numbers before anything is stored", async () => {
    await fresh();
    const text = "x".repeat(maxMessageChars + 1);
    await assert.rejects(sendMessage(ctx, message({ text })), {
      code: "MESSAGE_TOO_LARGE",
      data: { chars: maxMessageChars + 1, maxChars: maxMessageChars },
    });
    await sendMessage(ctx, message({ text: text.slice(1) }));
    assert.equal((await pendingCommands(tenant.orgId, tenant.sessionId)).length, 1);
  });

  test("SC-T1 another organisation's session reads like one that does not exist", async () => {
    await fresh();
    const other = await world.createTenant();
    const foreign = world.contextOf(other);
    const [theirs, unknown] = await Promise.all(
      [tenant.sessionId, SessionId.parse(newId())].map((sessionId) => sendMessage(foreign, message({ sessionId })).catch((error) => error)),
    );
    assert.equal(theirs.code, "NOT_FOUND");
    assert.deepEqual([theirs.code, theirs.message, theirs.data], [unknown.code, unknown.message, unknown.data]);
    assert.deepEqual(await pendingCommands(tenant.orgId, tenant.sessionId), []);
    assert.deepEqual(await world.audit(other.orgId), []);
  });

  test("SES-34 commands wait in the order in which they were accepted", async () => {
    await fresh();
    await sendMessage(ctx, message({ text: "one" }));
    await cancelTurn(ctx, { org: tenant.slug, sessionId: tenant.sessionId, clientKey: `key-${newId()}` });
    await sendMessage(ctx, message({ text: "two", target: "next-step" }));
    const kinds = (await pendingCommands(tenant.orgId, tenant.sessionId)).map(({ payload }) =>
      payload.kind === "send" ? payload.text : payload.kind,
    );
    assert.deepEqual(kinds, ["one", "cancel", "two"]);
  });
});
