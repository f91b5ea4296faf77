import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { SessionEvent } from "@gantry/contracts";
import type { Reply } from "@gantry/testing";
import { parkedDelay } from "../src/retry/policy.ts";
import { applyCommand } from "../src/session/apply-command.ts";
import type { SessionPatch } from "../src/session/log.ts";
import { recoverSession } from "../src/session/recover-session.ts";
import { dataOf, testAgent, textOf } from "./support/agent.ts";
import { ends } from "./support/waiting.ts";

const sentAway = (seconds: number): Reply => ({ fault: { kind: "status", status: 429, retryAfter: seconds, message: "slow down" } });

/** An agent whose provider sends the first requests away, and what its batches would write into the session's row. */
async function limitedAgent(
  t: TestContext,
  { times = 1, seconds = 3_600, events }: { times?: number; seconds?: number; events?: readonly SessionEvent[] } = {},
) {
  const row: SessionPatch = {};
  let asked = 0;
  const tested = await testAgent(t, {
    script: () => (asked++ < times ? sentAway(seconds) : { text: "done" }),
    write: async ({ patch }) => void Object.assign(row, patch),
    ...(events ? { events } : {}),
  });
  const { agent } = tested;
  /** What the next holder does with a session whose time may have come. */
  const recover = async (isDue = true, stopAsked = new AbortController().signal) => {
    const evidence = { ended: new AbortController().signal, stopAsked, dispatched: async () => [] };
    await recoverSession(agent, { ...evidence, autoContinue: "never", status: "failed", isDue });
    await agent.whenIdle();
    await agent.log.flush();
  };
  const say = async (text: string) => {
    tested.say(text);
    await agent.whenIdle();
    await agent.log.flush();
  };
  return { ...tested, row, recover, say };
}
const words = (agent: Awaited<ReturnType<typeof limitedAgent>>["agent"]) => dataOf(agent, "user/message").map(textOf);

test("CP-56 a turn that is sent away for an hour ends, says so, and its session goes on by itself once, when the time is over", async (t) => {
  const { agent, row, say, recover, model } = await limitedAgent(t);
  await say("go");
  assert.deepEqual([ends(agent), row.status, row.wakeInMs, model.requests.length], [["error"], "failed", 3_600_000, 1]);
  assert.match(row.problem ?? "", /asks to wait 60 minutes.*The session goes on by itself when that time is over\./);
  const next = await limitedAgent(t, { times: 0, events: [...agent.log.events] });
  await next.recover(false);
  assert.deepEqual([ends(next.agent), next.model.requests.length], [["error"], 0], "not before its time");
  await next.recover();
  assert.deepEqual([ends(next.agent), next.row.status, next.row.wakeInMs, next.row.problem], [["error", "completed"], "idle", null, null]);
  assert.match(words(next.agent).at(-1) ?? "", /that time is over/);
  assert.equal(words(next.agent).filter((text) => text === "go").length, 1, "the person's words are there already");
  await next.recover();
  assert.deepEqual([ends(next.agent).length, next.model.requests.length], [2, 1], "once");
  await recover(false);
});

test("CP-56 a message goes on at once and ends the wait; what was queued keeps its place behind it", async (t) => {
  const { agent, row, say } = await limitedAgent(t);
  await say("go");
  await say("go on");
  assert.deepEqual([ends(agent), row.wakeInMs, row.status], [["error", "completed"], null, "idle"]);
});

test("CP-56 a stop ends the wait, whether the session rests or is being taken up", async (t) => {
  const { agent, row, say } = await limitedAgent(t);
  await say("go");
  applyCommand(agent, { kind: "cancel", keepInbox: true, userId: "u" });
  await agent.log.flush();
  assert.equal(row.wakeInMs, null);
  assert.doesNotMatch(row.problem ?? "", /by itself/);
  const next = await limitedAgent(t, { times: 0, events: [...agent.log.events] });
  await next.recover(true, AbortSignal.abort());
  assert.deepEqual([ends(next.agent), next.row.wakeInMs, next.model.requests.length], [["error"], null, 0]);
});

test("CP-31 a provider that sends a session away again and again is asked five more times at most", async (t) => {
  const { agent, row, say, recover, model } = await limitedAgent(t, { times: 100 });
  await say("go");
  let resumed = 0;
  for (; typeof row.wakeInMs === "number"; resumed += 1) await recover();
  assert.deepEqual([resumed, model.requests.length, row.wakeInMs, row.status], [5, 6, null, "failed"]);
  assert.doesNotMatch(row.problem ?? "", /by itself/);
  await say("once more");
  assert.equal(row.wakeInMs, 3_600_000, "a person's word begins a new count");
  assert.equal(agent.log.turn, 0);
});

test("CP-56 other failures, waits within a pause and of more than a day, and retries that are off park nothing", () => {
  const policy = { mode: "normal", maxRetries: 5, baseDelayMs: 500, maxDelayMs: 10_000 } as const;
  const limited = { code: "RATE_LIMIT", message: "m" };
  const day = 24 * 3_600_000;
  assert.equal(parkedDelay(policy, { ...limited, providerRetryAfterMs: 10_001 }, 1), 10_001);
  assert.equal(parkedDelay(policy, { ...limited, providerRetryAfterMs: day }, 5), day);
  const none = [
    parkedDelay(policy, limited, 1),
    parkedDelay(policy, { ...limited, providerRetryAfterMs: 10_000 }, 1),
    parkedDelay(policy, { ...limited, providerRetryAfterMs: day + 1 }, 1),
    parkedDelay(policy, { ...limited, providerRetryAfterMs: 20_000 }, 6),
    parkedDelay(policy, { code: "AUTH", message: "m", providerRetryAfterMs: 20_000 }, 1),
    parkedDelay({ ...policy, maxRetries: 0 }, { ...limited, providerRetryAfterMs: 20_000 }, 1),
    parkedDelay({ ...policy, mode: "always" }, { ...limited, providerRetryAfterMs: 20_000 }, 1),
  ];
  assert.deepEqual(
    none,
    none.map(() => null),
  );
});
