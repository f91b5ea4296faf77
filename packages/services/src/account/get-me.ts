import { AppError } from "@gantry/contracts";
import { withUser } from "@gantry/db";
import type { Role, UserContext } from "../context.ts";

export type Me = {
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  readonly orgs: readonly { readonly id: string; readonly slug: string; readonly name: string; readonly role: Role }[];
};

/** The signed-in person with their organisations, by name. */
export async function getMe(ctx: UserContext): Promise<Me> {
  return withUser(ctx.userId, async (tx) => {
    const user = await tx.user.findUnique({ where: { id: ctx.userId }, select: { id: true, email: true, name: true } });
    if (!user) throw new AppError("UNAUTHENTICATED", "This account no longer exists.");
    const memberships = await tx.membership.findMany({
      where: { userId: ctx.userId },
      orderBy: { org: { name: "asc" } },
      select: { role: true, org: { select: { id: true, slug: true, name: true } } },
      take: 500,
    });
    return { user, orgs: memberships.map(({ role, org }) => ({ ...org, role })) };
  });
}
