import type { Prisma } from "@gantry/db";
import type { Place } from "../paging.ts";

/** Lists of sessions: last active first. */
export const lastActiveFirst: Prisma.SessionOrderByWithRelationInput[] = [{ lastActivityAt: "desc" }, { id: "desc" }];

/** The sessions that stand after a place of that list. */
export const activeBefore = ({ time, id }: Place) => ({ OR: [{ lastActivityAt: { lt: time } }, { lastActivityAt: time, id: { lt: id } }] });

export const placeOfSession = ({ lastActivityAt, id }: { lastActivityAt: Date; id: string }): Place => ({ time: lastActivityAt, id });
