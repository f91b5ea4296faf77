import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { WorkspaceId } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { createLogger } from "@gantry/platform";
import { createProducer, startQueueWorker } from "@gantry/queue";
import { testDatabase } from "@gantry/testing/db";
import { sweepSessions } from "../src/handlers/sweep-sessions.ts";
import { OrgRoots } from "../src/roots/org-roots.ts";

const db = await testDatabase();

test("CP-44 an import whose ticket was lost is asked for again by the sweep, a finished one is not", { timeout: 120_000 }, async () => {
  const { orgId } = await db.createOrg();
  const [waiting, ready] = [await db.createWorkspace(orgId), await db.createWorkspace(orgId)];
  const data = { state: "importing" as const };
  await withOrg(orgId, (tx) => tx.workspace.update({ where: { orgId_id: { orgId, id: waiting.workspaceId } }, data }));
  const producer = createProducer();
  after(() => producer.close());
  const log = createLogger("test");
  const roots = new OrgRoots(db.env, log);
  after(() => roots.close());
  await sweepSessions({ producer, log, roots });

  const asked: WorkspaceId[] = [];
  const first = Promise.withResolvers<void>();
  const worker = await startQueueWorker({
    "session.wake": async () => {},
    "session.sweep": async () => {},
    "workspace.import": async ({ workspaceId }) => {
      asked.push(workspaceId);
      first.resolve();
    },
  });
  await first.promise;
  await worker.close();
  assert.deepEqual(asked, [waiting.workspaceId], `not ${ready.workspaceId}`);
});
