import { createHash } from "node:crypto";
import { type OrgId, SessionId, type UserId } from "@gantry/contracts";

/** The id of the session that a person asked for with this key: the same request makes the same session, however often it arrives (a version 8 UUID). */
export function deriveSessionId(orgId: OrgId, userId: UserId, clientKey: string): SessionId {
  const bytes = createHash("sha256").update(`gantry-session|${orgId}|${userId}|${clientKey}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return SessionId.parse(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"));
}
