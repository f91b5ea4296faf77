import type { PresetRef } from "@gantry/agent";
import { type Composition, composePreset, describeIssue, type Facts, providedServices } from "@gantry/compose";
import type { PresetId } from "@gantry/contracts";
import { readSessionStart, type SessionStart, withOrg } from "@gantry/db";
import type { Env } from "@gantry/platform";
import type { SessionRef } from "./compose.ts";
import { factsOf, orgComposition } from "./org-composition.ts";

/** A preset revision as a session would run on it: ready to mount, or why it cannot be. */
export type SessionPreset = { readonly presetId: PresetId; readonly revision: number } & (
  | { readonly ref: PresetRef; readonly problem: null }
  | { readonly ref: null; readonly problem: string }
);
/** What the presets of an org are composed with: its facts, and the services of its root. */
export type PresetGround = { readonly facts: Facts; readonly hostServices: ReadonlySet<string> };
/** What a session's start read, with its org and its pinned revision composed (G-19). */
export type SessionHeader = SessionStart & {
  readonly composition: Composition;
  readonly ground: PresetGround;
  readonly pinned: SessionPreset;
  /** by `performance.now()` */
  readonly readAt: number;
};
type Platform = Pick<Env, "GANTRY_ALLOW_PRIVATE_HOSTS">;

/** @throws AppError NOT_FOUND for the session */
export async function loadSession({ orgId, sessionId }: SessionRef, env: Platform): Promise<SessionHeader> {
  const readAt = performance.now();
  const start = await readSessionStart(orgId, sessionId);
  const composition = orgComposition(start, env);
  const ground = { facts: factsOf(start.plan, env), hostServices: providedServices(composition.rows) };
  const { presetId, presetRevision: revision, preset } = start;
  return { ...start, composition, ground, pinned: sessionPreset({ presetId, revision }, preset, ground), readAt };
}

/** A revision that a person asked for, of the org or of the platform; what is another org's reads as not there (M-6). */
export async function readPreset({ orgId }: SessionRef, wanted: Wanted, ground: PresetGround): Promise<SessionPreset> {
  const { presetId, revision } = wanted;
  const select = { slug: true, hash: true, rows: true } as const;
  const where = { presetId, revision, OR: [{ orgId }, { orgId: null }] };
  return sessionPreset(wanted, await withOrg(orgId, (tx) => tx.presetRevision.findFirst({ where, select })), ground);
}

type Wanted = { readonly presetId: PresetId; readonly revision: number };
type Stored = { readonly slug: string; readonly hash: string; readonly rows: unknown } | null;

function sessionPreset({ presetId, revision }: Wanted, stored: Stored, ground: PresetGround): SessionPreset {
  const pair = { presetId, revision };
  if (!stored) return { ...pair, ref: null, problem: "The preset revision of this session does not exist any more." };
  const { slug, hash, rows } = stored;
  const { problems, mounts } = composePreset({ slug, revision, rows, ...ground });
  if (problems.length > 0) {
    const problem = `Revision ${revision} of the preset "${slug}" cannot be used any more. ${problems.map(describeIssue).join(" ")}`;
    return { ...pair, ref: null, problem };
  }
  return { ...pair, ref: { ...pair, slug, hash, mounts }, problem: null };
}
