import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { SessionLog } from "@gantry/agent/session/log";
import type { SessionEvent } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { type ScriptRequest, toolResults } from "@gantry/testing";
import { randomOf } from "@gantry/testing/random";
import { kill, startStack, turnEnds, until } from "./support/stack.ts";

const kills = 20;
const commands = 45;

/** How many commands have come back so far: the script's only state, read from the history, so a resumed session goes on where it was. */
const done = (request: ScriptRequest) => toolResults(request).filter(({ text }) => /^ran \d+/.test(text)).length;
const script = (request: ScriptRequest) => {
  const next = done(request);
  if (next >= commands) return { text: "all commands ran", chunkSize: 3, delayMs: 5 };
  const command = `echo ${next} >> ran.txt; sleep 0.2; echo ran ${next}`;
  return {
    reasoning: "thinking about the next command",
    text: `Running number ${next}.`,
    chunkSize: 3,
    delayMs: 5,
    toolCalls: [{ name: "bash", arguments: { command, description: `Run number ${next}` } }],
  };
};

const stack = await startStack(script, { LEASE_TTL_MS: "1500", LEASE_HEARTBEAT_MS: "500", SWEEP_INTERVAL_MS: "1000" });

test(`${kills} kills of the worker at random moments lose no event, repeat no command, and the session finishes`, {
  timeout: 900_000,
}, async (t) => {
  const seed = Number(process.env.GANTRY_SEED ?? Date.now() % 100_000);
  t.diagnostic(`seed ${seed}`);
  const random = randomOf(seed);
  const session = await stack.session();
  let worker = await stack.startWorker();
  await session.send("run them all");
  const seen: SessionEvent[] = [];
  let resumes = 0;
  for (let count = 0; count < kills; count += 1) {
    const before = seen.length;
    await until(async () => (await session.events()).length > before, `progress after kill ${count}`);
    await pause(50 + random() * 1_000);
    await kill(worker);
    const events = await session.events();
    assert.deepEqual(events.slice(0, seen.length), seen, "what was durable before stays as it was");
    seen.splice(0, seen.length, ...events);
    worker = await stack.startWorker();
    if (await needsAttention(session)) {
      resumes += 1;
      await session.send("go on");
    }
  }
  const isOver = async () =>
    JSON.stringify(await session.events()).includes("all commands ran") && turnEnds(await session.events()).at(-1) === "completed";
  await until(
    async () => {
      if (await needsAttention(session)) {
        resumes += 1;
        await session.send("go on");
      }
      return isOver();
    },
    "the end",
    400_000,
  );
  const events = await session.events();
  t.diagnostic(`${events.length} events, ${turnEnds(events).length} turns, ${resumes} times a person had to step in`);
  new SessionLog({ events, write: () => Promise.resolve() }); // every order rule holds
  await assertRunsMatch(events, session);
});

/** Each command left exactly one line for each call that ran, and none for calls that are said never to have started. */
async function assertRunsMatch(events: readonly SessionEvent[], { files }: { files: string }): Promise<void> {
  const lines = (await readFile(join(files, "ran.txt"), "utf8")).trim().split("\n").map(Number);
  const codes = new Map(
    events.flatMap((event) => (event.type === "tool/result" ? [[resultId(event), event.data.error?.code ?? "ran"] as const] : [])),
  );
  const calls = events.flatMap((event) => (event.type === "tool/call" ? [event.data] : []));
  assert.equal(codes.size, new Set(calls.map((call) => call.callId)).size, "one result for each call");
  for (let number = 0; number < commands; number += 1) {
    const fates = calls.filter((call) => call.arguments.includes(`ran ${number}"`)).map((call) => codes.get(call.callId));
    const ran = fates.filter((fate) => fate === "ran").length;
    const unknown = fates.filter((fate) => fate === "TOOL_OUTCOME_UNKNOWN").length;
    const found = lines.filter((line) => line === number).length;
    assert.ok(found >= ran && found <= ran + unknown, `command ${number}: ${found} lines for ${fates.join(", ")}`);
    assert.equal(ran, 1, `command ${number} came back once`);
  }
}

function resultId(event: Extract<SessionEvent, { type: "tool/result" }>): string {
  return event.data.message.content.flatMap((block) => (block.type === "tool-result" ? [block.toolCallId] : []))[0] ?? "";
}

async function needsAttention({ orgId, sessionId }: Awaited<ReturnType<typeof stack.session>>): Promise<boolean> {
  const row = await withOrg(orgId, (tx) =>
    tx.session.findUniqueOrThrow({ where: { orgId_id: { orgId, id: sessionId } }, select: { status: true } }),
  );
  return row.status === "failed";
}
