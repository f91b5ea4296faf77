import type { SettingsNamespace } from "@gantry/compose";
import type { JsonObject, OrgId, SettingsLevel } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import { z } from "zod";

/** Which section of a namespace: the organisation's (`subject` ""), a workspace's or a person's (its id). */
export type SectionRef = { readonly namespace: SettingsNamespace; readonly level: SettingsLevel; readonly subject: string };

/** A section as it is stored: sparse, its secrets sealed and apart. `revision` 0: nobody has written it yet. */
export type StoredSection = {
  readonly level: SettingsLevel;
  readonly value: JsonObject;
  /** dotted path → sealed value, base64 */
  readonly secrets: Readonly<Record<string, string>>;
  readonly revision: number;
};

const Value = z.custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value));
const Secrets = z.record(z.string(), z.string());

/** The sections of a namespace that hold for these subjects, in no order; all namespaces when none is named. */
export async function readSections(
  tx: Tx,
  orgId: OrgId,
  subjects: { readonly namespace?: string; readonly workspaceId?: string | undefined; readonly userId?: string | undefined },
): Promise<(StoredSection & { namespace: string })[]> {
  const { namespace, workspaceId, userId } = subjects;
  const rows = await tx.setting.findMany({
    where: {
      orgId,
      ...(namespace !== undefined && { namespace }),
      OR: [
        { level: "org", subject: "" },
        ...(workspaceId === undefined ? [] : [{ level: "workspace", subject: workspaceId }]),
        ...(userId === undefined ? [] : [{ level: "user", subject: userId }]),
      ],
    },
    select: { namespace: true, level: true, value: true, secrets: true, revision: true },
  });
  return rows.map((row) => ({ ...row, ...storedSection(row) }));
}

/** One section as it stands now. */
export async function readSection(tx: Tx, orgId: OrgId, { namespace, level, subject }: SectionRef): Promise<StoredSection> {
  const row = await tx.setting.findUnique({
    where: { orgId_namespace_level_subject: { orgId, namespace: namespace.name, level, subject } },
    select: { level: true, value: true, secrets: true, revision: true },
  });
  return row ? storedSection(row) : { level, value: {}, secrets: {}, revision: 0 };
}

function storedSection(row: { level: string; value: unknown; secrets: unknown; revision: number }): StoredSection {
  const { level, revision } = row;
  return { level: level as SettingsLevel, revision, value: Value.parse(row.value), secrets: Secrets.parse(row.secrets) };
}
