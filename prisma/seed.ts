// What every installation has: the platform's presets, and outside production an organisation to try Gantry with. Safe to repeat.
import { platformPresets } from "@gantry/compose";
import { closeDatabase, enterOrg, platformPresetIds, type Tx, withSystem } from "@gantry/db";
import { connectOwner } from "@gantry/db/owner";
import { writePlatformPreset } from "@gantry/db/write-platform-preset";
import { createLogger, loadEnv, newId } from "@gantry/platform";
import { createOrg } from "@gantry/services";
import { hashPassword, verifyPassword } from "@gantry/services/account/password";
import { insertUser } from "@gantry/services/account/sign-up";

const demoEmail = "demo@gantry.local";
const openPassword = "gantry-demo";

await seedPresets();
await seedDemo();
await closeDatabase();

async function seedPresets(): Promise<void> {
  const owner = await connectOwner();
  try {
    for (const { rows, ...preset } of platformPresets) {
      await writePlatformPreset(owner, { ...preset, id: platformPresetIds[preset.slug], rows: JSON.parse(JSON.stringify(rows)) });
    }
  } finally {
    await owner.close();
  }
}

/** A password that everybody knows has no place on a server that everybody reaches. */
async function seedDemo(): Promise<void> {
  const { NODE_ENV, GANTRY_DEMO_PASSWORD } = loadEnv();
  const password = GANTRY_DEMO_PASSWORD ?? (NODE_ENV === "production" ? null : openPassword);
  if (password === null) return;
  const known = await withSystem((tx) => tx.user.findUnique({ where: { email: demoEmail }, select: { passwordHash: true } }));
  if (known && (known.passwordHash === null || (await verifyPassword(known.passwordHash, password)))) return;
  const passwordHash = await hashPassword(password);
  if (known) {
    // the setting is the account's password, also when it changes later: the banner of `npm start` says it
    await withSystem((tx) => tx.user.update({ where: { email: demoEmail }, data: { passwordHash } }));
    return;
  }
  const slug = await withSystem((tx) => createDemo(tx, passwordHash));
  if (slug) createLogger("seed").info({ slug, email: demoEmail }, "demo organisation created");
}

/** Person, organisation, provider and workspace come together or not at all, so the person's presence means that all of it is there. */
async function createDemo(tx: Tx, passwordHash: string): Promise<string | null> {
  if (await tx.user.findUnique({ where: { email: demoEmail }, select: { id: true } })) return null;
  const userId = await insertUser(tx, { email: demoEmail, name: "Demo", passwordHash });
  const { orgId, slug } = await createOrg(tx, userId, "Demo", "seed.demo");
  await enterOrg(tx, orgId);
  const provider = { slug: "demo", name: "Demo model", kind: "demo", baseUrl: "", models: ["scripted"] } as const;
  await tx.provider.create({ data: { id: newId(), orgId, ...provider, models: [...provider.models] } });
  // so that the first thing a newcomer does is start a session
  await tx.workspace.create({ data: { id: newId(), orgId, name: "playground", source: { kind: "empty" }, createdBy: userId } });
  return slug;
}
