import { AppError, SignIn, type UserId } from "@gantry/contracts";
import { withSystem } from "@gantry/db";
import type { ServiceDeps } from "../context.ts";
import { signInByAccount, signInByAddress } from "../limits/rate-rules.ts";
import { auditInEachOrg, type Login, openLogin } from "./login.ts";
import { verifyPassword } from "./password.ts";

/**
 * Opens a login for an e-mail address and its password. A malformed address, an unknown one and a wrong password cost the same time and
 * get the same answer (SC-W11). `address` is the client's network address. @throws WRONG_CREDENTIALS, RATE_LIMITED
 */
export async function signInWithPassword(deps: ServiceDeps, input: unknown, address: string): Promise<Login> {
  await deps.limiter.take(signInByAddress, address);
  const parsed = SignIn.safeParse(input);
  const { email, password } = parsed.success ? parsed.data : { email: "", password: "" };
  if (parsed.success) await deps.limiter.take(signInByAccount, email);
  const user = await withSystem((tx) =>
    tx.user.findUnique({ where: { email }, select: { id: true, email: true, name: true, passwordHash: true } }),
  );
  const fits = await verifyPassword(user?.passwordHash ?? null, password);
  if (!user || !fits) {
    deps.log.info({ userId: user?.id, address }, "sign-in refused");
    throw new AppError("WRONG_CREDENTIALS", "E-mail address or password is wrong.");
  }
  await deps.limiter.reset(signInByAccount, email);
  const userId = user.id as UserId;
  const loginId = await withSystem(async (tx) => {
    const id = await openLogin(tx, userId);
    await auditInEachOrg(tx, userId, { action: "account.signIn", subject: id, details: { with: "password" } });
    return id;
  });
  return { loginId, userId, email: user.email, name: user.name };
}
