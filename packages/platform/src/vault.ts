import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { AppError } from "@gantry/contracts";

const algorithm = "aes-256-gcm";
const version = 1;
const nonceBytes = 12;
/** Enforced on both sides: without it Node would accept a tag cut to 4 bytes (SC-K2). */
const authTagLength = 16;

/** What a secret belongs to. It is authenticated with the text, so a row copied to another org or id does not open. */
export type SecretOwner = { readonly orgId: string; readonly id: string };

/** Encrypts a secret for storage: version byte ‖ 12-byte random nonce ‖ ciphertext ‖ 16-byte tag. */
export function sealSecret(masterKey: Buffer, owner: SecretOwner, plain: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, masterKey, nonce, { authTagLength });
  cipher.setAAD(bound(owner));
  return Buffer.concat([Buffer.of(version), nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

/** Opens what {@link sealSecret} made. @throws SECRET_UNREADABLE for another owner, another key, or a changed byte */
export function openSecret(masterKey: Buffer, owner: SecretOwner, sealed: Uint8Array): string {
  try {
    const bytes = Buffer.from(sealed);
    if (bytes[0] !== version || bytes.length < 1 + nonceBytes + authTagLength) throw new RangeError("not a sealed secret of version 1");
    const nonce = bytes.subarray(1, 1 + nonceBytes);
    const decipher = createDecipheriv(algorithm, masterKey, nonce, { authTagLength });
    decipher.setAAD(bound(owner));
    decipher.setAuthTag(bytes.subarray(-authTagLength));
    const body = bytes.subarray(1 + nonceBytes, -authTagLength);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
  } catch (cause) {
    throw new AppError("SECRET_UNREADABLE", "A stored key cannot be opened with this installation's master key. Enter the key again.", {
      cause,
    });
  }
}

/** Names the master key in stored rows without telling anything about it, so that a rotation finds what it still has to rewrap. */
export function masterKeyId(masterKey: Buffer): string {
  return createHash("sha256").update("gantry-kek|").update(masterKey).digest("hex").slice(0, 16);
}

function bound({ orgId, id }: SecretOwner): Buffer {
  return Buffer.from(`${orgId}|${id}|${version}`);
}
