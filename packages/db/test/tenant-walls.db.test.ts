import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadEnv, newId } from "@gantry/platform";
import { testDatabase } from "@gantry/testing/db";
import { Client } from "pg";
import { acquireLease, appendEvents, insertCommand, withOrg } from "../src/index.ts";

const db = await testDatabase();

/** Tables of people; they have no org_id and walls of their own (scope.db.test.ts). */
const identityTables = ["accounts", "login_sessions", "orgs", "users"];

async function asApp<R extends Record<string, unknown>>(orgId: string | null, text: string, values: unknown[] = []): Promise<R[]> {
  const client = new Client({ connectionString: loadEnv().DATABASE_URL });
  await client.connect();
  try {
    await client.query("BEGIN");
    if (orgId) await client.query("SELECT set_config('app.org_id', $1, true)", [orgId]);
    const { rows } = await client.query<R>(text, values);
    await client.query("COMMIT");
    return rows;
  } finally {
    await client.end();
  }
}

const ownedTables = async () =>
  (
    await asApp<{ name: string }>(
      null,
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped
       WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
    )
  ).map(({ name }) => name);

/** A tenant with at least one row in every table that has an org_id. */
async function fullTenant() {
  const tenant = await db.createTenant();
  const { orgId, sessionId, workspaceId } = tenant;
  await acquireLease(orgId, sessionId, "w", 30_000);
  await appendEvents(orgId, sessionId, { epoch: 1, nextSeq: 0, events: [{ type: "turn/start", seq: 0, time: 1, data: { turn: 1 } }] });
  await withOrg(orgId, async (tx) => {
    await insertCommand(tx, { orgId, sessionId, clientKey: "k", payload: { kind: "cancel", keepInbox: false, userId: "u" } });
    await tx.sandbox.create({ data: { id: newId(), orgId, sessionId, workspaceId, state: "ready" } });
    await tx.preset.create({ data: { id: newId(), orgId, slug: "p" } });
    await tx.presetRevision.create({ data: { presetId: newId(), revision: 1, orgId, slug: "p", name: "P", rows: [], hash: "h" } });
    const layer = { orgId, profile: "web", kind: "org", revision: 1 };
    await tx.compositionRevision.create({ data: { ...layer, source: "[]" } });
    await tx.compositionPointer.create({ data: layer });
    await tx.setting.create({ data: { orgId, namespace: "n", level: "org", value: {}, revision: 1 } });
    const of = { orgId, sessionId };
    await tx.pendingPrompt.create({ data: { ...of, id: newId(), kind: "approval", shown: {}, binding: "b" } });
    await tx.toolExecution.create({ data: { ...of, callSeq: 1, epoch: 1, state: "dispatched" } });
    await tx.sessionText.create({ data: { ...of, seq: 1, kind: "user", text: "t" } });
    await tx.attachment.create({ data: { ...of, id: newId(), name: "a", mediaType: "text/plain", bytes: 1, digest: "d" } });
    await tx.messageFeedback.create({ data: { ...of, messageId: "m", userId: newId(), rating: "positive", version: newId() } });
    await tx.auditEntry.create({ data: { id: newId(), orgId, action: "a", details: {} } });
  });
  return tenant;
}

describe("tenant walls", () => {
  test("SC-T2 every table is behind forced row-level security", async () => {
    const open = await asApp(
      null,
      `SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations'
       AND NOT (relrowsecurity AND relforcerowsecurity)`,
    );
    assert.deepEqual(open, []);
    assert.ok((await ownedTables()).length >= 10);
  });

  test("SC-T2 every policy of a tenant's table checks what is written as well", async () => {
    const unchecked = await asApp(
      null,
      `SELECT tablename, policyname FROM pg_policies WHERE schemaname = 'public' AND cmd <> 'SELECT' AND (qual IS NULL OR with_check IS NULL)`,
    );
    assert.deepEqual(unchecked, []);
  });

  test("SC-T2 the runtime role is no superuser, bypasses nothing, owns nothing and makes nothing", async () => {
    const [role] = await asApp(
      null,
      `SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb AS strong,
         (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS owned,
         (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS groups,
         has_schema_privilege('public', 'CREATE') AS "createsTables",
         has_database_privilege(current_database(), 'TEMP') AS "createsTemporary"
       FROM pg_roles r WHERE rolname = current_user`,
    );
    assert.deepEqual(role, { strong: false, owned: 0, groups: 0, createsTables: false, createsTemporary: false });
    await assert.rejects(asApp(null, "CREATE TABLE t (a int)"), /permission denied/);
    await assert.rejects(asApp(null, "ALTER TABLE sessions DISABLE ROW LEVEL SECURITY"), /must be owner/);
    await assert.rejects(asApp(null, "SET row_security = off; SELECT * FROM sessions"), /row-level security/);
  });

  test("SC-T2 without a tenant every table is empty", async () => {
    await fullTenant();
    for (const table of await ownedTables()) {
      const shared = table === "presets" || table === "preset_revisions" ? 1 : 0; // the platform's own
      assert.deepEqual(await asApp(null, `SELECT count(*)::int AS n FROM ${table}`), [{ n: shared }], table);
    }
  });

  test("SC-T2 cross-org matrix: select, insert, update and delete of another org's rows reach none, in every table", async () => {
    const [a, b] = [await fullTenant(), await fullTenant()];
    for (const table of await ownedTables()) {
      const own = await asApp<Record<string, unknown>>(b.orgId, `SELECT * FROM ${table} WHERE org_id = $1`, [b.orgId]);
      assert.ok(own.length > 0, `${table} has a row to steal`);
      assert.deepEqual(await asApp(a.orgId, `SELECT * FROM ${table} WHERE org_id = $1`, [b.orgId]), [], `select ${table}`);
      const reached = async (statement: string): Promise<number> => {
        try {
          return (await asApp(a.orgId, `${statement} RETURNING 1`, [b.orgId])).length;
        } catch (error) {
          assert.match(String(error), /permission denied|row-level security/, statement);
          return 0;
        }
      };
      assert.equal(await reached(`DELETE FROM ${table} WHERE org_id = $1`), 0);
      const columns = Object.keys(own[0] ?? {});
      for (const column of columns) assert.equal(await reached(`UPDATE ${table} SET ${column} = ${column} WHERE org_id = $1`), 0, column);
      await assert.rejects(
        asApp(a.orgId, `INSERT INTO ${table} SELECT (json_populate_record(NULL::${table}, $1)).*`, [
          JSON.stringify({ ...own[0], org_id: b.orgId }),
        ]),
        /row-level security/,
        `insert ${table}`,
      );
      assert.equal(
        (await asApp(b.orgId, `SELECT 1 FROM ${table} WHERE org_id = $1`, [b.orgId])).length,
        own.length,
        `${table} is untouched`,
      );
    }
  });

  test("SC-T2 a row cannot be moved to another org", async () => {
    const [a, b] = [await fullTenant(), await fullTenant()];
    await assert.rejects(asApp(a.orgId, "UPDATE workspaces SET org_id = $1", [b.orgId]), /row-level security|foreign key/);
    await assert.rejects(asApp(a.orgId, "UPDATE providers SET org_id = $1", [b.orgId]), /row-level security/);
  });

  test("SC-T4 a child row cannot point at another org's parent", async () => {
    const [a, b] = [await fullTenant(), await fullTenant()];
    const sandbox = { id: newId(), orgId: a.orgId, workspaceId: b.workspaceId, state: "ready" as const };
    await assert.rejects(
      withOrg(a.orgId, (tx) => tx.sandbox.create({ data: sandbox })),
      /[Ff]oreign key/,
    );
    await assert.rejects(
      asApp(a.orgId, "INSERT INTO session_leases (org_id, session_id, worker_id, epoch, expires_at) VALUES ($1, $2, 'w', 9, now())", [
        a.orgId,
        b.sessionId,
      ]),
      /foreign key|row-level security|duplicate key/,
    );
  });

  test("SC-T4 every foreign key between tenants' tables carries the org", async () => {
    const loose = await asApp(
      null,
      `SELECT conrelid::regclass::text AS child, conname FROM pg_constraint k
       WHERE contype = 'f' AND connamespace = 'public'::regnamespace
         AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = conrelid AND attname = 'org_id')
         AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = confrelid AND attname = 'org_id')
         AND NOT EXISTS (
           SELECT FROM unnest(conkey, confkey) AS p(child, parent)
           JOIN pg_attribute c ON c.attrelid = conrelid AND c.attnum = p.child AND c.attname = 'org_id'
           JOIN pg_attribute f ON f.attrelid = confrelid AND f.attnum = p.parent AND f.attname = 'org_id'
         )`,
    );
    assert.deepEqual(loose, []);
  });

  test("SC-T4 a unique index of a tenant's table has the org in it or is made of ids, so it tells nothing about others", async () => {
    const telling = await asApp(
      null,
      `SELECT i.indexrelid::regclass::text AS index FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid AND t.relnamespace = 'public'::regnamespace
       WHERE i.indisunique AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = t.oid AND attname = 'org_id')
         AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = t.oid AND attname = 'org_id' AND attnum = ANY (i.indkey))
         AND NOT (SELECT atttypid = 'uuid'::regtype FROM pg_attribute WHERE attrelid = t.oid AND attnum = i.indkey[0])`,
    );
    assert.deepEqual(telling, []);
  });

  test("SC-T4 no view and no function runs with more rights than its caller", async () => {
    const views = await asApp(
      null,
      `SELECT relname FROM pg_class WHERE relkind IN ('v', 'm') AND relnamespace = 'public'::regnamespace
       AND NOT COALESCE(reloptions @> ARRAY['security_invoker=true'], false)`,
    );
    const functions = await asApp(null, "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef");
    assert.deepEqual([views, functions], [[], []]);
  });

  test("the log and the audit trail only grow, and a session's header never changes", async () => {
    const { orgId } = await fullTenant();
    for (const statement of [
      "UPDATE session_events SET type = 'x'",
      "DELETE FROM session_events",
      "UPDATE audit_entries SET action = 'x'",
      "DELETE FROM audit_entries",
      "TRUNCATE audit_entries",
      "UPDATE sessions SET created_by = gen_random_uuid()",
      "UPDATE sessions SET workspace_id = gen_random_uuid()",
      "UPDATE preset_revisions SET rows = '[]'",
      "UPDATE composition_revisions SET source = ''",
      "UPDATE orgs SET plan_tier = 'x'",
    ])
      await assert.rejects(asApp(orgId, statement), /permission denied/, statement);
  });

  test("M-15 an org can be deleted with all it has, and nobody else loses a row; the audit trail stays", async () => {
    const [gone, kept] = [await fullTenant(), await fullTenant()];
    const left = async (orgId: string) => {
      const counts: Record<string, number> = {};
      for (const table of await ownedTables()) {
        const [row] = await asApp<{ n: number }>(orgId, `SELECT count(*)::int AS n FROM ${table} WHERE org_id = $1`, [orgId]);
        counts[table] = row?.n ?? 0;
      }
      return counts;
    };
    const before = await left(kept.orgId);
    await db.asOwner(gone.orgId, "DELETE FROM orgs WHERE id = $1", [gone.orgId]);
    const { audit_entries: audit, ...rest } = await left(gone.orgId);
    assert.deepEqual([audit, Object.entries(rest).filter(([, count]) => count > 0)], [1, []]);
    assert.deepEqual(await left(kept.orgId), before);
  });

  test("SC-T2 identity tables are known: a new table without org_id has to be judged here", async () => {
    const others = await asApp<{ name: string }>(
      null,
      `SELECT relname AS name FROM pg_class c WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
         AND relname <> '_prisma_migrations' AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'org_id') ORDER BY 1`,
    );
    assert.deepEqual(
      others.map(({ name }) => name),
      identityTables,
    );
  });
});
