import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Agent } from "@gantry/agent";
import type { SessionEvent } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { type ScriptRequest, toolResults } from "@gantry/testing";
import { SessionWorld } from "../src/session-world.ts";
import { kill, startStack, turnEnds, until } from "./support/stack.ts";

const script = (request: ScriptRequest) =>
  toolResults(request).length > 0
    ? { text: "finished" }
    : {
        toolCalls: [{ name: "bash", arguments: { command: "touch began; sleep 8; touch ended; echo all by itself", description: "Work" } }],
      };
const stack = await startStack(script, { LEASE_TTL_MS: "6000", LEASE_HEARTBEAT_MS: "1000", SWEEP_INTERVAL_MS: "1000" });
const results = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === "tool/result" ? [JSON.stringify(event.data.message.content)] : []));

test("AG-248 a command that ended while no worker was there gives its true result, and the session goes on (C8)", {
  timeout: 180_000,
}, async () => {
  const session = await stack.session();
  const worker = await stack.startWorker();
  await session.send("go");
  await until(() => existsSync(join(session.files, "began")), "the command");
  await kill(worker);
  await until(() => existsSync(join(session.files, "ended")), "the command's end");
  assert.deepEqual(results(await session.events()), [], "nobody was there to log it");
  const next = await stack.startWorker();
  await until(async () => turnEnds(await session.events()).at(-1) === "completed", "the end of the work");
  const events = await session.events();
  assert.equal(results(events).length, 1);
  assert.match(results(events)[0] ?? "", /all by itself/);
  assert.deepEqual(turnEnds(events), ["interrupted", "completed"]);
  await kill(next);
});

test("REC-1 a worker that lost its session does not mark the next holder's container as failed", { timeout: 180_000 }, async () => {
  const { orgId, sessionId, workspaceId } = await stack.session();
  const holder = (epoch: number) =>
    ({ orgId, sessionId, epoch, status: "idle", activity: { kind: "idle", since: 0 }, showActivity() {} }) as unknown as Agent;
  const mine = new SessionWorld(stack.sandbox, workspaceId);
  const world = await mine.open(holder(2), "workspace-write");
  const late = new SessionWorld(stack.sandbox, workspaceId);
  await assert.rejects(late.open(holder(1), "workspace-write"), { code: "SANDBOX_FENCED" });
  const rows = await withOrg(orgId, (tx) =>
    tx.sandbox.findMany({ where: { orgId, sessionId }, select: { id: true, state: true, problem: true } }),
  );
  assert.deepEqual(rows, [{ id: world.id, state: "ready", problem: null }]);
  mine.close();
  late.close();
});
