import type { ServiceDeps } from "./context.ts";

/** How long an accepted request waits for Redis before it answers without it. */
const announceLimitMs = 800;

/**
 * Announces over Redis what a transaction has committed already. Never throws and never takes longer than about a second:
 * when Redis is away the sweep finds the work in Postgres (architecture §5).
 */
export async function announce(deps: Pick<ServiceDeps, "log">, what: string, send: () => Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${announceLimitMs} ms`)), announceLimitMs);
  try {
    await Promise.race([send(), late.promise]);
  } catch (err) {
    deps.log.warn({ what, err }, "not announced; the sweep will find it");
  } finally {
    clearTimeout(timer);
  }
}
