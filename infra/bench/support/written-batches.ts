import type { SessionEvent } from "@gantry/contracts";
import { connectOwner } from "@gantry/db/owner";
import type { BenchSession } from "./tenant.ts";

export type WrittenEvent = Pick<SessionEvent, "type" | "seq" | "data">;
/** Events of one transaction. */
export type Batch = readonly WrittenEvent[];

/** The events of a session's log in the batches that made them durable. */
export async function writtenBatches({ orgId, sessionId }: BenchSession): Promise<Batch[]> {
  const owner = await connectOwner();
  try {
    await owner.query("SELECT set_config('app.org_id', $1, false)", [orgId]);
    const rows = await owner.query<WrittenEvent & { xmin: string }>(
      "SELECT seq, type, data, xmin::text FROM session_events WHERE session_id = $1 ORDER BY seq",
      [sessionId],
    );
    const batches: (WrittenEvent & { xmin: string })[][] = [];
    for (const row of rows) {
      if (batches.at(-1)?.[0]?.xmin === row.xmin) batches.at(-1)?.push(row);
      else batches.push([row]);
    }
    return batches;
  } finally {
    await owner.close();
  }
}

/** The batches from a model's answer to the next request, for the step so numbered: those up to the call's record, and those after it. */
export function batchesOfStep(batches: readonly Batch[], step: number): { before: Batch[]; after: Batch[] } {
  const place = (at: number) => (event: WrittenEvent) => event.type === "step/start" && (event.data as { step: number }).step === at;
  const from = batches.findIndex((batch) => batch.some(place(step)));
  const to = batches.findIndex((batch) => batch.some(place(step + 1)));
  if (from < 0 || to < 0) throw new Error(`step ${step} is not in the log`);
  const own = batches.slice(from + 1, to + 1);
  const called = own.findLastIndex((batch) => batch.some((event) => event.type === "tool/call"));
  return { before: own.slice(0, called + 1), after: own.slice(called + 1) };
}
