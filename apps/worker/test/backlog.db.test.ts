import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommandPayload } from "@gantry/contracts";
import { insertCommand, withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import { startHolder } from "./support/holder.ts";
import { until } from "./support/until.ts";

const { model, addOrg, hold, events, waiting } = await startHolder(() => ({ text: "starts", fault: { kind: "silent", afterChunks: 2 } }));

test("SES-34 INB-4 a worker takes up all that waits, six hundred messages and the stop behind them, however many come at once", {
  timeout: 120_000,
}, async () => {
  const { userId, addSession } = await addOrg();
  const ref = await addSession();
  const send = (at: number): CommandPayload => ({
    ...{ kind: "send", messageId: newId(), text: `message ${at}`, target: at % 2 ? "next-step" : "next-turn", wakeup: true },
    ...{ userId, userName: "Ada" },
  });
  const commands = [...Array.from({ length: 600 }, (_, at) => send(at)), { kind: "cancel" as const, keepInbox: true, userId }];
  while (commands.length > 0) {
    const some = commands.splice(0, 100);
    await withOrg(ref.orgId, async (tx) => {
      for (const payload of some) await insertCommand(tx, { ...ref, clientKey: newId(), payload });
    });
  }
  void hold(ref);
  await until(async () => (await waiting(ref)).length === 0, "every command to be taken");
  const log = await events(ref);
  const inserted = log.flatMap(({ type, data }) => (type === "agent/inbox/spliced" ? data.inserted : []));
  assert.equal(new Set(inserted.map(({ id }) => id)).size, 600);
  await until(async () => (await events(ref)).some(({ type, data }) => type === "turn/end" && data.reason.kind === "aborted"), "the stop");
  assert.equal(model.requests.length <= 1, true);
});
