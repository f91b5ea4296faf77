import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventDraft } from "@gantry/contracts";
import type { Agent } from "../src/loop/agent.ts";
import type { OrgRoot } from "../src/root/org-root.ts";
import { says } from "./support/adapter.ts";
import { dataOf, types } from "./support/agent.ts";
import { compactingAgent, history, toolHistory } from "./support/compaction.ts";
import { userMessage } from "./support/log.ts";

const contextWindow = 1_000_000;
const done = (agent: Agent) => dataOf(agent, "command/done").map(({ kind, text }) => [kind, text]);
/** The preset's own service, read from outside its realm (G-22). */
const compactionOf = ({ root, agent }: { root: OrgRoot; agent: Agent }) =>
  root.serviceFor(agent, "compaction") ?? assert.fail("no compaction");
/** Has the log refuse the next event of a type. */
function refuse(agent: Agent, type: string): void {
  const append = agent.log.append.bind(agent.log);
  agent.log.append = (draft: EventDraft) => {
    if (draft.type === type) throw new Error(`the test refuses ${type}`);
    return append(draft);
  };
}

test("CMP-4 /compact sums up all but the newest message between turns, names the command and says how much it was", async (t) => {
  const { agent, command, summaries } = await compactingAgent(t, { events: history({ contextWindow }), contextWindow });
  await command("compact");
  const [bracket] = dataOf(agent, "compaction/start");
  const [run] = dataOf(agent, "command/run");
  assert.deepEqual([bracket?.turn, bracket?.sourceCommandId], [null, run?.commandId]);
  const [end] = dataOf(agent, "command/done");
  assert.match(end?.text ?? "", /^Summed up 7 items, about [\d,]+ tokens\.$/);
  assert.equal(agent.log.events[end?.sourceEventSeq ?? -1]?.type, "compaction/summary");
  assert.deepEqual([summaries.length, dataOf(agent, "turn/start").length, agent.log.surface.nodes.length], [1, 1, 2]);
});

test("CMP-4 /compact cuts no results and has nothing to do twice", async (t) => {
  const { agent, command, summaries } = await compactingAgent(t, {
    events: toolHistory(["r".repeat(20_000), "x"], contextWindow),
    contextWindow,
  });
  await command("compact");
  await command("compact");
  assert.deepEqual([dataOf(agent, "compaction/prune").length, summaries.length], [0, 1]);
  assert.deepEqual(done(agent).at(-1), ["success", "There is nothing to sum up yet."]);
});

test("AG-225 a history that cannot shrink is left alone without a bracket", async (t) => {
  const { agent, command } = await compactingAgent(t, { events: history({ steps: 2, chars: 5, contextWindow }), contextWindow });
  await command("compact");
  assert.deepEqual([dataOf(agent, "compaction/start").length, done(agent)], [0, [["success", "There is nothing to sum up yet."]]]);
});

test("AG-118 /compact during a turn is busy; with arguments it is an error; neither touches the log of compactions", async (t) => {
  const gate = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const { agent, say, command } = await compactingAgent(t, {
    events: history({ contextWindow }),
    contextWindow,
    async *answer() {
      started.resolve();
      await gate.promise;
      yield* says("ok");
    },
  });
  say("go on");
  await started.promise;
  const busy = command("compact");
  gate.resolve();
  await busy;
  await command("compact", "x");
  assert.deepEqual(done(agent), [
    ["error", "The agent is at work. Stop it or wait, then compact."],
    ["error", "/compact takes no arguments. Write just /compact."],
  ]);
  assert.equal(dataOf(agent, "compaction/start").length, 0);
});

test("CMP-4 a second /compact while one runs is busy, and a message waits for the end of it", async (t) => {
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const { agent, say, command, brackets, ends } = await compactingAgent(t, {
    events: history({ contextWindow }),
    contextWindow,
    async *summary() {
      asked.resolve();
      await gate.promise;
      yield* says("short");
    },
  });
  const first = command("compact");
  await asked.promise;
  void command("compact");
  say("meanwhile");
  assert.equal(agent.log.turn, 0);
  gate.resolve();
  await first;
  assert.deepEqual([brackets(), ends(), done(agent).map(([kind]) => kind)], [["ok"], ["completed", "completed"], ["error", "success"]]);
  assert.ok(types(agent).indexOf("compaction/end") < types(agent).lastIndexOf("turn/start"));
});

test("AG-114 a change behind the part that /compact sums up is tolerated, one within it is not", async (t) => {
  for (const place of ["tail", "range"] as const) {
    const events = history({ contextWindow });
    const surface = events.filter(({ type }) => type === "user/message" || type === "assistant/message");
    const seq = (place === "tail" ? surface.at(-1) : surface.at(1))?.seq ?? 0;
    const { agent, command, brackets } = await compactingAgent(t, {
      events,
      contextWindow,
      async *summary() {
        const surfaceOp = { op: "replace" as const, start: seq, end: seq };
        agent.log.append({ type: "user/message", surfaceOp, sourceEventSeqs: [seq], data: userMessage("new") });
        yield* says("short");
      },
    });
    await command("compact");
    assert.deepEqual([brackets(), done(agent)[0]?.[0]], place === "tail" ? [["ok"], "success"] : [["changed"], "error"]);
  }
});

test("AG-225 a stop before the commit leaves the history and says that it was stopped; the command ends", async (t) => {
  const { agent, command, brackets } = await compactingAgent(t, {
    events: history({ contextWindow }),
    contextWindow,
    async *summary() {
      yield* says("short").slice(0, 1);
      agent.cancel("user");
      yield* says("short").slice(1);
    },
  });
  await command("compact");
  assert.deepEqual([brackets(), agent.log.surface.replaceGeneration, done(agent)[0]?.[0]], [["cancelled"], 0, "error"]);
});

test("AG-225 a stop after the commit is reported, and what was committed is durable", async (t) => {
  const saved: string[] = [];
  const { agent, root, brackets } = await compactingAgent(t, {
    events: history({ contextWindow }),
    contextWindow,
    write: (async ({ events }: { events: { type: string }[] }) => {
      saved.push(...events.map(({ type }) => type));
    }) as never,
  });
  const abort = new AbortController();
  agent.ctx.on("session/event", ({ event }) => void (event.type === "compaction/end" && abort.abort()));
  const compaction = compactionOf({ root, agent });
  await assert.rejects(compaction.compactNow(agent, { commandId: "c", signal: abort.signal }), { code: "cancelled" });
  assert.deepEqual([brackets(), agent.log.surface.replaceGeneration], [["ok"], 1]);
  assert.ok(saved.includes("compaction/summary") && saved.includes("compaction/end"));
});

test("AG-225 when the end cannot be appended the bracket stays open, nothing is flushed, and the code is commit", async (t) => {
  const { agent, root } = await compactingAgent(t, { events: history({ contextWindow }), contextWindow });
  refuse(agent, "compaction/end");
  let flushes = 0;
  const flush = agent.log.flush.bind(agent.log);
  agent.log.flush = () => {
    flushes += 1;
    return flush();
  };
  await assert.rejects(compactionOf({ root, agent }).compactNow(agent, { commandId: "c", signal: new AbortController().signal }), {
    code: "commit",
  });
  assert.equal(flushes, 1, "the barrier before the request, none after");
  assert.deepEqual([dataOf(agent, "compaction/start").length, dataOf(agent, "compaction/end").length], [1, 0]);
  assert.throws(() => agent.log.append({ type: "turn/start", data: { turn: 2 } }));
  await assert.rejects(compactionOf({ root, agent }).compactNow(agent, { commandId: "d", signal: new AbortController().signal }), {
    code: "busy",
  });
});

test("CMP-4 a log that cannot be saved fails the compaction: before the request without one, after the commit as not yet saved", async (t) => {
  let down = true;
  const { agent, root, summaries, brackets } = await compactingAgent(t, {
    events: history({ contextWindow }),
    contextWindow,
    write: () => (down ? Promise.reject(new Error("down")) : Promise.resolve()),
    summary: () => {
      down = true;
      return says("short");
    },
  });
  const compact = () => compactionOf({ root, agent }).compactNow(agent, { commandId: "c", signal: new AbortController().signal });
  await assert.rejects(compact(), { code: "persistence" });
  assert.deepEqual([summaries.length, brackets()], [0, ["persistence"]]);
  down = false;
  await assert.rejects(compact(), { code: "persistence" });
  assert.deepEqual([summaries.length, agent.log.surface.replaceGeneration], [1, 1]);
});
