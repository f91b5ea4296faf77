import { OrgSlug, streamBeatMs, streamPatienceMs } from "@gantry/contracts";
import { initTRPC } from "@trpc/server";
import { z } from "zod";
import { assertAdmin, assertCanWrite, requireMember, requireUser } from "./access.ts";
import type { ApiContext } from "./context.ts";
import { describeError, toTrpcError } from "./error-shape.ts";
import { transformer } from "./transformer.ts";

const t = initTRPC.context<ApiContext>().create({
  transformer,
  isDev: false, // no stack traces in answers, whatever NODE_ENV says
  sse: { ping: { enabled: true, intervalMs: streamBeatMs }, client: { reconnectAfterInactivityMs: streamPatienceMs } },
  errorFormatter: ({ shape, error }) => ({ code: shape.code, ...describeError(error) }),
});

export const router = t.router;

const withErrorCodes = t.middleware(async ({ next }) => {
  const result = await next();
  if (!result.ok) throw toTrpcError(result.error);
  return result;
});

/** For everybody; what needs a limit takes it by network address. */
export const publicProcedure = t.procedure.use(withErrorCodes);

/** For people who are signed in. */
export const userProcedure = publicProcedure.use(async ({ ctx, next }) => next({ ctx: { user: await requireUser(ctx) } }));

/** For members of the organisation that the input names, before the rest of the input is looked at. */
export const orgProcedure = userProcedure
  .input(z.looseObject({ org: OrgSlug }))
  .use(async ({ ctx, input, next }) => next({ ctx: { service: await requireMember(ctx, ctx.user, input.org) } }));

/** For members who may change things. */
export const memberProcedure = orgProcedure.use(({ ctx, next }) => {
  assertCanWrite(ctx.service);
  return next();
});

/** For owners and admins of the organisation. */
export const adminProcedure = orgProcedure.use(({ ctx, next }) => {
  assertAdmin(ctx.service);
  return next();
});
