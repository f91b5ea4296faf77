import { AppError } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { findPreset, type PresetRow } from "./preset-row.ts";

/**
 * One preset of the organisation's own, locked until the transaction ends: changes of it happen one after the other, and none while a session is put on it.
 * @throws PRESET_UNKNOWN, PRESET_LOCKED for a preset of the platform (G-1)
 */
export async function lockPreset(tx: Tx, ctx: ServiceContext, slug: string): Promise<PresetRow> {
  const found = await findPreset(tx, ctx.orgId, slug);
  if (found.isPlatform)
    throw new AppError(
      "PRESET_LOCKED",
      "This preset comes with the installation and cannot be changed. Copy it first and change the copy.",
    );
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${found.id}, 0))`;
  const locked = await findPreset(tx, ctx.orgId, slug);
  if (locked.id !== found.id) throw staleRevision(); // removed and made anew while this one waited
  return locked;
}

/** Refuses to change what the caller has not seen. @throws REVISION_STALE */
export function assertCurrent({ current }: PresetRow, expected: number | null): void {
  if ((current?.revision ?? null) !== expected) throw staleRevision();
}

/** Refuses to put away a draft that the caller has not seen; callers that do not say which they saw take it as it is. @throws REVISION_STALE */
export function assertDraft({ draft }: PresetRow, expected: string | null | undefined): void {
  if (expected !== undefined && (draft?.at ?? null) !== expected) throw staleRevision();
}

function staleRevision(): AppError {
  return new AppError("REVISION_STALE", "Somebody else changed this preset meanwhile. Load it again and repeat your change.");
}
