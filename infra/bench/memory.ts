// Row 8 of the performance bars: what a worker that serves nobody takes, and what each live session adds to it. A session here has had one
// turn and is kept loaded, as it is for half a minute after its last message.  npm run bench -- memory [sessions]
import { closeDatabase, withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import { send } from "./support/api.ts";
import { digits, printLine } from "./support/figures.ts";
import { saying, startModel } from "./support/model.ts";
import { signedInPerson } from "./support/person.ts";
import { memoryMb, pidOf } from "./support/processes.ts";
import { sleepUntil, until } from "./support/wait.ts";

const count = Number(process.argv[2] ?? 50);
/** Node gives memory back some seconds after the work that needed it. */
const settleMs = 8_000;

const model = await startModel(async (_said, stream) => stream.token("done"));
const person = await signedInPerson(model.url);
const { workspaceId } = await person.newWorkspace();
const { orgId } = person;

const idle = await settled();
await turns(1); // what the first session of an org loads is not the price of each
const base = await settled();
await turns(count);
const loaded = await settled();

const each = (loaded.pss - base.pss) / count;
console.log(`worker after its start: PSS ${digits(idle.pss)} MB, RSS ${digits(idle.rss)} MB (bar: 150)`);
console.log(`with one org's composition loaded: PSS ${digits(base.pss)} MB, RSS ${digits(base.rss)} MB`);
console.log(`with ${count} live sessions more: PSS ${digits(loaded.pss)} MB, RSS ${digits(loaded.rss)} MB`);
printLine(["worker base, PSS / RSS", `${digits(idle.pss)} / ${digits(idle.rss)} MB`, "–", "–", "n = 1"]);
printLine(["a live session, PSS growth", `${digits(each * 1024)} KB`, "–", `${Math.round(1024 / each)} sessions per GB`, `n = ${count}`]);
model.close();
await closeDatabase();

async function settled(): Promise<{ pss: number; rss: number }> {
  await sleepUntil(performance.now() + settleMs);
  return memoryMb(pidOf("worker"));
}

/** Runs one turn in so many new sessions and waits until each has its container. */
async function turns(sessions: number): Promise<void> {
  const made = await Promise.all(Array.from({ length: sessions }, () => person.newSession(workspaceId)));
  await Promise.all(made.map(({ sessionId }) => send(person, sessionId, saying(newId()))));
  const ids = made.map(({ sessionId }) => sessionId as string);
  const isUp = async () =>
    (await withOrg(orgId, (tx) => tx.sandbox.count({ where: { orgId, sessionId: { in: ids }, state: "ready" } }))) === ids.length;
  await until(isUp, "the sessions' containers");
}
