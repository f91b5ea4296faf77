import { AppError, OrgSlug, streamBeatMs, streamPatienceMs } from "@gantry/contracts";
import { findLogin, findMembership, type Login, requestsByUser, type ServiceContext, type UserContext } from "@gantry/services";
import { initTRPC } from "@trpc/server";
import superjson from "superjson";
import { z } from "zod";
import type { ApiContext } from "./context.ts";
import { describeError, toTrpcError } from "./error-shape.ts";

const t = initTRPC.context<ApiContext>().create({
  transformer: superjson,
  isDev: false, // no stack traces in answers, whatever NODE_ENV says
  sse: { ping: { enabled: true, intervalMs: streamBeatMs }, client: { reconnectAfterInactivityMs: streamPatienceMs } },
  errorFormatter: ({ shape, error }) => ({ code: shape.code, ...describeError(error) }),
});

export const router = t.router;
export const createCaller = t.createCallerFactory;

const withErrorCodes = t.middleware(async ({ next }) => {
  const result = await next();
  if (!result.ok) throw toTrpcError(result.error);
  return result;
});

/** For everybody; the procedure counts requests by network address itself where that matters. */
export const publicProcedure = t.procedure.use(withErrorCodes);

/** For people who are signed in. */
export const userProcedure = publicProcedure.use(async ({ ctx, next }) => {
  const login = await ctx.login();
  if (!login) throw new AppError("UNAUTHENTICATED", "You are not signed in, or your sign-in has ended. Sign in again.");
  await ctx.deps.limiter.take(requestsByUser, login.userId);
  const user: UserContext = { ...ctx.deps, userId: login.userId, userName: login.name, loginId: login.loginId };
  return next({ ctx: { login, user } });
});

/** For members of the organisation that the input names. Not a member and no such organisation are one answer (SC-T1). */
export const orgProcedure = userProcedure.input(z.looseObject({ org: OrgSlug })).use(async ({ ctx, input, next }) => {
  const membership = await ctx.membership(ctx.login, input.org);
  if (!membership) throw orgNotFound();
  const recheck = () => recheckAccess(ctx.login, input.org);
  const service: ServiceContext = { ...ctx.user, ...membership, recheck };
  return next({ ctx: { service } });
});

/** For members who may change things: viewers only look. */
export const memberProcedure = orgProcedure.use(({ ctx, next }) => {
  if (ctx.service.role === "viewer") throw new AppError("FORBIDDEN", "Viewers cannot change anything. Ask an admin for the member role.");
  return next();
});

/** For owners and admins of the organisation. */
export const adminProcedure = orgProcedure.use(({ ctx, next }) => {
  if (ctx.service.role !== "owner" && ctx.service.role !== "admin")
    throw new AppError("FORBIDDEN", "Only admins of the organisation may do this.");
  return next();
});

async function recheckAccess(login: Login, org: string): Promise<void> {
  if (!(await findLogin(login.userId, login.loginId))) throw new AppError("UNAUTHENTICATED", "Your sign-in has ended. Sign in again.");
  if (!(await findMembership(login.userId, org))) throw orgNotFound();
}

function orgNotFound(): AppError {
  return new AppError("NOT_FOUND", "There is no such organisation, or you are not a member of it.");
}
