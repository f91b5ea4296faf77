import type { OrgId, SessionId } from "@gantry/contracts";
import { tenantRows } from "./tenant-queries.ts";

const read = {
  name: "read-raw-events",
  text: `
    SELECT seq, time, type, data::text AS data, ignorable, surface_op, source_event_seqs FROM session_events
    WHERE org_id = $1 AND session_id = $2 AND seq >= $3 AND seq < $4 ORDER BY seq`,
};
type Raw = {
  seq: number;
  time: string;
  type: string;
  data: string;
  ignorable: boolean;
  surface_op: unknown;
  source_event_seqs: number[] | null;
};

/**
 * Events as they are stored, each as one line of JSON: payloads are not parsed, so a damaged log and one of a newer release come out whole. Positions `from`
 * (inclusive) to `to`; whatever of them is there.
 */
export async function readRawEvents(orgId: OrgId, sessionId: SessionId, { from, to }: { from: number; to: number }): Promise<string[]> {
  return (await tenantRows<Raw>(orgId, read, [orgId, sessionId, from, to])).map(lineOf);
}

function lineOf({ seq, time, type, data, ignorable, surface_op: op, source_event_seqs: sources }: Raw): string {
  const rest = [
    ignorable ? ',"ignorable":true' : "",
    op === null ? "" : `,"surfaceOp":${JSON.stringify(op)}`,
    sources === null ? "" : `,"sourceEventSeqs":${JSON.stringify(sources)}`,
  ];
  // a stored payload may have line breaks between its parts, never inside its strings
  const payload = data.replace(/[\r\n]+/g, " ");
  return `{"type":${JSON.stringify(type)},"seq":${seq},"time":${time},"data":${payload}${rest.join("")}}`;
}
