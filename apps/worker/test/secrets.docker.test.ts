import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { withOrg } from "@gantry/db";
import { createFeedSubscriber } from "@gantry/feed";
import { createRedis, sealSecret } from "@gantry/platform";
import { type ScriptRequest, toolResults } from "@gantry/testing";
import { startStack, turnEnds, until } from "./support/stack.ts";

const key = "sk-canary-4f3a9c0e1b7d8246";
/** What an agent that was told to look for keys does. */
const looks = [
  { name: "bash", arguments: { command: "env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'; echo looked", description: "Look" } },
  { name: "bash", arguments: { command: "cat .env; base64 -w0 .env; od -An -tx1 .env | tr -d ' \\n'", description: "Read" } },
  { name: "read", arguments: { file_path: ".env" } },
  { name: "grep", arguments: { pattern: "sk-canary", path: ".env" } },
  { name: "edit", arguments: { file_path: ".env", old_string: "NAME=a", new_string: "NAME=b" } },
];
const begin = { name: "bash", arguments: { command: "true", description: "Begin" } };
const script = (request: ScriptRequest) => {
  const isAsked = request.messages.some((message) => message.role === "user" && message.text === "look");
  const call = (isAsked ? [begin, ...looks] : [begin])[toolResults(request).length];
  return call ? { toolCalls: [call] } : { text: "done" };
};
const stack = await startStack(script);

test("CP-35 an agent prints a model key that lies in its workspace: it is in no row, no live frame and no request, and the worker's own secrets are not reached", {
  timeout: 300_000,
}, async () => {
  const { env, asOwner } = stack.db;
  const session = await stack.session();
  const { orgId, sessionId } = session;
  const { id } = await withOrg(orgId, (tx) => tx.provider.findFirstOrThrow({ select: { id: true } }));
  const secret = new Uint8Array(sealSecret(env.GANTRY_MASTER_KEY, { orgId, id }, key));
  await withOrg(orgId, (tx) => tx.provider.updateMany({ where: { orgId }, data: { secret } }));
  const pubsub = createRedis("pubsub");
  after(() => pubsub.disconnect());
  const frames: string[] = [];
  const unsubscribe = createFeedSubscriber(pubsub).subscribe(orgId, sessionId, (frame) => void frames.push(JSON.stringify(frame)));

  await stack.startWorker();
  await session.send("begin"); // makes the workspace
  await until(async () => turnEnds(await session.events()).length === 1, "the first turn");
  await writeFile(join(session.files, ".env"), `NAME=a\nKEY=${key}\n`);
  await chmod(join(session.files, ".env"), 0o666);
  await session.send("look");
  await until(async () => turnEnds(await session.events()).length === 2, "the second turn");
  unsubscribe();

  const results = toolResults(stack.model.requests.at(-1) as never)
    .slice(1)
    .map(({ text }) => text);
  assert.equal(results.length, looks.length);
  assert.match(results[0] ?? "", /looked/);
  for (const [index, text] of results.slice(1, 4).entries()) assert.match(text, /a key of this installation was here/, `${index}: ${text}`);
  assert.match(results[4] ?? "", /Updated/);
  const tables = await asOwner<{ name: string }>(orgId, "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
  const rows = await Promise.all(tables.map(({ name }) => asOwner<{ row: string }>(orgId, `SELECT t::text AS row FROM "${name}" t`)));
  const stored = rows.flat().map(({ row }) => row);
  const requests = stack.model.requests.map(({ messages }) => JSON.stringify(messages));
  assert.ok(stored.some((row) => row.includes("a key of this installation")) && frames.length > 0 && requests.length > looks.length);
  const own = [env.GANTRY_MASTER_KEY.toString("base64"), env.NEXTAUTH_SECRET, new URL(env.DATABASE_URL).password];
  const forms = [...own, ...[key].flatMap((text) => [text, Buffer.from(text).toString("hex"), text.slice(4)])];
  for (const text of [...stored, ...frames, ...requests]) for (const form of forms) assert.ok(!text.includes(form), text.slice(0, 600));
});
