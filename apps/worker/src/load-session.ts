import type { PresetRef } from "@gantry/agent";
import { type Composition, composePreset, describeIssue } from "@gantry/compose";
import type { PresetId } from "@gantry/contracts";
import { readSessionStart, type SessionStart, withOrg } from "@gantry/db";
import type { SessionRef } from "./compose.ts";
import type { OrgGround, OrgGrounds } from "./org-grounds.ts";
import type { RootBasis } from "./roots/root-generation.ts";

/** A preset revision as a session would run on it: ready to mount, or why it cannot be. */
export type SessionPreset = { readonly presetId: PresetId; readonly revision: number } & (
  | { readonly ref: PresetRef; readonly problem: null }
  /** `isOutside`: nothing is wrong with the preset itself, what it stands on lacks something (G-7) */
  | { readonly ref: null; readonly problem: string; readonly isOutside: boolean }
);
/** What a session's start read, with its org composed, and what may serve the org instead (M-13). */
export type SessionHeader = SessionStart & {
  readonly composition: Composition;
  readonly stored: string;
  readonly ground: OrgGround;
  readonly previous: () => Promise<RootBasis | null>;
  /** by `performance.now()` */
  readonly readAt: number;
};

/** @throws AppError NOT_FOUND for the session */
export async function loadSession({ orgId, sessionId }: SessionRef, grounds: OrgGrounds): Promise<SessionHeader> {
  const readAt = performance.now();
  const start = await readSessionStart(orgId, sessionId);
  const ground = grounds.of(orgId, start);
  const { composition, stored } = ground;
  return { ...start, composition, stored, ground, previous: () => readPrevious({ orgId }, start, grounds), readAt };
}

/** The revision that a session recorded, on what its root mounts (G-19). */
export const pinnedPreset = ({ presetId, presetRevision: revision, preset }: SessionHeader, ground: OrgGround): SessionPreset =>
  sessionPreset({ presetId, revision }, preset, ground);

/** What the org was composed of before its present revision; null when nothing may come back. */
async function readPrevious({ orgId }: Pick<SessionRef, "orgId">, start: SessionStart, grounds: OrgGrounds): Promise<OrgGround | null> {
  const revision = start.pointer?.previous ?? null;
  if (revision === null) return null;
  const others = start.layers.filter(({ kind }) => kind !== "org");
  const where = { orgId, profile: "web", kind: "org", revision };
  const select = { revision: true, bundles: true, source: true } as const;
  const found = await withOrg(orgId, (tx) => tx.compositionRevision.findFirst({ where, select }));
  if (!found && revision !== 0) return null;
  const layers = found ? [...others, { kind: "org" as const, ...found }] : others;
  return grounds.compose({ ...start, layers, pointer: null });
}

/** A revision that a person asked for, of the org or of the platform; what is another org's reads as not there (M-6). */
export async function readPreset({ orgId }: SessionRef, wanted: Wanted, ground: OrgGround): Promise<SessionPreset> {
  const { presetId, revision } = wanted;
  const select = { slug: true, hash: true, rows: true } as const;
  const where = { presetId, revision, OR: [{ orgId }, { orgId: null }] };
  return sessionPreset(wanted, await withOrg(orgId, (tx) => tx.presetRevision.findFirst({ where, select })), ground);
}

type Wanted = { readonly presetId: PresetId; readonly revision: number };
type Stored = { readonly slug: string; readonly hash: string; readonly rows: unknown } | null;

/** More revisions of one org at a time than this are composed again. */
const maxPresets = 64;

function sessionPreset({ presetId, revision }: Wanted, stored: Stored, ground: OrgGround): SessionPreset {
  if (!stored)
    return { presetId, revision, ref: null, problem: "The preset revision of this session does not exist any more.", isOutside: false };
  const key = `${presetId}@${revision}`;
  const preset = ground.presets.get(key) ?? compose({ presetId, revision }, stored, ground);
  if (ground.presets.size >= maxPresets) ground.presets.clear();
  ground.presets.set(key, preset);
  return preset;
}

function compose(pair: Wanted, { slug, hash, rows }: NonNullable<Stored>, { facts, composition }: OrgGround): SessionPreset {
  const { presetId, revision } = pair;
  const { problems, mounts } = composePreset({ slug, revision, rows, facts, hostRows: composition.rows });
  if (problems.length === 0) return { presetId, revision, ref: { presetId, revision, slug, hash, mounts }, problem: null };
  const problem = `Revision ${revision} of the preset "${slug}" cannot be used any more. ${problems.map(describeIssue).join(" ")}`;
  return { presetId, revision, ref: null, problem, isOutside: problems.every(({ code }) => code === "SERVICE_MISSING") };
}
