import assert from "node:assert/strict";
import { test } from "node:test";
import { type EventData, type EventType, isEvent, type OrgId, type SessionEvent, type UserId } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { lastUserText, type Script } from "@gantry/testing";
import { type Ref, startHolder } from "./support/holder.ts";
import { until } from "./support/until.ts";

let isSilent = false;
const script: Script = (request) => {
  if (request.system.startsWith("You name")) return { text: "A title" };
  if (!lastUserText(request).includes("write a summary")) return { text: "answer ".repeat(1_000) };
  return isSilent ? { text: "never", fault: { kind: "silent", afterChunks: 0 } } : { text: "what was said" };
};
const holder = await startHolder(script);
const { addOrg, addPreset, post, say, hold, events, waiting, model, deps } = holder;
const children = ["compaction-basic", "command-compact", "tool-result-pruner"].map((name) => ({ id: name, name }));
const isolate = { compaction: true, toolResultPruner: true };
const rows = [{ id: "compaction", name: "cordis:group", group: true, isolate, config: children }];

function dataOf<T extends EventType>(log: readonly SessionEvent[], type: T): EventData<T>[] {
  return log.flatMap((event) => (isEvent(event, type) ? [event.data as EventData<T>] : []));
}
const has = (ref: Ref, type: EventType, count = 1) =>
  until(async () => dataOf(await events(ref), type).length === count, `${count} × ${type}`);
const compact = (ref: Ref, userId: UserId) => post(ref, { kind: "command", commandId: newId(), name: "compact", args: "", userId });

/** A session that has had two turns and is held. */
async function talked({ orgId, userId, addSession }: Awaited<ReturnType<typeof addOrg>>) {
  const ref = await addSession(await addPreset(orgId as OrgId, "compacting", rows));
  for (const text of ["the first question", "the second"]) await say(ref, userId, text);
  const held = hold(ref);
  await has(ref, "turn/end", 2);
  return { ref, userId, held };
}

test("CMP-4 /compact is carried out by the holder, stored as one history, and the next request is short", async () => {
  const { ref, userId } = await talked(await addOrg());
  await compact(ref, userId);
  await has(ref, "command/done");
  const log = await events(ref);
  assert.deepEqual(
    dataOf(log, "command/done").map(({ kind, text }) => [kind, text?.startsWith("Summed up")]),
    [["success", true]],
  );
  const at = log.findIndex(({ type }) => type === "compaction/summary");
  assert.deepEqual(
    log.slice(at, at + 4).map(({ type }) => type),
    ["compaction/summary", "user/message", "compaction/end", "command/done"],
  );
  await until(async () => (await waiting(ref)).length === 0, "nothing waits");
  await say(ref, userId, "and then?");
  await has(ref, "turn/end", 3);
  const sent = JSON.stringify(model.requests.at(-1)?.messages);
  assert.ok(sent.includes("what was said") && !sent.includes("the first question"));
});

test("C15 a holder that goes in the middle of /compact leaves a start; the next one ends the command, and compacts when asked again", async () => {
  isSilent = true;
  const { ref, userId, held } = await talked(await addOrg());
  await compact(ref, userId);
  await has(ref, "compaction/start");
  await deps.roots.closeOrg(ref.orgId);
  await held;
  assert.equal(dataOf(await events(ref), "command/done").length, 0);
  isSilent = false;
  await compact(ref, userId);
  void hold(ref);
  await has(ref, "command/done", 2);
  const log = await events(ref);
  assert.deepEqual(
    dataOf(log, "command/done").map(({ kind }) => kind),
    ["error", "success"],
  );
  assert.deepEqual([dataOf(log, "compaction/start").length, dataOf(log, "compaction/end").map(({ error }) => error)], [2, [undefined]]);
});
