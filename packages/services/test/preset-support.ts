import type { SavePreset } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import type { Tenant } from "@gantry/testing/db-factories";
import { createPreset } from "../src/preset/create-preset.ts";
import { getPreset } from "../src/preset/get-preset.ts";
import { listPresets } from "../src/preset/list-presets.ts";
import { savePreset } from "../src/preset/save-preset.ts";
import { createSession } from "../src/session/create-session.ts";
import { getSession } from "../src/session/get-session.ts";
import type { World } from "./support.ts";

/** A text that passes every check; the number makes it another one. */
export const goodSource = (timeoutMs = 30_000): string => `- id: shell\n  name: tool-bash\n  config: { timeoutMs: ${timeoutMs} }\n`;

/** An organisation with its preset `mine`, revision 1, and short ways to work on it. */
export async function startPreset(world: World, own?: Tenant) {
  const tenant = own ?? (await world.createTenant());
  const ctx = world.contextOf(tenant, { role: "admin" });
  const org = tenant.slug;
  await createPreset(ctx, { org, slug: "mine", name: "Mine", source: goodSource() });
  const save = (source: string, expectedRevision: number | null = 1, more: Partial<SavePreset> = {}) =>
    savePreset(ctx, { org, slug: "mine", name: "Mine", description: "", order: 100, source, expectedRevision, ...more });
  return {
    tenant,
    ctx,
    org,
    mine: { org, slug: "mine" },
    save,
    get: (slug = "mine") => getPreset(ctx, { org, slug }),
    list: async () => Object.fromEntries((await listPresets(ctx)).map((item) => [item.slug, item])),
    /** Starts a session and tells what it is pinned to, as `slug@revision`. */
    start: async (preset?: string) => {
      const asked = { org, workspaceId: tenant.workspaceId, clientKey: newId(), ...(preset && { preset }) };
      const { sessionId } = await createSession(ctx, asked);
      const session = await getSession(ctx, { org, sessionId });
      return { sessionId, pinned: `${session.preset?.slug}@${session.preset?.revision}` };
    },
    actions: async () => (await world.audit(tenant.orgId)).map(({ action }) => action).filter((action) => action !== "session.create"),
    sql: (text: string, values: unknown[] = []) => world.asOwner(tenant.orgId, text, values),
  };
}
