import assert from "node:assert/strict";
import { test } from "node:test";
import type { LiveFrame, SessionEvent } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { createFeedSubscriber } from "@gantry/feed";
import { createRedis } from "@gantry/platform";
import { type ScriptRequest, toolResults } from "@gantry/testing";
import { kill, startStack, turnEnds, until } from "./support/stack.ts";

/** What each message makes the agent run, one command a step. `/tmp` lives as long as the container, the workspace longer. */
const commands: { readonly [message: string]: readonly string[] } = {
  long: ["date +%N > /tmp/life; cat /tmp/life; echo begun", "sleep 12; echo over", "cat /tmp/life"],
  write: [
    "git init -q . && git config user.email a@b.c && git config user.name A",
    "echo one > a && git add . && git commit -qm first && echo two >> a; sha1sum a",
  ],
  look: ["sha1sum a; git log --format=%s; git status --short"],
};
const script = (request: ScriptRequest) => {
  const from = request.messages.findLastIndex((message) => message.role === "user" && message.text in commands);
  const said = request.messages[from];
  const list = said?.role === "user" ? (commands[said.text] ?? []) : [];
  const command = list[toolResults({ ...request, messages: request.messages.slice(from) }).length];
  if (command === undefined) return { text: "the long answer of this turn", chunkSize: 4, delayMs: 5 };
  return { toolCalls: [{ name: "bash", arguments: { command, description: "Run it" } }] };
};
const stack = await startStack(script, { LEASE_TTL_MS: "6000", LEASE_HEARTBEAT_MS: "1000", SWEEP_INTERVAL_MS: "1000" });

const outputs = (events: readonly SessionEvent[]) =>
  events.flatMap((event) =>
    event.type === "tool/result"
      ? event.data.message.content.flatMap((block) =>
          block.type === "tool-result" ? block.content.map((part) => (part.type === "text" ? part.text.trim() : "")) : [],
        )
      : [],
  );
type Session = Awaited<ReturnType<typeof stack.session>>;
const turns = (session: Session, count: number) =>
  until(async () => turnEnds(await session.events()).filter((kind) => kind === "completed").length === count, `turn ${count}`);
const worldsOf = async ({ sessionId }: Session) =>
  (await stack.sandbox.listWorlds())
    .filter((world) => world.sessionId === sessionId && world.state === "running")
    .map(({ worldId }) => worldId);

test("CP-04 worker and broker killed in the middle of a command: the same session goes on in the same container, and so does its stream", {
  timeout: 300_000,
}, async (t) => {
  const session = await stack.session();
  const pubsub = createRedis("pubsub");
  t.after(() => pubsub.disconnect());
  const frames: LiveFrame[] = [];
  createFeedSubscriber(pubsub).subscribe(session.orgId, session.sessionId, (frame) => void frames.push(frame));
  const worker = await stack.startWorker();
  await session.send("long");
  await until(async () => outputs(await session.events()).length === 1, "the first command");
  await until(async () => (await session.events()).filter(({ type }) => type === "tool/call").length === 2, "the second one");
  const [world] = await worldsOf(session);
  await Promise.all([kill(worker), kill(stack.broker)]);
  const seen = frames.length;
  await Promise.all([stack.startBroker(), stack.startWorker()]);
  await turns(session, 1);
  const [begun, over, life] = outputs(await session.events());
  assert.match(over ?? "", /^over/, "the true result of the command that ran on");
  assert.equal(life, begun?.split("\n")[0], "the same life of the same container");
  assert.deepEqual(await worldsOf(session), [world]);
  const sessions = await withOrg(session.orgId, (tx) => tx.session.findMany({ select: { id: true } }));
  assert.deepEqual(sessions, [{ id: session.sessionId }], "no new session");
  const text = frames.slice(seen).flatMap((frame) => (frame.kind === "delta" && frame.run.block === "text" ? [frame.run.text] : []));
  assert.equal(text.join(""), "the long answer of this turn");
});

test("CP-05 CP-06 a sandbox that is gone between two prompts costs no context; a session that failed leaves its workspace to a new one", {
  timeout: 300_000,
}, async () => {
  const session = await stack.session();
  await stack.startWorker();
  await session.send("write");
  await turns(session, 1);
  const [hash] = (outputs(await session.events())[1] ?? "").split(" ");
  assert.match(hash ?? "", /^[0-9a-f]{40}$/);
  for (const worldId of await worldsOf(session)) await stack.sandbox.stopWorld(worldId);
  await session.send("look");
  await turns(session, 2);
  const files = `${hash}  a\nfirst\n M a`;
  assert.equal(outputs(await session.events()).at(-1), files.trim());
  const prompts = stack.model.requests.at(-1)?.messages.flatMap((message) => (message.role === "user" ? [message.text] : [])) ?? [];
  assert.deepEqual(
    prompts.filter((text) => text in commands),
    ["write", "look"],
    "the second prompt has the context of the first",
  );

  await stack.db.asOwner(session.orgId, "UPDATE sessions SET next_seq = 2 WHERE id = $1", [session.sessionId]); // damaged
  await session.send("look");
  const status = () => withOrg(session.orgId, (tx) => tx.session.findFirstOrThrow({ where: { id: session.sessionId } }));
  await until(async () => (await status()).status === "failed", "the session to be given up");
  const next = await stack.session(session);
  await next.send("look");
  await turns(next, 1);
  assert.equal(outputs(await next.events()).at(-1), files.trim());
});
