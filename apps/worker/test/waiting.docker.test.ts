import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { CommandPayload, SessionEvent } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { type ScriptRequest, toolResults } from "@gantry/testing";
import { answerOpen, openPrompts } from "./support/people.ts";
import { kill, startStack, turnEnds, until } from "./support/stack.ts";

const bash = (command: string, more: object = {}) => ({ name: "bash", arguments: { command, description: "Run it", ...more } });
const wider = { sandbox_permissions: "danger-full-access", justification: "the tool writes to /opt" };
const script = (request: ScriptRequest) => {
  const steps = [bash("echo x >> runs; touch /opt/wide && echo wide", wider), bash("ls /opt/wide; touch /opt/again")];
  const next = steps[toolResults(request).length];
  return next ? { toolCalls: [next] } : { text: "finished" };
};
const stack = await startStack(script, { LEASE_TTL_MS: "6000", LEASE_HEARTBEAT_MS: "1000", SWEEP_INTERVAL_MS: "1000" });

const results = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === "tool/result" ? [JSON.stringify(event.data.message.content)] : []));

test("ESC-2 EX-054 a worker is killed while a person is asked; another one takes the answer and runs the call once, wider, and the next call is confined again", async () => {
  const session = await stack.session();
  const { orgId, sessionId, userId } = session;
  const ref = { orgId, sessionId };
  const first = await stack.startWorker();
  await session.send("go");
  await until(async () => (await openPrompts(ref)).length === 1, "the question");
  await kill(first);
  const leases = () => withOrg(orgId, (tx) => tx.sessionLease.count({ where: { orgId, sessionId, expiresAt: { gt: new Date() } } }));
  await until(async () => (await leases()) === 0, "nobody holds it");
  assert.deepEqual(results(await session.events()), []);
  await stack.startWorker();
  const post = (payload: CommandPayload) => session.post(payload);
  await answerOpen(ref, { kind: "approval", outcome: "allowed-once" }, { by: userId, post });
  await until(async () => turnEnds(await session.events()).length > 0, "the end of the turn");
  const events = await session.events();
  assert.deepEqual(turnEnds(events), ["completed"]);
  const [wide, confined] = results(events);
  assert.match(wide ?? "", /wide/);
  assert.match(confined ?? "", /\[sandbox: file access denied under workspace-write mode\]/);
  assert.match(confined ?? "", /\[sandbox: escalation available/);
  assert.equal(await readFile(join(session.files, "runs"), "utf8"), "x\n", "the call ran once");
  const worlds = (await stack.sandbox.listWorlds()).filter((world) => world.sessionId === sessionId);
  assert.deepEqual(
    worlds.map(({ mode }) => mode),
    ["workspace-write"],
    "the wider sandbox went with its call",
  );
});
