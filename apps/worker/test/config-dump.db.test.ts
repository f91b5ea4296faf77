import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text as textOf } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type DumpJson, readLayer } from "@gantry/compose";
import type { OrgId } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { type Env, sealSecret } from "@gantry/platform";
import { testDatabase } from "@gantry/testing/db";
import { readOrg } from "../src/cli/read-org.ts";
import { orgComposition } from "../src/org-composition.ts";

const db = await testDatabase({ GANTRY_ALLOW_PRIVATE_HOSTS: "1" });
const cli = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
const key = "sk-canary-4711";

async function gantry(...args: string[]) {
  const child = spawn(process.execPath, [cli, ...args], { env: settings(db.env), stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, [code]] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, "close")]);
  return { out, err, code: code as number };
}

function settings(env: Env): Record<string, string> {
  const text = (value: unknown) =>
    Buffer.isBuffer(value) ? value.toString("base64") : typeof value === "boolean" ? (value ? "1" : "0") : String(value);
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, text(value)]])));
}

/** An org with a provider whose key, and whose address, hold what must never be printed. */
async function orgWithProvider() {
  const { orgId, slug } = await db.createOrg();
  const baseUrl = "https://user:pa55-canary@models.example/v1";
  const { providerId } = await db.createProvider(orgId, { slug: "acme", kind: "openai_compatible", baseUrl, models: ["big"] });
  const secret = new Uint8Array(sealSecret(db.env.GANTRY_MASTER_KEY, { orgId, id: providerId }, key));
  await withOrg(orgId, (tx) => tx.provider.update({ where: { orgId_id: { orgId, id: providerId } }, data: { secret } }));
  return { orgId, slug, row: `provider-${providerId}` };
}

test("the dump is what the org's root mounts, reads back as rows, and shows no secret", async () => {
  const { orgId, slug, row } = await orgWithProvider();
  const { out, err, code } = await gantry("config", "dump", "--org", slug, "--resolved");
  assert.deepEqual([code, err], [0, ""]);
  const { hash, rows, mounts } = orgComposition(await readOrg(orgId, { profile: "web" }), db.env);
  assert.ok(out.startsWith(`# profile web, composition ${hash}`));
  assert.match(out, /# == base@\d+\n/);
  assert.match(out, new RegExp(`# == providers\n(#.*\n)*- id: ${row}\n`));
  assert.match(out, /"allowInsecure":true/);
  const read = readLayer("dump", "bundle", out).patches.map(({ id }) => id);
  assert.deepEqual(
    read,
    rows.map((one) => one.row.id),
  );
  const marked = read.filter((id) => new RegExp(`^# ${id}: mounts`, "m").test(out));
  assert.deepEqual(
    marked,
    mounts.map(({ id }) => id),
  );
  for (const secret of [key, "pa55-canary"]) assert.ok(!out.includes(secret), "a secret in the dump");
});

test("KN-076 --up-to bundles leaves the org's providers out, --diff names them, --json tells who wrote each field", async () => {
  const { slug, row } = await orgWithProvider();
  const upTo = await gantry("config", "dump", "--org", slug, "--up-to", "bundles");
  assert.deepEqual([upTo.code, upTo.out.includes(row), upTo.out.includes("agent-loop")], [0, false, true]);
  const diff = await gantry("config", "dump", "--org", slug, "--diff", "bundles..org");
  assert.match(diff.out, new RegExp(`^\\+ - id: ${row}\n`));
  assert.ok(!diff.out.includes("pa55-canary") && !diff.out.includes("agent-loop"));
  const json = await gantry("config", "dump", "--org", slug, "--json");
  const last = (JSON.parse(json.out) as DumpJson).rows.at(-1);
  assert.deepEqual([last?.origin, last?.fields.config, last?.outcome], ["providers", "providers", undefined]);
  assert.ok(!json.out.includes("pa55-canary"));
});

/** Writes revisions of the org's own layer; the last one is in force. */
async function writeLayers(orgId: OrgId, ...sources: readonly string[]) {
  const key = { orgId, profile: "web", kind: "org" };
  await withOrg(orgId, async (tx) => {
    for (const [index, source] of sources.entries()) {
      await tx.compositionRevision.create({ data: { ...key, revision: index + 1, bundles: [], source } });
    }
    await tx.compositionPointer.create({ data: { ...key, revision: sources.length } });
  });
}
const retries = (count: number) => `- id: llm-retry\n  config: { maxRetries: ${count} }\n`;

test("the org's stored layer is in the dump, and --diff compares two of its revisions", async () => {
  const { orgId, slug } = await db.createOrg();
  await writeLayers(orgId, retries(2), retries(3));
  const { out, err } = await gantry("config", "dump", "--org", slug);
  assert.equal(err, "");
  assert.match(out, /# == base@\d+, patched by org@2\n- id: llm-retry\n(.*\n)*?.*"?maxRetries"?: ?3/);
  const diff = await gantry("config", "dump", "--org", slug, "--diff", "1..2");
  assert.match(diff.out, /maxRetries"?: ?2[\s\S]*maxRetries"?: ?3/);
  const first = await gantry("config", "dump", "--org", slug, "--diff", "0..1");
  assert.match(first.out, /llm-retry/);
  const none = await gantry("config", "dump", "--org", slug, "--diff", "1..9");
  assert.deepEqual([none.code, none.out], [1, ""]);
  assert.match(none.err, /no revision 9/);
});

test("KN-076 a broken org layer is told as a problem, and --up-to bundles prints what is below it", async () => {
  const { orgId, slug } = await db.createOrg();
  await writeLayers(orgId, "not: a list");
  const whole = await gantry("config", "dump", "--org", slug);
  assert.match(whole.err, /problem: .*Revision 1 cannot be read/);
  const { out, err, code } = await gantry("config", "dump", "--org", slug, "--up-to", "bundles");
  assert.deepEqual([code, err, out.includes("agent-loop")], [0, "", true]);
});

test("an unknown org, an unknown profile and a wrong command line end with a reason and a code", async () => {
  const { slug } = await db.createOrg();
  const cases: [string[], number, RegExp][] = [
    [["config", "dump", "--org", "no-such-org"], 1, /no organisation/],
    [["config", "dump", "--org", slug, "--profile", "constructor"], 1, /Choose one of: web/],
    [["config", "dump"], 2, /--org <slug>/],
    [["config", "boot", "--org", slug], 2, /config dump/],
    [["config", "dump", "--org", slug, "--up-to", "nowhere"], 2, /bundles, plan, org/],
    [["config", "dump", "--org", slug, "--diff", "bundles"], 2, /bundles\.\.org or 3\.\.5/],
    [["config", "dump", "--org", slug, "--boot"], 2, /--boot/],
  ];
  for (const [args, expected, reason] of cases) {
    const { code, err, out } = await gantry(...args);
    assert.deepEqual([code, out], [expected, ""], args.join(" "));
    assert.match(err, reason);
  }
  assert.match((await gantry("--help")).out, /gantry config dump/);
});
