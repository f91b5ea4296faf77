import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { wakeSession } from "@gantry/queue";
import { startHolder } from "./support/holder.ts";
import { kill, startProcess, stop } from "./support/processes.ts";
import { until } from "./support/until.ts";

const { db, addOrg, say, events, deps } = await startHolder(() => ({ text: "done" }));
const NODE_OPTIONS = `--import=${new URL("support/no-egress.ts", import.meta.url).href}`;
const said = (file: string) => readFileSync(join(db.env.GANTRY_DATA_DIR, file), { encoding: "utf8", flag: "a+" });

test("CP-22 a worker without any way out starts, and runs a session from what it came with: nothing but this machine is asked", {
  timeout: 240_000,
}, async () => {
  const worker = startProcess("apps/worker/src/main.ts", db.env, { log: "worker.log", settings: { NODE_OPTIONS, LOG_LEVEL: "info" } });
  after(() => kill(worker));
  await until(() => said("worker.log").includes("worker ready"), "the worker");
  const { orgId, userId, addSession } = await addOrg();
  const ref = await addSession();
  await say(ref, userId, "hello");
  await deps.producer.enqueue(wakeSession, { orgId, sessionId: ref.sessionId, wake: 1 });
  await until(
    async () => (await events(ref)).some((event) => event.type === "turn/end" && event.data.reason.kind === "completed"),
    "the turn",
  );
  await stop(worker);
  assert.doesNotMatch(said("worker.log"), /tried to reach/);
});

test("the preloaded file of this test tells of a try", async () => {
  const file = join(db.env.GANTRY_DATA_DIR, "reach.mjs");
  writeFileSync(file, `await fetch("https://models.example/list.json").catch(() => {});`);
  const child = startProcess(file, db.env, { log: "reach.log", settings: { NODE_OPTIONS } });
  await once(child, "exit");
  await until(() => said("reach.log").includes("tried to reach models.example"), "what it says");
});

test("CP-22 a worker whose settings are incomplete does not start and names each of them", async () => {
  const settings = { GANTRY_MASTER_KEY: "", REDIS_URL: "", DATABASE_URL: "nonsense" };
  const child = startProcess("apps/worker/src/main.ts", db.env, { log: "refused.log", settings });
  const [code] = await once(child, "exit");
  assert.notEqual(code, 0);
  await until(() => said("refused.log").includes("REDIS_URL"), "the reason");
  for (const name of Object.keys(settings)) assert.match(said("refused.log"), new RegExp(name));
  assert.doesNotMatch(said("refused.log"), /nonsense/, "values are not told");
});
