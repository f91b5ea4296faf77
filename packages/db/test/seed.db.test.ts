import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { OrgId } from "@gantry/contracts";
import { loadEnv } from "@gantry/platform";
import { testDatabase } from "@gantry/testing/db";
import { platformPresetIds, withOrg, withSystem } from "../src/index.ts";

const db = await testDatabase();
const seedFile = fileURLToPath(new URL("../../../prisma/seed.ts", import.meta.url));

async function seed(values: Record<string, string>): Promise<void> {
  const { DATABASE_URL, MIGRATION_DATABASE_URL = "", NEXTAUTH_SECRET, GANTRY_MASTER_KEY, NEXTAUTH_URL, GANTRY_DATA_DIR } = loadEnv();
  const settings = { DATABASE_URL, MIGRATION_DATABASE_URL, NEXTAUTH_SECRET, NEXTAUTH_URL, GANTRY_DATA_DIR };
  const env = { ...process.env, ...settings, GANTRY_MASTER_KEY: GANTRY_MASTER_KEY.toString("base64"), LOG_LEVEL: "silent", ...values };
  await promisify(execFile)(process.execPath, [seedFile], { env, timeout: 120_000 });
}

const demos = () => withSystem((tx) => tx.user.count({ where: { email: "demo@gantry.local" } }));

test("the seed makes the platform's presets and one demo organisation, however often it runs", async () => {
  await db.asOwner(null, "DELETE FROM presets");
  await db.asOwner(null, "DELETE FROM preset_revisions");
  await seed({ NODE_ENV: "production", GANTRY_DEMO_PASSWORD: "" });
  assert.equal(await demos(), 0, "no well-known password in production");
  for (let run = 0; run < 2; run++) await seed({ NODE_ENV: "development" });
  assert.equal(await demos(), 1);

  const org = await withSystem((tx) => tx.org.findUniqueOrThrow({ where: { slug: "demo" } }));
  await withOrg(org.id as OrgId, async (tx) => {
    const providers = await tx.provider.findMany({ select: { slug: true, kind: true, models: true } });
    assert.deepEqual(providers, [{ slug: "demo", kind: "demo", models: ["scripted"] }]);
    const select = { presetId: true, revision: true, slug: true, rows: true } as const;
    const revisions = await tx.presetRevision.findMany({ select, orderBy: [{ presetId: "asc" }, { revision: "asc" }] });
    const { standard, ptc, minimal, cordis } = platformPresetIds;
    assert.deepEqual(
      revisions.map(({ presetId, revision, slug }) => [presetId, revision, slug]),
      [
        [standard, 1, "standard"],
        [standard, 2, "standard"],
        [ptc, 1, "ptc"],
        [minimal, 1, "minimal"],
        [cordis, 1, "cordis"],
      ],
    );
    assert.ok(revisions.every(({ rows }) => Array.isArray(rows) && rows.length > 0));
    const presets = await tx.preset.findMany({ select: { slug: true, currentRevision: true }, orderBy: { id: "asc" } });
    assert.deepEqual(
      presets.map(({ slug, currentRevision }) => `${slug}@${currentRevision}`),
      ["standard@2", "ptc@1", "minimal@1", "cordis@1"],
    );
  });
});

test("a changed setting changes the demo account's password; the same one writes nothing", async () => {
  const stored = () =>
    withSystem((tx) => tx.user.findUniqueOrThrow({ where: { email: "demo@gantry.local" }, select: { passwordHash: true } }));
  await seed({ NODE_ENV: "development", GANTRY_DEMO_PASSWORD: "first-secret" });
  const first = await stored();
  await seed({ NODE_ENV: "development", GANTRY_DEMO_PASSWORD: "first-secret" });
  assert.deepEqual(await stored(), first);
  await seed({ NODE_ENV: "development", GANTRY_DEMO_PASSWORD: "second-secret" });
  assert.notDeepEqual(await stored(), first);
});
