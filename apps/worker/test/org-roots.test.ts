import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProviderRow } from "@gantry/compose";
import { isAppError, type OrgId, type ProviderId } from "@gantry/contracts";
import { createLogger, type Env, newId } from "@gantry/platform";
import { OrgRoots } from "../src/org-roots.ts";

const env = { GANTRY_ALLOW_PRIVATE_HOSTS: false, GANTRY_MASTER_KEY: Buffer.alloc(32) } as Env;
const provider = (change: Partial<ProviderRow> = {}): ProviderRow => ({
  id: newId<ProviderId>(),
  slug: "acme",
  kind: "openai_compatible",
  baseUrl: "https://models.example",
  models: ["m"],
  ...change,
});
/** Its schema refuses a model without a name. */
const broken = provider({ models: [""] });

/** Roots whose log lines the test reads. */
function openRoots() {
  const lines: { level: string; text: string; about: Record<string, unknown> }[] = [];
  const log = createLogger("test");
  for (const level of ["info", "error"] as const) {
    log[level] = ((about: Record<string, unknown>, text: string) => lines.push({ level, text, about })) as never;
  }
  const built = () => lines.filter(({ text }) => text === "building an org root").length;
  return { roots: new OrgRoots(env, log), lines, built };
}

test("one root serves an org as long as its composition is the same; a changed one gets another", async (t) => {
  const { roots, built } = openRoots();
  t.after(() => roots.close());
  const orgId = newId<OrgId>();
  const first = provider();
  const uses = [await roots.use(orgId, [first]), await roots.use(orgId, [structuredClone(first)])];
  assert.equal(built(), 1);
  uses.push(await roots.use(orgId, [{ ...first, models: ["m", "n"] }]));
  assert.equal(built(), 2);
  await roots.use(newId<OrgId>(), [first]);
  assert.equal(built(), 3, "another org never shares a root (M-1)");
  for (const use of uses) use.release();
});

test("KN-076 a broken composition leaves the last valid root in force and is reported; without one the reason is given", async (t) => {
  const { roots, lines, built } = openRoots();
  t.after(() => roots.close());
  const orgId = newId<OrgId>();
  await assert.rejects(
    roots.use(orgId, [broken]),
    (error) => isAppError(error, "COMPOSITION_INVALID") && error.message.includes(`$.provider-${broken.id}`),
  );
  const good = provider();
  await roots.use(orgId, [good]);
  await roots.use(orgId, [good, broken]);
  assert.equal(built(), 1);
  const report = lines.find(({ level }) => level === "error");
  assert.match(String(report?.about.problems), /llm-openai-compatible refuses this/);
  await roots.use(orgId, [good, provider({ slug: "other" })]);
  assert.equal(built(), 2, "a repaired composition takes over");
});
