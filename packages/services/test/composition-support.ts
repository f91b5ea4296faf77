import { setTimeout as delay } from "node:timers/promises";
import type { OrgId } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { getComposition } from "../src/composition/get-composition.ts";
import { compositionLock, waitForLock } from "../src/composition/lock-composition.ts";
import { rollBackLayer } from "../src/composition/roll-back-layer.ts";
import { saveLayer } from "../src/composition/save-layer.ts";
import type { World } from "./support.ts";

export const profile = "web";

/** An organisation with the admin's ways to its composition. */
export async function startComposition(world: World) {
  const tenant = await world.createTenant();
  const ctx = world.contextOf(tenant, { role: "admin" });
  const input = { org: tenant.slug, profile };
  return {
    tenant,
    ctx,
    input,
    get: (more: { upTo?: "bundle" | "plan" | "org"; revision?: number } = {}) => getComposition(ctx, { ...input, ...more }),
    save: (source: string, expectedRevision: number, reason?: string) => saveLayer(ctx, { ...input, source, expectedRevision, reason }),
    rollBack: (revision: number, expectedRevision: number) => rollBackLayer(ctx, { ...input, revision, expectedRevision }),
    /** As a release, or an operator, left it: stored without any check. */
    store: (kind: "plan" | "org", revision: number, source: string, bundles: readonly string[] = []) =>
      store(world, tenant.orgId, { kind, revision, source, bundles }),
    audit: (action?: string) => audit(world, tenant.orgId, action),
  };
}

async function store(
  world: World,
  orgId: OrgId,
  { kind, revision, source, bundles }: { kind: string; revision: number; source: string; bundles: readonly string[] },
) {
  await world.asOwner(
    orgId,
    "INSERT INTO composition_revisions (org_id, profile, kind, revision, bundles, source) VALUES ($1, $2, $3, $4, $5, $6)",
    [orgId, profile, kind, revision, bundles, source],
  );
  await world.asOwner(
    orgId,
    "INSERT INTO composition_pointers VALUES ($1, $2, $3, $4) ON CONFLICT (org_id, profile, kind) DO UPDATE SET revision = EXCLUDED.revision",
    [orgId, profile, kind, revision],
  );
}

type AuditRow = { action: string; subject: string; actor_id: string; details: Record<string, unknown> };

async function audit(world: World, orgId: OrgId, action?: string): Promise<AuditRow[]> {
  const rows = await world.asOwner<AuditRow>(orgId, "SELECT action, subject, actor_id, details FROM audit_entries ORDER BY id");
  return rows.filter((row) => action === undefined || row.action === action);
}

/** Holds the write lock of an org's composition as another change would; `release` ends it. */
export async function holdLock(orgId: OrgId): Promise<{ release(): Promise<void> }> {
  const held = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const holding = withOrg(
    orgId,
    async (tx) => {
      await waitForLock(tx, compositionLock(orgId, profile));
      held.resolve();
      await end.promise;
    },
    { timeoutMs: 60_000 },
  );
  await held.promise;
  return {
    release: () => {
      end.resolve();
      return holding;
    },
  };
}

/** Until so many transactions of this database wait for a lock. */
export async function waitForWaiters(world: World, count: number): Promise<void> {
  const sql = `SELECT count(*)::int AS n FROM pg_locks WHERE locktype IN ('advisory', 'transactionid') AND NOT granted
    AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`;
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await delay(10)) {
    const [row] = await world.asOwner<{ n: number }>(null, sql);
    if (row?.n === count) return;
  }
  throw new Error(`there were never ${count} waiting`);
}
