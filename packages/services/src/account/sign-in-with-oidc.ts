import { AppError, SignUp, type UserId } from "@gantry/contracts";
import { type Tx, withSystem } from "@gantry/db";
import type { ServiceDeps } from "../context.ts";
import { createOrg } from "./create-org.ts";
import { auditInEachOrg, type Login, openLogin } from "./login.ts";
import { insertUser, signUpClosed } from "./sign-up.ts";

/** What the identity provider vouches for; the caller has verified the token. */
export type OidcIdentity = {
  /** the issuer's address */
  readonly provider: string;
  readonly subject: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly name?: string;
};

type Person = { id: UserId; email: string; name: string };

/**
 * Opens a login for a person known to the identity provider. The link is (provider, subject) and nothing else; the first sign-in makes it:
 * to the account of the same e-mail address when the provider says the address is verified, otherwise to a new account with its own
 * organisation. Our own sign-up verifies no address, so whoever proves the address by OIDC takes the account over: its password
 * and its open logins end with the link, and an account registered in advance with a stranger's address gains nothing.
 * @throws BAD_REQUEST without a verified e-mail address on the first sign-in, FORBIDDEN where sign-up is closed
 */
export async function signInWithOidc(deps: ServiceDeps, identity: OidcIdentity): Promise<Login> {
  return withSystem(async (tx) => {
    const person = (await findLinked(tx, identity)) ?? (await firstSignIn(tx, deps, identity));
    const loginId = await openLogin(tx, person.id);
    await auditInEachOrg(tx, person.id, { action: "account.signIn", subject: loginId, details: { with: "oidc" } });
    return { loginId, userId: person.id, email: person.email, name: person.name };
  });
}

async function findLinked(tx: Tx, { provider, subject }: OidcIdentity): Promise<Person | null> {
  const account = await tx.account.findUnique({
    where: { provider_subject: { provider, subject } },
    select: { user: { select: { id: true, email: true, name: true } } },
  });
  return account ? (account.user as Person) : null;
}

async function firstSignIn(tx: Tx, deps: ServiceDeps, identity: OidcIdentity): Promise<Person> {
  const email = verifiedEmail(identity);
  const known = await tx.user.findUnique({ where: { email }, select: { id: true, email: true, name: true } });
  const person = known ? await takeOver(tx, known as Person) : await createPerson(tx, deps, identity, email);
  await tx.account.create({
    data: { provider: identity.provider, subject: identity.subject, userId: person.id },
    select: { userId: true },
  });
  return person;
}

function verifiedEmail({ email, emailVerified }: OidcIdentity): string {
  const parsed = SignUp.shape.email.safeParse(email);
  if (emailVerified === true && parsed.success) return parsed.data;
  throw new AppError("BAD_REQUEST", "The identity provider did not name a verified e-mail address. Verify it there, then sign in again.");
}

async function takeOver(tx: Tx, person: Person): Promise<Person> {
  await tx.user.updateMany({ where: { id: person.id }, data: { passwordHash: null } });
  await tx.$executeRaw`UPDATE login_sessions SET revoked_at = now() WHERE user_id = ${person.id}::uuid AND revoked_at IS NULL`;
  await auditInEachOrg(tx, person.id, { action: "account.linkOidc", subject: person.id });
  return person;
}

async function createPerson(tx: Tx, deps: ServiceDeps, identity: OidcIdentity, email: string): Promise<Person> {
  if (!deps.env.SIGNUP_OPEN) throw signUpClosed();
  const parsed = SignUp.shape.name.safeParse(identity.name);
  const name = parsed.success ? parsed.data : (email.split("@")[0] ?? email);
  const id = await insertUser(tx, { email, name, passwordHash: null });
  await createOrg(tx, id, `${name.slice(0, 60)}'s team`, "account.signUp");
  return { id, email, name };
}
