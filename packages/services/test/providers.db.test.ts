import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AppError, type SaveProvider } from "@gantry/contracts";
import { openSecret } from "@gantry/platform";
import { listProviders } from "../src/provider/list-providers.ts";
import type { ProviderCheckInput } from "../src/provider/provider-check.ts";
import { removeProvider } from "../src/provider/remove-provider.ts";
import { saveProvider } from "../src/provider/save-provider.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();
const canary = "sk-canary-0123456789";

async function start() {
  const tenant = await world.createTenant();
  const checked: ProviderCheckInput[] = [];
  let problem: AppError | null = null;
  const checkProvider = async (input: ProviderCheckInput) => {
    checked.push(input);
    if (problem) throw problem;
  };
  const ctx = world.contextOf(tenant, { deps: { checkProvider } });
  const input: SaveProvider = {
    org: tenant.slug,
    slug: "acme",
    name: "Acme",
    kind: "openai_compatible",
    baseUrl: "https://models.example.test/v1",
    models: ["m1", "m2", "m1"],
    key: canary,
  };
  const fail = () => {
    problem = new AppError("PROVIDER_CHECK_FAILED", "The key was refused.");
  };
  return { tenant, ctx, input, checked, fail };
}

describe("saving a provider", () => {
  test("SC-K1 SC-K2 the key is checked, sealed for this org and provider, and never given back", async () => {
    const { tenant, ctx, input, checked } = await start();
    const view = await saveProvider(ctx, input);
    assert.deepEqual([checked[0]?.key, checked[0]?.models], [canary, ["m1", "m2"]]);
    assert.equal(view.hasKey, true);
    const answers = JSON.stringify([view, await listProviders(ctx)]);
    assert.ok(!answers.includes(canary) && !answers.includes("secret"));
    const rows = await world.asOwner<{ id: string; secret: Buffer }>(tenant.orgId, "SELECT id, secret FROM providers WHERE slug = 'acme'");
    const [row] = rows;
    assert.ok(row && !row.secret.includes(canary));
    assert.equal(openSecret(world.env.GANTRY_MASTER_KEY, { orgId: tenant.orgId, id: row.id }, row.secret), canary);
    const audit = JSON.stringify(await world.asOwner(tenant.orgId, "SELECT * FROM audit_entries"));
    assert.ok(audit.includes("provider.save") && !audit.includes(canary));
  });

  test("F61 nothing is saved when the live check fails", async () => {
    const { tenant, ctx, input, fail } = await start();
    await saveProvider(ctx, input);
    fail();
    await assert.rejects(saveProvider(ctx, { ...input, name: "Changed", key: "other" }), { code: "PROVIDER_CHECK_FAILED" });
    await assert.rejects(saveProvider(ctx, { ...input, slug: "second" }), { code: "PROVIDER_CHECK_FAILED" });
    assert.deepEqual(
      (await listProviders(ctx)).map((item) => item.name),
      ["demo", "Acme"],
    );
    assert.equal((await world.audit(tenant.orgId)).length, 1);
  });

  test("a change without a key keeps it, null removes it", async () => {
    const { ctx, input, checked } = await start();
    await saveProvider(ctx, input);
    const { key: _key, ...unchanged } = input;
    assert.equal((await saveProvider(ctx, { ...unchanged, name: "Renamed" })).hasKey, true);
    assert.equal(checked[1]?.key, canary);
    assert.equal((await saveProvider(ctx, { ...input, key: null })).hasKey, false);
  });

  test("SC-K1 a stored key never goes to another address than the one it was entered for", async () => {
    const { ctx, input, checked } = await start();
    await saveProvider(ctx, input);
    const { key: _key, ...unchanged } = input;
    await assert.rejects(saveProvider(ctx, { ...unchanged, baseUrl: "https://evil.example.test/v1" }), { code: "BAD_REQUEST" });
    await assert.rejects(saveProvider(ctx, { ...unchanged, kind: "anthropic" }), { code: "BAD_REQUEST" });
    assert.equal(checked.length, 1);
  });

  test("of three changes made from the same state one is kept and the others are told", async () => {
    const { tenant, ctx, input } = await start();
    await saveProvider(ctx, input);
    for (const slug of ["acme", "brand-new"]) {
      let waiting = 0;
      const everybody = Promise.withResolvers<void>();
      const checkProvider = async () => {
        if (++waiting === 3) everybody.resolve();
        await everybody.promise;
      };
      const together = world.contextOf(tenant, { deps: { checkProvider } });
      const results = await Promise.allSettled(["a", "b", "c"].map((name) => saveProvider(together, { ...input, slug, name })));
      const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []));
      assert.deepEqual(refused, ["CONFLICT", "CONFLICT"], slug);
    }
    await removeProvider(ctx, { org: input.org, slug: "acme" });
    await assert.rejects(removeProvider(ctx, { org: input.org, slug: "acme" }), { code: "NOT_FOUND" });
  });
});
