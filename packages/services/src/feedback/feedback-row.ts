import type { SessionId } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { feedbackSessionNotFound } from "./feedback-errors.ts";

/** What one person thinks of one answer; `version` is new with every change and never comes back. */
export type Feedback = {
  readonly messageId: string;
  readonly rating: "positive" | "negative";
  readonly note: string | null;
  readonly version: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export const feedbackColumns = { messageId: true, rating: true, note: true, version: true, createdAt: true, updatedAt: true } as const;

type Row = Omit<Feedback, "rating"> & { rating: string };
export const feedbackView = (row: Row): Feedback => ({ ...row, rating: row.rating === "positive" ? "positive" : "negative" });

type Place = { readonly sessionId: SessionId; readonly messageId: string };
/** The caller's row; a person writes on one message once. */
export const ownRow = ({ orgId, userId }: ServiceContext, { sessionId, messageId }: Place) => ({ orgId, sessionId, messageId, userId });

export async function findFeedback(tx: Tx, ctx: ServiceContext, place: Place): Promise<Feedback | null> {
  const row = await tx.messageFeedback.findFirst({ where: ownRow(ctx, place), select: feedbackColumns });
  return row && feedbackView(row);
}

/** @throws NOT_FOUND with the reason session-not-found */
export async function assertSession(tx: Tx, { orgId }: ServiceContext, id: SessionId): Promise<void> {
  if ((await tx.session.count({ where: { orgId, id } })) === 0) throw feedbackSessionNotFound();
}
