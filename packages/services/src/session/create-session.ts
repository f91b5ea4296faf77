import { AppError, type CreateSession, type SessionId, type WorkspaceId } from "@gantry/contracts";
import { type Tx, withOrg } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { findWorkspace } from "../workspace/find-workspace.ts";
import { checkMessage } from "./check-message.ts";
import { chooseModel } from "./choose-model.ts";
import { choosePermission } from "./choose-permission.ts";
import { choosePreset } from "./choose-preset.ts";
import { deriveSessionId } from "./derive-session-id.ts";
import { announceCommand, insertAndAudit, type NewCommand, sameRequest } from "./post-command.ts";
import { messagePayload } from "./send-message.ts";

/**
 * Starts a session: the immutable header, pinned to the present revision of the preset, or of the default where none is named (SES-1, G-5, G-19), and
 * the first prompt when there is one, in one transaction. Safe to repeat with the same `clientKey`: the answer is the same session.
 * @throws NOT_FOUND, NO_MODEL, MESSAGE_TOO_LARGE, WORKSPACE_BUSY while the files are imported, CONFLICT after a failed import
 * @throws PRESET_UNKNOWN, PRESET_BROKEN with the reasons
 */
export async function createSession(ctx: ServiceContext, input: CreateSession): Promise<{ sessionId: SessionId }> {
  if (input.prompt !== undefined) checkMessage(input.prompt);
  const sessionId = deriveSessionId(ctx.orgId, ctx.userId, input.clientKey);
  const wake = await withOrg(ctx.orgId, async (tx) => {
    const known = await repeatedWake(tx, ctx, sessionId, input);
    return known ?? (await insertSession(tx, ctx, sessionId, input)) ?? (await repeatedWake(tx, ctx, sessionId, input)) ?? 0;
  });
  if (wake > 0) await announceCommand(ctx, sessionId, wake);
  return { sessionId };
}

/** Returns the wake count to announce, 0 without a prompt; null when a parallel repeat won. */
async function insertSession(tx: Tx, ctx: ServiceContext, id: SessionId, input: CreateSession): Promise<number | null> {
  await assertUsable(tx, ctx, input.workspaceId);
  const [preset, route] = [await choosePreset(tx, ctx, input), await chooseModel(tx, ctx, input)];
  const header = { id, orgId: ctx.orgId, workspaceId: input.workspaceId, createdBy: ctx.userId };
  const permission = await choosePermission(tx, ctx, input);
  const row = { ...header, presetId: preset.id, presetRevision: preset.revision, ...route, permission };
  const stored = await tx.session.createMany({ data: [row], skipDuplicates: true });
  if (stored.count === 0) return null;
  const details = { workspaceId: input.workspaceId, ...route, preset: preset.slug, revision: preset.revision, permission };
  const audit = { action: "session.create", subject: id, details };
  const prompt = firstPrompt(ctx, id, input);
  if (prompt) return (await insertAndAudit(tx, ctx, prompt, audit)).wake;
  await writeAudit(tx, ctx, audit);
  return 0;
}

/** The prompt as a command; "/" is outside the alphabet of client keys, so no later send can collide with it. */
function firstPrompt(ctx: ServiceContext, sessionId: SessionId, { prompt, timeZone, clientKey }: CreateSession): NewCommand | null {
  if (prompt === undefined) return null;
  return { sessionId, clientKey: `create/${clientKey}`, payload: messagePayload(ctx, { text: prompt, target: "next-turn", timeZone }) };
}

/** The wake count of the session that an earlier request of this key made; null when there was none. @throws CONFLICT when it asked for something else */
async function repeatedWake(tx: Tx, ctx: ServiceContext, id: SessionId, input: CreateSession): Promise<number | null> {
  const { orgId } = ctx;
  const select = { wakes: true, workspaceId: true, provider: true, model: true } as const;
  const known = await tx.session.findUnique({ where: { orgId_id: { orgId, id } }, select });
  if (!known) return null;
  const { workspaceId, providerSlug = known.provider, model = known.model } = input;
  const isSameRoute = known.provider === providerSlug && known.model === model;
  const prompt = firstPrompt(ctx, id, input);
  const key = { orgId, sessionId: id, clientKey: `create/${input.clientKey}` };
  const stored = await tx.sessionCommand.findUnique({ where: { orgId_sessionId_clientKey: key }, select: { payload: true } });
  if (known.workspaceId !== workspaceId || !isSameRoute || !stored !== !prompt)
    throw new AppError("CONFLICT", "This request key was used for another session already. Try again with a new key.");
  if (stored && prompt) sameRequest(stored.payload, prompt.payload);
  return known.wakes;
}

async function assertUsable(tx: Tx, ctx: ServiceContext, id: WorkspaceId): Promise<void> {
  const { state } = await findWorkspace(tx, ctx.orgId, id);
  if (state === "importing")
    throw new AppError("WORKSPACE_BUSY", "The files of this workspace are still being imported. Try again when it is ready.");
  if (state === "failed") throw new AppError("CONFLICT", "The import of this workspace failed. Repeat the import, then start the session.");
}
