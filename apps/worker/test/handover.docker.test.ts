import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import type { SessionEvent } from "@gantry/contracts";
import { pendingCommands, sessionsDue, withOrg } from "@gantry/db";
import { type ScriptRequest, toolResults } from "@gantry/testing";
import { kill, startStack, stop, turnEnds, until } from "./support/stack.ts";

const commands: Record<string, string> = { deploy: "sleep 12; echo the work is done", stop: "sleep 300 & wait; echo never" };
const script = (request: ScriptRequest) => {
  const asked = request.messages.findLast((message) => message.role === "user" && message.text in commands);
  const command = commands[asked?.role === "user" ? asked.text : ""] ?? "true";
  if (toolResults(request).length > 0) return { text: "finished" };
  return { toolCalls: [{ name: "bash", arguments: { command, description: "Run it" } }] };
};
const stack = await startStack(script, { LEASE_TTL_MS: "6000", LEASE_HEARTBEAT_MS: "1000", SWEEP_INTERVAL_MS: "1000" });

const results = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === "tool/result" ? [JSON.stringify(event.data.message.content)] : []));
const isRunning = (events: readonly SessionEvent[]) => events.some((event) => event.type === "tool/call") && results(events).length === 0;
type Session = Awaited<ReturnType<typeof stack.session>>;

async function commandRuns(session: Session): Promise<void> {
  await until(async () => isRunning(await session.events()), "the command's record");
  await until(async () => (await processes(session)) > 0, "the command's process");
}

/** Processes named sleep in the session's container, as the host sees them. */
async function processes({ orgId, sessionId }: Session): Promise<number> {
  const select = { id: true } as const;
  const row = await withOrg(orgId, (tx) => tx.sandbox.findFirst({ where: { orgId, sessionId, state: "ready" }, select }));
  if (!row) return 0;
  const listed = execFileSync("docker", ["top", `gantry-${row.id}`, "-eo", "pid,comm"], { encoding: "utf8" });
  return listed.split("\n").filter((line) => /\bsleep$/.test(line)).length;
}

test("a worker that is asked to stop leaves its command running, and the next one logs the true result", async () => {
  const session = await stack.session();
  const first = await stack.startWorker();
  await session.send("deploy");
  await commandRuns(session);
  await stop(first);
  await stack.startWorker();
  await until(async () => turnEnds(await session.events()).at(-1) === "completed", "the end of the work");
  const events = await session.events();
  assert.deepEqual(turnEnds(events), ["interrupted", "completed"]);
  assert.match(results(events)[0] ?? "", /the work is done/);
});

test("a stop ends a command that was started by a worker that died, while the next one waits for it", async () => {
  const session = await stack.session();
  const worker = await stack.startWorker();
  await session.send("stop");
  await commandRuns(session);
  await kill(worker);
  await stack.startWorker();
  await session.cancel();
  await until(async () => turnEnds(await session.events()).at(-1) === "aborted", "the end of the turn");
  await until(async () => (await processes(session)) === 0, "the end of the command's processes");
});

test("CP-31 a session whose log is damaged is given up once and says why, instead of waking workers for ever", async () => {
  const session = await stack.session();
  const { orgId, sessionId } = session;
  await stack.db.asOwner(orgId, "UPDATE sessions SET next_seq = 2 WHERE id = $1", [sessionId]);
  const worker = await stack.startWorker();
  await session.send("deploy");
  const row = () => withOrg(orgId, (tx) => tx.session.findUniqueOrThrow({ where: { orgId_id: { orgId, id: sessionId } } }));
  await until(async () => (await row()).status === "failed", "the session to be given up");
  assert.match((await row()).problem ?? "", /log of this session is damaged/);
  assert.deepEqual(await pendingCommands(orgId, sessionId), []);
  assert.deepEqual(await sessionsDue(orgId, { graceMs: 0 }), []);
  await kill(worker);
});
