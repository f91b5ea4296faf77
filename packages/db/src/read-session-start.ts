import {
  AppError,
  type Json,
  type OrgId,
  type PresetId,
  type ProviderId,
  type SessionId,
  type UserId,
  type WorkspaceId,
} from "@gantry/contracts";
import type { ProviderKind } from "./generated/enums.ts";
import { sharedRead } from "./shared-read.ts";
import { tenantRows } from "./tenant-queries.ts";

/** What a worker needs before it can hold a session: the immutable header, the pinned preset revision, the org's providers without keys,
 * its layers, plan and settings. */
export type SessionStart = {
  readonly workspaceId: WorkspaceId;
  readonly createdBy: UserId;
  readonly provider: string;
  readonly model: string;
  /** null when the pinned revision is gone; `rows` as stored, to be parsed by whoever mounts them */
  readonly preset: {
    readonly id: PresetId;
    readonly revision: number;
    readonly slug: string;
    readonly hash: string;
    readonly rows: unknown;
    /** which of the preset's revisions new sessions get; null when the preset is gone or has none */
    readonly current: number | null;
    /** a worker has reported this revision as broken */
    readonly isBroken: boolean;
  } | null;
  /** the pinned pair, also when the revision is gone */
  readonly presetId: PresetId;
  readonly presetRevision: number;
  readonly status: string;
  readonly problem: string | null;
  /** the permission preset that it was created with or last put on (PRM-4) */
  readonly permission: string;
  /** how many events of the log a fork copied from its source; null for a session that was not forked (SES-23) */
  readonly seedLength: number | null;
  readonly providers: readonly StoredProvider[];
  /** the layers in force for the profile `web`, at most one of each kind, the plan's first */
  readonly layers: readonly StoredLayer[];
  /** null while the org has no layer of its own */
  readonly pointer: LayerPointer | null;
  /** what the org's plan says, as facts for conditions (E-6) */
  readonly plan: OrgPlan;
  /** the settings sections that hold for this session, secrets left out (N-2) */
  readonly settings: readonly StoredSetting[];
};
export type StoredLayer = { readonly kind: "plan" | "org"; readonly revision: number; readonly bundles: string[]; readonly source: string };
/** What serves an org when its layer's revision in force does not start (null: nothing; 0: no layer), and what the last start said (M-13). */
export type LayerPointer = { readonly previous: number | null; readonly problem: string | null };
export type OrgPlan = { readonly tier: string; readonly seats: number; readonly flags: Readonly<Record<string, boolean>> };
export type StoredSetting = {
  readonly namespace: string;
  readonly level: "org" | "workspace" | "user";
  readonly value: Readonly<Record<string, Json>>;
  readonly revision: number;
};
export type StoredProvider = {
  readonly id: ProviderId;
  readonly slug: string;
  readonly kind: ProviderKind;
  readonly baseUrl: string;
  readonly models: string[];
};

const read = {
  name: "read-session-start",
  text: `
    SELECT s.workspace_id AS "workspaceId", s.created_by AS "createdBy", s.provider, s.model, s.status, s.problem, s.permission, s.seed_length AS "seedLength",
      s.preset_id AS "presetId", s.preset_revision AS "presetRevision",
      CASE WHEN p.hash IS NULL THEN NULL ELSE json_build_object('id', p.preset_id, 'revision', p.revision, 'slug', p.slug,
        'hash', p.hash, 'rows', p.rows, 'current', n.current_revision, 'isBroken', n.broken_revision IS NOT DISTINCT FROM p.revision) END AS preset,
      (SELECT COALESCE(json_agg(json_build_object('id', v.id, 'slug', v.slug, 'kind', v.kind, 'baseUrl', v.base_url, 'models', v.models)
        ORDER BY v.slug), '[]') FROM providers v WHERE v.org_id = $1) AS providers,
      (SELECT COALESCE(json_agg(json_build_object('kind', c.kind, 'revision', c.revision, 'bundles', c.bundles, 'source', c.source)
        ORDER BY c.kind DESC), '[]') FROM composition_pointers q JOIN composition_revisions c USING (org_id, profile, kind, revision)
        WHERE q.org_id = $1 AND q.profile = 'web') AS layers,
      (SELECT json_build_object('previous', q.previous_revision, 'problem', CASE WHEN q.problem_revision = q.revision THEN q.problem END)
        FROM composition_pointers q WHERE q.org_id = $1 AND q.profile = 'web' AND q.kind = 'org') AS pointer,
      (SELECT json_build_object('tier', o.plan_tier, 'seats', o.plan_seats, 'flags', o.flags) FROM orgs o WHERE o.id = $1) AS plan,
      (SELECT COALESCE(json_agg(json_build_object('namespace', t.namespace, 'level', t.level, 'value', t.value, 'revision', t.revision)), '[]')
        FROM settings t WHERE t.org_id = $1 AND (t.level = 'org' OR (t.level = 'workspace' AND t.subject = s.workspace_id::text)
          OR (t.level = 'user' AND t.subject = s.created_by::text))) AS settings
    FROM sessions s LEFT JOIN preset_revisions p ON p.preset_id = s.preset_id AND p.revision = s.preset_revision
      LEFT JOIN presets n ON n.id = p.preset_id
    WHERE s.org_id = $1 AND s.id = $2`,
};

/** Reads all of it in one round trip: a person waits for the answer that begins here. @throws NOT_FOUND when the org has no such session */
export async function readSessionStart(orgId: OrgId, sessionId: SessionId): Promise<SessionStart> {
  const [row] = await tenantRows<SessionStart>(orgId, read, [orgId, sessionId]);
  if (!row) throw new AppError("NOT_FOUND", "There is no such session.");
  return row;
}

const secrets = { name: "read-provider-secrets", text: "SELECT id, secret FROM providers WHERE org_id = $1 AND secret IS NOT NULL" };

/** The sealed keys of all providers of an org that have one. */
export async function readProviderSecrets(orgId: OrgId): Promise<{ id: string; secret: Buffer }[]> {
  return tenantRows<{ id: string; secret: Buffer }>(orgId, secrets, [orgId]);
}

const secret = { name: "read-provider-secret", text: "SELECT secret, base_url FROM providers WHERE org_id = $1 AND id = $2" };

/**
 * The sealed key of a provider, null when it has none, and the address that it is for; null when the provider is gone. Asked at each model request, so an edit holds for the next one; requests of
 * one org that ask at the same time share the answer.
 */
export async function readProviderSecret(orgId: OrgId, providerId: string): Promise<{ secret: Buffer | null; baseUrl: string } | null> {
  const read = () => tenantRows<{ secret: Buffer | null; base_url: string }>(orgId, secret, [orgId, providerId]);
  const [row] = await sharedRead(`secret/${orgId}/${providerId}`, read);
  return row ? { secret: row.secret, baseUrl: row.base_url } : null;
}
