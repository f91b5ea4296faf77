import { AppError, type ForkSession, type SessionId } from "@gantry/contracts";
import { copyLog, type Tx, withOrg } from "@gantry/db";
import { writeAudit } from "../../audit/write-audit.ts";
import type { ServiceContext } from "../../context.ts";
import { holdPreset } from "../../preset/pin-preset.ts";
import { deriveSessionId } from "../derive-session-id.ts";
import { sessionNotFound } from "../session-not-found.ts";
import { type ForkPoint, forkPoint } from "./fork-boundary.ts";

/** A copy of a long log is one statement; this bounds it, in milliseconds. */
const timeoutMs = 30_000;

/**
 * Begins a session with a copy of another one's log, up to and including `boundarySeq` (SES-23). The copy is closed by `session/end-seed`, has the
 * source's workspace, route and preset revision, and belongs to whoever forked it; the source is not touched. Safe to repeat with the same `clientKey`.
 * @throws NOT_FOUND, INVALID_BOUNDARY, OPEN_TURN; CONFLICT when the key was used for another fork (AG-187)
 */
export async function forkSession(ctx: ServiceContext, input: ForkSession): Promise<{ sessionId: SessionId }> {
  // "/" is outside the alphabet of client keys: no new session's key can make the same id
  const sessionId = deriveSessionId(ctx.orgId, ctx.userId, `fork/${input.clientKey}`);
  await withOrg(ctx.orgId, (tx) => fork(tx, ctx, sessionId, input), { timeoutMs });
  return { sessionId };
}

async function fork(tx: Tx, ctx: ServiceContext, id: SessionId, input: ForkSession): Promise<void> {
  const { orgId } = ctx;
  const known = await tx.session.findUnique({ where: { orgId_id: { orgId, id } }, select: { parentId: true, seedLength: true } });
  if (known) return assertSameFork(known, input);
  const source = await holdSource(tx, ctx, input.sessionId);
  const point = await forkPoint(tx, source, input.boundarySeq);
  const { nextSeq: _, permission: latest, ...header } = source;
  const row = { ...header, id, orgId, createdBy: ctx.userId, parentId: source.id, seedLength: point.length };
  // a row whose log never named a permission holds what the session began with
  const permission = point.permission ?? ((await namesPermission(tx, source.id)) ? undefined : latest);
  const readings = { title: point.title, nextSeq: point.length + (point.isSealed ? 0 : 1), ...(permission && { permission }) };
  const stored = await tx.session.createMany({ data: [{ ...row, ...readings }], skipDuplicates: true });
  if (stored.count === 0) return; // a repeat at the same moment won
  await copyLog(tx, orgId, { from: source.id, to: id, length: point.length });
  await seal(tx, orgId, id, point);
  await writeAudit(tx, ctx, { action: "session.fork", subject: id, details: { source: source.id, seedLength: point.length } });
}

/** The source's header. Neither the source nor its preset's revision can be removed before the copy is stored (G-2); its worker goes on writing undisturbed. */
async function holdSource(tx: Tx, { orgId }: ServiceContext, id: SessionId) {
  await tx.$queryRaw`SELECT FROM sessions WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid FOR KEY SHARE`;
  for (let held = ""; ; ) {
    const source = await readSource(tx, orgId, id);
    if (source.presetId === held) return source;
    held = source.presetId; // it may have gone to another preset while this one was waited for
    await holdPreset(tx, held);
  }
}

async function readSource(tx: Tx, orgId: ServiceContext["orgId"], id: SessionId) {
  const route = { workspaceId: true, presetId: true, presetRevision: true, provider: true, model: true, version: true } as const;
  const row = await tx.session.findUnique({
    where: { orgId_id: { orgId, id } },
    select: { ...route, permission: true, nextSeq: true },
  });
  if (!row) throw sessionNotFound();
  return { ...row, id };
}

async function namesPermission(tx: Tx, sessionId: SessionId): Promise<boolean> {
  return (await tx.sessionEvent.findFirst({ where: { sessionId, type: "permission/preset" }, select: { seq: true } })) !== null;
}

/** What was copied ends here; what follows is the fork's own (SES-22). */
async function seal(tx: Tx, orgId: ServiceContext["orgId"], sessionId: SessionId, { length, isSealed }: ForkPoint): Promise<void> {
  if (isSealed) return;
  const event = { seq: length, time: Date.now(), type: "session/end-seed", data: {}, leaseEpoch: 0 };
  await tx.sessionEvent.create({ data: { orgId, sessionId, ...event }, select: { seq: true } });
}

function assertSameFork(known: { parentId: string | null; seedLength: number | null }, { sessionId, boundarySeq }: ForkSession): void {
  const isSame = known.parentId === sessionId && (boundarySeq === undefined || known.seedLength === boundarySeq + 1);
  if (isSame) return;
  throw new AppError("CONFLICT", "This request key was used for another fork already. Try again with a new key.");
}
