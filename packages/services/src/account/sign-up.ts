import { AppError, type SignUp, type UserId } from "@gantry/contracts";
import { type Tx, withSystem } from "@gantry/db";
import { newId } from "@gantry/platform";
import type { ServiceDeps } from "../context.ts";
import { signUpByAddress } from "../limits/rate-rules.ts";
import { createOrg } from "./create-org.ts";
import { hashPassword } from "./password.ts";

/**
 * Creates a person and their organisation; signing in is a separate step. `address` is the client's network address.
 * @throws FORBIDDEN where sign-up is closed, RATE_LIMITED, EMAIL_TAKEN
 */
export async function signUp(deps: ServiceDeps, input: SignUp, address: string): Promise<{ org: string }> {
  if (!deps.env.SIGNUP_OPEN) throw signUpClosed();
  await deps.limiter.take(signUpByAddress, address);
  const passwordHash = await hashPassword(input.password);
  return withSystem(async (tx) => {
    const userId = await insertUser(tx, { ...input, passwordHash });
    const { slug } = await createOrg(tx, userId, input.orgName, "account.signUp");
    return { org: slug };
  });
}

/** @throws EMAIL_TAKEN */
export async function insertUser(tx: Tx, user: { email: string; name: string; passwordHash: string | null }): Promise<UserId> {
  const id = newId<UserId>();
  const row = { id, email: user.email, name: user.name, passwordHash: user.passwordHash };
  const stored = await tx.user.createMany({ data: [row], skipDuplicates: true });
  if (stored.count === 1) return id;
  throw new AppError("EMAIL_TAKEN", "This e-mail address has an account already. Sign in instead.", { data: { field: "email" } });
}

export function signUpClosed(): AppError {
  return new AppError("FORBIDDEN", "This installation does not accept new accounts. Ask its operator for one.");
}
