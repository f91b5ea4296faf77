import { AppError } from "@gantry/contracts";
import { findLogin, findMembership, type Login, requestsByUser, type ServiceContext, type UserContext } from "@gantry/services";
import type { ApiContext } from "./context.ts";

/** The signed-in person behind a request, within what one person may ask for. @throws UNAUTHENTICATED, RATE_LIMITED */
export async function requireUser(ctx: ApiContext): Promise<UserContext> {
  const login = await ctx.login();
  if (!login) throw signedOut();
  await ctx.deps.limiter.take(requestsByUser, login.userId);
  return { ...ctx.deps, userId: login.userId, userName: login.name, loginId: login.loginId };
}

/** The person as a member of an organisation. Not a member and no such organisation are one answer (SC-T1). @throws NOT_FOUND */
export async function requireMember(ctx: ApiContext, user: UserContext, slug: string): Promise<ServiceContext> {
  const membership = await ctx.membership(user.userId, slug);
  if (!membership) throw orgNotFound();
  return { ...user, ...membership, recheck: () => recheck(user, slug) };
}

/** Viewers only look. @throws FORBIDDEN */
export function assertCanWrite({ role }: ServiceContext): void {
  if (role === "viewer") throw new AppError("FORBIDDEN", "Viewers cannot change anything. Ask an admin for the member role.");
}

/** @throws FORBIDDEN for everybody but owners and admins */
export function assertAdmin({ role }: ServiceContext): void {
  if (role !== "owner" && role !== "admin") throw new AppError("FORBIDDEN", "Only admins of the organisation may do this.");
}

async function recheck({ userId, loginId }: Pick<Login, "userId" | "loginId">, slug: string): Promise<void> {
  if (!(await findLogin(userId, loginId))) throw signedOut();
  if (!(await findMembership(userId, slug))) throw orgNotFound();
}

function signedOut(): AppError {
  return new AppError("UNAUTHENTICATED", "You are not signed in, or your sign-in has ended. Sign in again.");
}

function orgNotFound(): AppError {
  return new AppError("NOT_FOUND", "There is no such organisation, or you are not a member of it.");
}
