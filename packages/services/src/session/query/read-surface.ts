import {
  type EventType,
  mapSurface,
  type OrgId,
  queryError,
  type SessionId,
  type SurfaceMap,
  SurfaceOp,
  surfaceTypes,
} from "@gantry/contracts";
import { tenantRows } from "@gantry/db";

const read = {
  name: "read-surface",
  text: `
    SELECT seq, type, surface_op AS op FROM session_events
    WHERE org_id = $1 AND session_id = $2 AND type = ANY ($3::text[]) ORDER BY seq`,
};

/** The surface of a stored log, without its payloads. @throws INVALID_SURFACE when the log replaces what is not there */
export async function readSurface(orgId: OrgId, sessionId: SessionId): Promise<SurfaceMap> {
  const rows = await tenantRows<{ seq: number; type: EventType; op: unknown }>(orgId, read, [orgId, sessionId, [...surfaceTypes]]);
  try {
    return mapSurface(rows.map(({ seq, type, op }) => ({ seq, type, surfaceOp: op === null ? undefined : SurfaceOp.parse(op) })));
  } catch (cause) {
    throw queryError("INVALID_SURFACE", "The log of this session is damaged: what the model sees cannot be followed.", { cause });
  }
}
