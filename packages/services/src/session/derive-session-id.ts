import type { OrgId, SessionId, UserId } from "@gantry/contracts";
import { derivedId } from "@gantry/platform";

/** The id of the session that a person asked for with this key: the same request makes the same session, however often it arrives. */
export const deriveSessionId = (orgId: OrgId, userId: UserId, clientKey: string): SessionId =>
  derivedId(`gantry-session|${orgId}|${userId}|${clientKey}`);
