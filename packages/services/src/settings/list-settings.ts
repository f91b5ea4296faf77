import { checkSection, type SettingsNamespace, settingsNamespaces } from "@gantry/compose";
import type { JsonObject, ListSettings, SettingsLevel } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { z } from "zod";
import type { ServiceContext } from "../context.ts";
import { findWorkspace } from "../workspace/find-workspace.ts";
import { effectiveOf } from "./read-effective.ts";
import { readSections, type StoredSection } from "./section.ts";
import { mayWrite } from "./section-ref.ts";
import { redactedValue } from "./section-secrets.ts";

export type SettingsView = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `live`: the next use reads a change; `restart`: sessions that start later do */
  readonly applies: "live" | "restart";
  /** JSON Schema of the whole value */
  readonly schema: JsonObject;
  /** what holds for the caller, secrets left out */
  readonly effective: JsonObject;
  /** outermost first; that of workspaces only for a named workspace */
  readonly sections: readonly SectionView[];
};
export type SectionView = {
  readonly level: SettingsLevel;
  readonly values: JsonObject;
  readonly secrets: readonly { readonly path: string; readonly set: boolean }[];
  /** 0: nobody has written it */
  readonly revision: number;
  readonly mayWrite: boolean;
  /** why what is stored counts for nothing (N-4) */
  readonly problems: readonly string[];
};

/** Every namespace with what is set at each level, and what holds. Secrets appear as path and whether they are set, never as values (N-7). @throws NOT_FOUND */
export async function listSettings(
  ctx: ServiceContext,
  { workspaceId }: ListSettings,
  namespaces = settingsNamespaces,
): Promise<SettingsView[]> {
  const sections = await withOrg(ctx.orgId, async (tx) => {
    if (workspaceId !== undefined) await findWorkspace(tx, ctx.orgId, workspaceId);
    return readSections(tx, ctx.orgId, { workspaceId, userId: ctx.userId });
  });
  return namespaces.map((namespace) => {
    const own = sections.filter((section) => section.namespace === namespace.name);
    const levels = namespace.levels.filter((level) => level !== "workspace" || workspaceId !== undefined);
    const { name, title, description, applies } = namespace;
    const effective = redactedValue(namespace.secrets, effectiveOf(namespace, own));
    const shown = levels.map((level) =>
      sectionView(
        ctx,
        namespace,
        level,
        own.find((section) => section.level === level),
      ),
    );
    return { name, title, description, applies, schema: z.toJSONSchema(namespace.schema) as JsonObject, effective, sections: shown };
  });
}

function sectionView(
  ctx: ServiceContext,
  namespace: SettingsNamespace,
  level: SettingsLevel,
  stored: StoredSection | undefined,
): SectionView {
  const value = stored?.value ?? {};
  return {
    level,
    values: redactedValue(namespace.secrets, value),
    secrets: namespace.secrets.map((path) => ({ path, set: stored?.secrets[path] !== undefined })),
    revision: stored?.revision ?? 0,
    mayWrite: mayWrite(ctx, level),
    problems: checkSection(namespace, value),
  };
}
