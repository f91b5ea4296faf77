import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionEvent } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { type ScriptRequest, toolResults } from "@gantry/testing";
import { startStack, turnEnds, until } from "./support/stack.ts";

const script = (request: ScriptRequest) => {
  const said = request.messages.findLast((message) => message.role === "user" && /^(write|stay)$/.test(message.text));
  const isOwed = request.messages.at(-1)?.role !== "tool" && said !== undefined;
  if (!isOwed) return { text: `finished after ${toolResults(request).length}` };
  return { toolCalls: [{ name: "bash", arguments: { command: "echo x >> file && cat file", description: "Write" } }] };
};
const stack = await startStack(script);

const results = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === "tool/result" ? [JSON.stringify(event.data.message.content)] : []));

test("PRM-5 a switch between turns takes the next turn into a sandbox of the new mode, on the same files; the old one goes", async () => {
  const session = await stack.session();
  const { orgId, sessionId, userId } = session;
  const turns = (count: number) => until(async () => turnEnds(await session.events()).length === count, `turn ${count}`);
  const worlds = async () => (await stack.sandbox.listWorlds()).filter((world) => world.sessionId === sessionId).map(({ mode }) => mode);
  await stack.startWorker();
  await session.send("write");
  await turns(1);
  assert.match(results(await session.events())[0] ?? "", /x/);
  assert.deepEqual(await worlds(), ["workspace-write"]);
  await session.post({ kind: "set-permission", preset: "read-only", userId });
  await session.send("write");
  await turns(2);
  assert.match(results(await session.events())[1] ?? "", /\[sandbox: file access denied under read-only mode\]/);
  assert.deepEqual(await worlds(), ["read-only"]);
  await session.post({ kind: "set-permission", preset: "danger-full-access", userId });
  await session.send("write");
  await turns(3);
  assert.match(results(await session.events())[2] ?? "", /x\\\\nx|x\\nx/, "the files are the same");
  assert.deepEqual(await worlds(), ["danger-full-access"]);
  const rows = await withOrg(orgId, (tx) =>
    tx.sandbox.findMany({ where: { orgId, sessionId }, orderBy: { createdAt: "asc" }, select: { state: true } }),
  );
  assert.deepEqual(
    rows.map(({ state }) => state),
    ["gone", "gone", "ready"],
  );
});
