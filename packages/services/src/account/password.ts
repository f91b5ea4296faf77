import { hash, verify } from "@node-rs/argon2";

/** argon2id, 19 MiB, two passes, one lane: the smallest set that the current password-storage guidance names. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), parameters);
}

let decoy: Promise<string> | undefined;

/** Whether the password fits. Without a stored hash the same work is done against a decoy, so time tells nothing (SC-W11). */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword("no account has this password");
  const fits = await verify(stored ?? (await decoy), password.normalize("NFKC"));
  return stored !== null && fits;
}
