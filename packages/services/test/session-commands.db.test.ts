import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type ChangeQueue, maxMessageChars } from "@gantry/contracts";
import { pendingCommands } from "@gantry/db";
import { newId } from "@gantry/platform";
import type { Tenant } from "@gantry/testing/db-factories";
import { changeQueue } from "../src/session/change-queue.ts";
import { runCommand } from "../src/session/run-command.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();
const payloads = async (tenant: Tenant) => (await pendingCommands(tenant.orgId, tenant.sessionId)).map(({ payload }) => payload);
const place = ({ slug, sessionId }: Tenant) => ({ org: slug, sessionId, clientKey: `key-${newId()}` });

describe("human commands", () => {
  test("a typed command waits for the holder once, however often it is sent", async () => {
    const tenant = await world.createTenant();
    const input = { ...place(tenant), text: "/compact  soon " };
    const [first, second] = [await runCommand(world.contextOf(tenant), input), await runCommand(world.contextOf(tenant), input)];
    assert.deepEqual(second, first);
    const [stored, ...rest] = await payloads(tenant);
    assert.equal(rest.length, 0);
    assert.ok(stored?.kind === "command");
    assert.equal(first.runId, stored.commandId, "what the log will name it");
    assert.deepEqual(
      { name: stored.name, args: stored.args, userId: stored.userId },
      { name: "compact", args: "soon", userId: tenant.userId },
    );
    assert.deepEqual(
      (await world.audit(tenant.orgId)).map(({ action }) => action),
      ["session.command"],
    );
  });

  test("CMD-1 what is no command, or none that there is, is refused with those there are, and stores nothing", async () => {
    const tenant = await world.createTenant();
    for (const text of [
      "hello",
      "/etc/passwd is gone",
      "/",
      "/fly to the moon",
      " /compact",
      "\n/compact",
      "/Compact",
      "/compact/x",
      "/-compact",
    ])
      await assert.rejects(runCommand(world.contextOf(tenant), { ...place(tenant), text }), {
        code: "INPUT_REFUSED",
        message: /\/compact/,
      });
    assert.deepEqual(await payloads(tenant), []);
  });

  test("SC-L2 who asks for a permission by command is in the audit trail with what was asked for; other words are not", async () => {
    const tenant = await world.createTenant();
    for (const text of ["/permission danger-full-access", "/feedback my secret"])
      await runCommand(world.contextOf(tenant), { ...place(tenant), text });
    const rows = await world.asOwner<{ details: unknown }>(tenant.orgId, "SELECT details FROM audit_entries ORDER BY id");
    assert.deepEqual(
      rows.map(({ details }) => details),
      [{ command: "permission", permission: "danger-full-access" }, { command: "feedback" }],
    );
  });

  test("a session of another organisation is not there", async () => {
    const [mine, other] = [await world.createTenant(), await world.createTenant()];
    const input = { ...place(other), org: mine.slug, text: "/compact" };
    await assert.rejects(runCommand(world.contextOf(mine), input), { code: "NOT_FOUND" });
    assert.deepEqual(await payloads(other), []);
  });
});

describe("changes of the queue", () => {
  const changes: ChangeQueue["change"][] = [
    { kind: "remove" },
    { kind: "edit", text: "other words" },
    { kind: "move", index: 2 },
    { kind: "steer" },
  ];

  test("each change waits for the holder as it was asked for, and is in the audit trail", async () => {
    const tenant = await world.createTenant();
    for (const change of changes) await changeQueue(world.contextOf(tenant), { ...place(tenant), messageId: "m1", change });
    assert.deepEqual(
      await payloads(tenant),
      changes.map((change) => ({ kind: "queue", messageId: "m1", change, userId: tenant.userId, userName: "Ada" })),
    );
    assert.equal((await world.audit(tenant.orgId)).length, changes.length);
  });

  test("a key used for another change is refused; words beyond a message's length are, too", async () => {
    const tenant = await world.createTenant();
    const [ctx, input] = [world.contextOf(tenant), { ...place(tenant), messageId: "m1", change: { kind: "remove" } as const }];
    await changeQueue(ctx, input);
    await assert.rejects(changeQueue(ctx, { ...input, change: { kind: "steer" } }), { code: "CONFLICT" });
    const change = { kind: "edit", text: "x".repeat(maxMessageChars + 1) } as const;
    await assert.rejects(changeQueue(ctx, { ...place(tenant), messageId: "m1", change }), { code: "MESSAGE_TOO_LARGE" });
    assert.equal((await payloads(tenant)).length, 1);
  });
});
