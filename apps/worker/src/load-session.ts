import { Row } from "@gantry/agent";
import type { ProviderRow } from "@gantry/compose";
import { AppError } from "@gantry/contracts";
import { readSessionStart, type SessionStart } from "@gantry/db";
import type { SessionRef } from "./compose.ts";

/** The immutable header of a session, with the composition it runs on: the pinned preset revision (G-19) and the org's providers. */
export type SessionHeader = Pick<SessionStart, "workspaceId" | "createdBy" | "provider" | "model"> & {
  readonly preset: { readonly key: string; readonly rows: Row[] };
  readonly providers: readonly ProviderRow[];
};

/** @throws AppError NOT_FOUND for the session, or for its preset revision */
export async function loadSession({ orgId, sessionId }: SessionRef): Promise<SessionHeader> {
  const { preset, ...start } = await readSessionStart(orgId, sessionId);
  if (!preset) throw new AppError("NOT_FOUND", "The preset revision of this session does not exist any more.");
  return { ...start, preset: { key: preset.hash, rows: rowsOf(preset) } };
}

/** A revision never changes, so its rows are parsed once. */
const parsed = new Map<string, Row[]>();

function rowsOf({ hash, rows }: { readonly hash: string; readonly rows: unknown }): Row[] {
  const known = parsed.get(hash) ?? (Row.array().parse(rows) as Row[]);
  parsed.set(hash, known);
  return known;
}
