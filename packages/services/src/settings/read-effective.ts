import { effectiveSettings, type SettingsNamespace, settingsNamespaces } from "@gantry/compose";
import type { JsonObject, WorkspaceId } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { readSections, type StoredSection } from "./section.ts";

/** What holds for the caller in a workspace: defaults ← organisation ← workspace ← person (N-2), secrets left out. @throws Error for an unknown namespace */
export async function readEffective(tx: Tx, ctx: ServiceContext, name: string, workspaceId?: WorkspaceId): Promise<JsonObject> {
  const namespace = settingsNamespaces.find((one) => one.name === name);
  if (!namespace) throw new Error(`there is no settings namespace ${name}`);
  return effectiveOf(namespace, await readSections(tx, ctx.orgId, { namespace: name, workspaceId, userId: ctx.userId }));
}

export function effectiveOf(namespace: SettingsNamespace, sections: readonly StoredSection[]): JsonObject {
  return effectiveSettings(namespace, Object.fromEntries(sections.map(({ level, value }) => [level, value])));
}
