import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { SessionLog } from "@gantry/agent/session/log";
import type { SessionEvent, UserId } from "@gantry/contracts";
import { appendEvents, pendingCommands } from "@gantry/db";
import { newId } from "@gantry/platform";
import { lastUserText } from "@gantry/testing";
import { type CrashCase, crashCases } from "./support/crash-cases.ts";
import { type CrashOptions, instrument, type KillPoint } from "./support/crash-roots.ts";
import { type Ref, startHolder } from "./support/holder.ts";
import { kill, startProcess } from "./support/processes.ts";
import { until } from "./support/until.ts";

const holder = await startHolder(
  (request) => {
    const first = request.messages.find(({ role }) => role === "user");
    const asked = crashCases.find(({ id }) => first?.role === "user" && first.text.startsWith(`${id}:`));
    return asked?.reply(request) ?? { text: lastUserText(request).slice(0, 5) };
  },
  {},
  { LEASE_TTL_MS: "60000", LEASE_HEARTBEAT_MS: "20000" },
);
const { db, deps, addOrg, addPreset, post, say, hold, row, events } = holder;
const effects = join(db.env.GANTRY_DATA_DIR, "effects.log");
instrument(deps.roots, { effects });
const workers = new Set<ChildProcess>();
after(() => Promise.all([...workers].map(kill)));

const compaction = [
  {
    id: "compaction",
    name: "cordis:group",
    group: true,
    isolate: { compaction: true },
    config: ["compaction-basic", "command-compact"].map((name) => ({ id: name, name })),
  },
];

type Sent = { readonly ref: Ref; readonly userId: UserId };

for (const crash of crashCases)
  test(`AG-168 ${crash.id} ${crash.tail}: ${crash.ends}`, { timeout: 240_000 }, async () => {
    const sent = await start(crash);
    const { ref } = sent;
    await Promise.all([dies(ref, crash.killAt), commandLater(sent, crash)]);
    if (crash.also) await alsoLogged(ref, crash);
    const tail = await events(ref);

    await dies(ref, { type: "session/end-seed", nth: 1 });
    const repaired = await events(ref);
    assert.deepEqual(repaired.slice(0, tail.length), tail, "nothing durable changes");
    const repair = repaired.slice(tail.length);
    assert.deepEqual(repair.map(nameOf), crash.repair);
    assertClosers(repair, tail.at(-1)?.time ?? 0, tail.length);

    await expire(ref);
    void hold(ref);
    await settled(sent, crash);
    const whole = await events(ref);
    const [, ...later] = whole.slice(repaired.length - 1).map(nameOf);
    assert.ok(!later.some((name) => name === "session/end-seed" || name === "turn/end interrupted"), "a second pickup repairs nothing");
    await assertWhole(sent, whole, crash);
  });

/** A session with its messages waiting. */
async function start({ id, says = 1, compacts = false }: CrashCase): Promise<Sent> {
  const { orgId, userId, addSession } = await addOrg();
  const ref = await addSession(compacts ? await addPreset(orgId, "compacting", compaction) : undefined);
  for (let index = 0; index < says; index += 1) await say(ref, userId, `${id}: message ${index}`);
  return { ref, userId };
}

/** What a person asks for when the first turn is over. */
async function commandLater({ ref, userId }: Sent, { command, says = 1 }: CrashCase): Promise<void> {
  if (!command) return;
  await until(async () => (await events(ref)).filter(({ type }) => type === "turn/end").length === says, "the turns");
  await post(ref, { kind: "command", commandId: newId(), name: command, args: "", userId });
}

/** A worker process takes the session up and dies. The lease is as free as it would be after its time. */
async function dies(ref: Ref, point: KillPoint | null): Promise<void> {
  await expire(ref);
  const options: CrashOptions = { effects, ...(point ? { killAt: { ...point, sessionId: ref.sessionId } } : {}) };
  const child = startProcess("apps/worker/test/support/crash-worker.ts", db.env, { log: "worker.log", args: [JSON.stringify(options)] });
  workers.add(child);
  const wakes = setInterval(() => void deps.publisher.publishNudge(ref), 200);
  const [, signal] = (await once(child, "exit")) as [number | null, string | null];
  clearInterval(wakes);
  assert.equal(signal, "SIGKILL", readFileSync(join(db.env.GANTRY_DATA_DIR, "worker.log"), "utf8").slice(-2_000));
}

async function expire({ orgId, sessionId }: Ref): Promise<void> {
  await db.asOwner(orgId, "UPDATE session_leases SET expires_at = now() WHERE session_id = $1", [sessionId]);
  await db.asOwner(orgId, "UPDATE session_commands SET created_at = now() - interval '1 minute' WHERE session_id = $1", [sessionId]);
}

async function alsoLogged({ orgId, sessionId }: Ref, { also }: CrashCase): Promise<void> {
  const { leaseEpoch: epoch, nextSeq } = await row({ orgId, sessionId });
  await appendEvents(orgId, sessionId, { epoch, nextSeq, events: [{ ...also, seq: nextSeq, time: Date.now() } as SessionEvent] });
}

/** Waits for the end that the case says; one that waits goes on when a person says so. */
async function settled({ ref, userId }: Sent, { ends }: CrashCase): Promise<void> {
  const lastEnd = async () => (await events(ref)).map(nameOf).findLast((name) => name.startsWith("turn/end"));
  const isDone = async () => (await lastEnd()) === "turn/end completed" && (await row(ref)).status === "idle" && !(await isWaiting(ref));
  if (ends === "completes") return until(isDone, "the end of the work");
  // a title comes only after the pickup has decided
  await post(ref, { kind: "rename", title: "taken up", userId });
  await until(async () => (await row(ref)).title === "taken up", "the pickup");
  assert.equal((await row(ref)).status, ends === "waits" ? "failed" : "idle");
  if (ends === "waits") {
    assert.match((await row(ref)).problem ?? "", /effect is unknown/);
    assert.equal(await lastEnd(), "turn/end interrupted");
    await say(ref, userId, "go on");
    await until(isDone, "the work after a person looked");
  }
}

async function isWaiting({ orgId, sessionId }: Ref): Promise<boolean> {
  return (await pendingCommands(orgId, sessionId)).length > 0;
}

/** The log holds together, each call has one result, no message is lost or entered twice, and no body ran twice or unrecorded. */
async function assertWhole({ ref }: Sent, log: readonly SessionEvent[], { says = 1, effects: runs = 0, ends }: CrashCase): Promise<void> {
  new SessionLog({ events: log, write: () => Promise.resolve() });
  const made = log.flatMap((event) =>
    event.type === "assistant/message" ? event.data.message.content.flatMap((block) => (block.type === "tool-call" ? [block.id] : [])) : [],
  );
  const results = log.flatMap((event) => (event.type === "tool/result" ? [event.data.message.source] : []));
  assert.deepEqual(
    results.map((source) => (source.kind === "tool" ? source.callId : "")).toSorted(),
    made.toSorted(),
    "one result for each call",
  );
  const entered = log.filter((event) => event.type === "user/message" && event.data.source.kind === "user");
  assert.equal(entered.length, says + (ends === "waits" ? 1 : 0), "each message entered once");
  const lines = existsSync(effects) ? readFileSync(effects, "utf8").split("\n") : [];
  const ran = lines.filter((line) => line.startsWith(ref.sessionId));
  assert.equal(ran.length, runs);
  assert.equal(new Set(ran).size, ran.length);
  const recorded = log.flatMap((event) => (event.type === "tool/call" ? [`${ref.sessionId} ${event.data.callId}`] : []));
  assert.deepEqual(
    ran.filter((line) => !recorded.includes(line)),
    [],
  );
}

/** Closers take no time, and the results among them are named after their place (SES-35). */
function assertClosers(repair: readonly SessionEvent[], time: number, from: number): void {
  for (const [index, event] of repair.entries()) {
    if (event.type !== "agent/inbox/spliced") assert.equal(event.time, time, `${event.type} repeats the time of the last event`);
    if (event.type !== "tool/result") continue;
    const { source, id } = event.data.message;
    assert.equal(id, `interrupted-tool-result-${source.kind === "tool" ? source.callId : ""}-${from + index}`);
  }
}

function nameOf({ type, data }: SessionEvent): string {
  if (type === "tool/result") return data.error?.code ?? "result";
  if (type === "turn/end") return `turn/end ${data.reason.kind}`;
  if (type === "approval/decided") return `approval/decided ${data.outcome}`;
  if (type === "command/done") return `command/done ${data.kind}`;
  if (type === "agent/inbox/spliced") return `inbox +${data.inserted.length}`;
  return type;
}
