import { readFileSync } from "node:fs";
import { SessionLog } from "@gantry/agent/session/log";
import { isAppError, type SessionEvent } from "@gantry/contracts";
import { readEvents, withOrg } from "@gantry/db";
import type { Ref } from "./holder.ts";

/** What is wrong, and how much was looked at. The letters are those of the reliability invariants. */
export type Findings = {
  /** I1: positions lost, or an event that breaks the order of the log */
  readonly broken: string[];
  /** I2: bodies that ran without a durable record, or twice */
  readonly unrecorded: string[];
  /** I3: turns or calls with more than one end, or none */
  readonly doubleEnds: string[];
  /** sessions that are not at rest */
  readonly unfinished: string[];
  readonly events: number;
  readonly turns: number;
  readonly calls: number;
  readonly unknown: number;
  readonly interrupted: number;
};

/** Checks sessions from Postgres and from what the tool bodies left behind. */
export async function checkSessions(refs: readonly Ref[], effects: string): Promise<Findings> {
  const found = {
    broken: [],
    unrecorded: [],
    doubleEnds: [],
    unfinished: [],
    events: 0,
    turns: 0,
    calls: 0,
    unknown: 0,
    interrupted: 0,
  } as {
    -readonly [K in keyof Findings]: Findings[K];
  };
  const ran = Map.groupBy(linesOf(effects), (line) => line.split(" ")[0] ?? "");
  for (const ref of refs)
    await checkSession(
      ref,
      (ran.get(ref.sessionId) ?? []).map((line) => line.split(" ")[1] ?? ""),
      found,
    );
  return found;
}

async function checkSession(
  { orgId, sessionId }: Ref,
  ran: readonly string[],
  found: { -readonly [K in keyof Findings]: Findings[K] },
): Promise<void> {
  const log = await readEvents(orgId, sessionId).catch((error: unknown) => {
    if (!isAppError(error)) throw error;
    found.broken.push(`${sessionId}: ${error.message}`);
    return [] as SessionEvent[];
  });
  found.events += log.length;
  try {
    new SessionLog({ events: log, write: () => Promise.resolve() });
  } catch (error) {
    found.broken.push(`${sessionId}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const calls = log.flatMap((event) => (event.type === "tool/call" ? [event] : []));
  const results = log.flatMap((event) => (event.type === "tool/result" && event.data.message.source.kind === "tool" ? [event] : []));
  found.calls += calls.length;
  found.unknown += results.filter(({ data }) => data.error?.code === "TOOL_OUTCOME_UNKNOWN").length;
  for (const [id, ends] of Map.groupBy(results, ({ data }) => (data.message.source.kind === "tool" ? data.message.source.callId : "")))
    if (ends.length > 1) found.doubleEnds.push(`${sessionId}: ${ends.length} results of ${id}`);
  const ends = log.flatMap((event) => (event.type === "turn/end" ? [event.data] : []));
  found.turns += ends.length;
  found.interrupted += ends.filter(({ reason }) => reason.kind === "interrupted").length;
  if (new Set(ends.map(({ turn }) => turn)).size !== ends.length) found.doubleEnds.push(`${sessionId}: a turn ended twice`);
  const recorded = new Set(await recordedCalls({ orgId, sessionId }, calls));
  for (const id of ran) if (!recorded.has(id)) found.unrecorded.push(`${sessionId}: ${id} ran without a record`);
  if (new Set(ran).size !== ran.length) found.unrecorded.push(`${sessionId}: a call ran twice`);
  const row = await withOrg(orgId, (tx) => tx.session.findUniqueOrThrow({ where: { orgId_id: { orgId, id: sessionId } } }));
  if (row.status !== "idle" || ends.length !== log.filter(({ type }) => type === "turn/start").length)
    found.unfinished.push(`${sessionId}: ${row.status} ${row.problem ?? ""}`);
}

/** Calls whose event and entry in the ledger are both durable. */
async function recordedCalls({ orgId, sessionId }: Ref, calls: readonly Extract<SessionEvent, { type: "tool/call" }>[]): Promise<string[]> {
  const rows = await withOrg(orgId, (tx) => tx.toolExecution.findMany({ where: { orgId, sessionId }, select: { callSeq: true } }));
  const entered = new Set(rows.map(({ callSeq }) => callSeq));
  return calls.filter(({ seq }) => entered.has(seq)).map(({ data }) => data.callId);
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch {
    return []; // no body ran
  }
}
