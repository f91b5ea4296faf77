import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text as textOf } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type DumpJson, readLayer } from "@gantry/compose";
import { withOrg } from "@gantry/db";
import { type Env, sealSecret } from "@gantry/platform";
import { testDatabase } from "@gantry/testing/db";
import { orgComposition, readProviders } from "../src/org-composition.ts";

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
  const { hash, mounts } = orgComposition(await readProviders(orgId), db.env);
  assert.ok(out.startsWith(`# profile web, composition ${hash}`));
  assert.match(out, /# == base@1\n/);
  assert.match(out, new RegExp(`# == org\n(#.*\n)*- id: ${row}\n`));
  assert.match(out, /"allowInsecure":true/);
  const read = readLayer("dump", "bundle", out).patches.map(({ id }) => id);
  assert.deepEqual(
    read,
    mounts.map(({ id }) => id),
  );
  for (const secret of [key, "pa55-canary"]) assert.ok(!out.includes(secret), "a secret in the dump");
});

test("KN-076 --up-to bundles leaves the org's rows out, --diff names them, --json tells who wrote each field", async () => {
  const { slug, row } = await orgWithProvider();
  const upTo = await gantry("config", "dump", "--org", slug, "--up-to", "bundles");
  assert.deepEqual([upTo.code, upTo.out.includes(row), upTo.out.includes("agent-loop")], [0, false, true]);
  const diff = await gantry("config", "dump", "--org", slug, "--diff", "bundles..org");
  assert.match(diff.out, new RegExp(`^\\+ - id: ${row}\n`));
  assert.ok(!diff.out.includes("pa55-canary") && !diff.out.includes("agent-loop"));
  const json = await gantry("config", "dump", "--org", slug, "--json");
  const last = (JSON.parse(json.out) as DumpJson).rows.at(-1);
  assert.deepEqual([last?.origin, last?.fields.config, last?.outcome], ["org", "org", undefined]);
  assert.ok(!json.out.includes("pa55-canary"));
});

test("an unknown org, an unknown profile and a wrong command line end with a reason and a code", async () => {
  const { slug } = await db.createOrg();
  const cases: [string[], number, RegExp][] = [
    [["config", "dump", "--org", "no-such-org"], 1, /no organisation/],
    [["config", "dump", "--org", slug, "--profile", "constructor"], 1, /Choose one of: web/],
    [["config", "dump"], 2, /--org <slug>/],
    [["config", "boot", "--org", slug], 2, /config dump/],
    [["config", "dump", "--org", slug, "--up-to", "nowhere"], 2, /bundles, plan, org/],
    [["config", "dump", "--org", slug, "--diff", "bundles"], 2, /bundles\.\.org/],
    [["config", "dump", "--org", slug, "--boot"], 2, /--boot/],
  ];
  for (const [args, expected, reason] of cases) {
    const { code, err, out } = await gantry(...args);
    assert.deepEqual([code, out], [expected, ""], args.join(" "));
    assert.match(err, reason);
  }
  assert.match((await gantry("--help")).out, /gantry config dump/);
});
