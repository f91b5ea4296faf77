// Rows 12, 13, 14 and 16 of the performance bars: from a token leaving the model to the client of the session's event stream, through the
// real worker, Redis and the real web process with a signed-in cookie, against bare processes with one PUBLISH a token, in one run.
//   npm run bench -- tokens [sessions …]
// Sessions have their containers, up to fifty of them: for more, the organisation switches the early start off, so that no machine has to hold hundreds.
import { closeDatabase, withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import { change } from "./support/api.ts";
import { digits, median, printLine, printRow, quantile } from "./support/figures.ts";
import { startModel } from "./support/model.ts";
import { type Person, signedInPerson } from "./support/person.ts";
import { cpuMs } from "./support/processes.ts";
import { barePath, ownPath, type Session, type TokenPath } from "./support/token-paths.ts";
import { sleepUntil, until } from "./support/wait.ts";

const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1, 50, 200];
const mostContainers = 50;
const tokensPerSecond = 100;
const seconds = 8;
const tokens = tokensPerSecond * seconds;
/** Every token has the same length, so that a place in the text is the number of a token. */
const tokenChars = 8;

/** When each token of a word left the model, in milliseconds of this process. */
const left = new Map<string, number[]>();
const model = await startModel(async (word, { token }) => {
  if (!word.startsWith("stream-")) return token("ready");
  const times: number[] = [];
  left.set(word, times);
  const start = performance.now() + Math.random() * (1_000 / tokensPerSecond); // sessions do not stream in step
  for (let count = 0; count < tokens; count += 1) {
    await sleepUntil(start + (count * 1_000) / tokensPerSecond);
    times.push(performance.now());
    token(
      String(count)
        .padStart(tokenChars - 1, "0")
        .concat(" "),
    );
  }
});
/** from the time in a stored event to its arrival */
const eventDelays: number[] = [];
let eventsFrom = Number.POSITIVE_INFINITY;
const bare = await barePath(model.url.replace("/v1", ""));

for (const count of counts) {
  const person = await signedInPerson(model.url);
  if (count > mostContainers) await withoutContainers(person);
  const { workspaceId } = await person.newWorkspace();
  const own = ownPath(person, (batch) => {
    const now = Date.now();
    for (const event of batch.events) if (event.time >= eventsFrom) eventDelays.push(now - event.time); // not the history
  });
  const sessions = await Promise.all(Array.from({ length: count }, () => person.newSession(workspaceId)));
  await warmUp(own, person, sessions);
  eventDelays.length = 0;
  const ours = await measure(own, sessions);
  const events = [...eventDelays];
  const limit = await measure(bare, sessions);
  const load = `${count} sessions × ${tokensPerSecond} tokens/s`;
  printRow(`token → client, ${load}`, ours.delays, limit.delays);
  const cpu = [digits(ours.cpu), digits(limit.cpu), (ours.cpu / limit.cpu).toFixed(2)];
  console.log(`  CPU of worker, web, Redis for 1,000 tokens: ours ${ours.cpuEach}, limit ${limit.cpuEach}`);
  printLine([`CPU ms for 1,000 tokens, ${load}`, ...cpu, `${seconds} s`]);
  printLine([`event → client, ${load}`, `${median(events)} / ${quantile(events, 0.99)} ms`, "–", "–", `n = ${events.length}`]);
}
bare.close();
model.close();
await closeDatabase();

/** A first turn of each session: roots, containers and connections are there before tokens are counted. */
async function warmUp(own: TokenPath, { orgId }: Person, sessions: readonly Session[]): Promise<void> {
  for (const session of sessions) await own.start(session, newId());
  const sessionId = { in: sessions.map((session) => session.sessionId) };
  const turnsEnded = () => withOrg(orgId, (tx) => tx.sessionEvent.count({ where: { orgId, sessionId, type: "turn/end" } }));
  await until(async () => (await turnsEnded()) === sessions.length, "the sessions' first turns", 120_000);
  if (sessions.length > mostContainers) return;
  const containers = () => withOrg(orgId, (tx) => tx.sandbox.count({ where: { orgId, sessionId, state: "ready" } }));
  await until(async () => (await containers()) === sessions.length, "the sessions' containers");
}

function withoutContainers(person: Person): Promise<void> {
  const row = "sandbox-prewarm";
  const input = { org: person.slug, profile: "web", row, name: row, enabled: false, expectedRevision: 0, reason: "hundreds of sessions" };
  return change(person, "plugin.setEnabled", input);
}

async function measure(path: TokenPath, sessions: readonly Session[]) {
  const delays: number[] = [];
  eventsFrom = Number.POSITIVE_INFINITY; // what opening a stream brings is history
  const places = new Map<Session, number>();
  const words = new Map(sessions.map((session) => [session, `stream-${newId()}`]));
  const receive = (session: Session, piece: string): void => {
    const now = performance.now();
    const times = left.get(words.get(session) ?? "");
    const from = places.get(session) ?? 0;
    const to = from + piece.length / tokenChars;
    places.set(session, to);
    for (let token = from; token < to; token += 1) delays.push(now - (times?.[token] ?? Number.NaN));
  };
  const open = await Promise.all(sessions.map((session) => path.open(session, (piece) => receive(session, piece))));
  eventsFrom = Date.now();
  const before = path.pids.map(cpuMs);
  await Promise.all(sessions.map((session) => path.start(session, words.get(session) ?? "")));
  await until(() => delays.length >= tokens * sessions.length, "the last token", seconds * 1_000 + 20_000).catch((error: Error) => {
    console.log(`lost ${tokens * sessions.length - delays.length} tokens: ${error.message}`);
  });
  const used = path.pids.map((pid, index) => ((cpuMs(pid) - (before[index] ?? 0)) * 1_000) / delays.length);
  for (const stream of open) stream.close();
  return { delays, cpu: used.reduce((sum, one) => sum + one, 0), cpuEach: used.map((one) => one.toFixed(1)).join(" + ") };
}
