import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { skip, useBench } from "@gantry/sandbox/testing";
import { inOrder } from "@gantry/testing";
import { dataOf, resultText, testAgent, until } from "./support/agent.ts";

const rows = [
  { id: "fs-observation-policy", name: "fs-observation-policy" },
  { id: "tool-fs", name: "tool-fs" },
  { id: "tool-bash", name: "tool-bash" },
];
type Agent = Awaited<ReturnType<typeof testAgent>>["agent"];
const bash = (command: string) => ({ toolCalls: [{ name: "bash", arguments: { command, description: "x" } }] });
const results = (agent: Agent) => dataOf(agent, "tool/result").map(({ message, error }) => error?.code ?? resultText(message));

describe("a session whose world ends or is full", { skip }, () => {
  const bench = useBench({ quotaMb: 16 });

  test("EX-307 after its container was taken away the next command starts another, and the workspace is as it was", async (t) => {
    const ids = { sessionId: randomUUID(), workspaceId: randomUUID() };
    const worlds: string[] = [];
    const { agent, say } = await testAgent(t, {
      script: inOrder(bash("echo kept > note && touch /tmp/mark"), { text: "one" }, bash("cat note && test -e /tmp/mark || echo fresh"), {
        text: "two",
      }),
      rows,
      world: async () => {
        const world = await bench.open(ids);
        worlds.push(world.id);
        return world;
      },
    });
    say("write it");
    await agent.whenIdle();
    const [id = ""] = worlds;
    await bench.client.stopWorld(id);
    await until(() => !agent.isWorldUp, "the news that the world is gone");
    say("read it");
    await agent.whenIdle();
    assert.deepEqual([results(agent), worlds.length], [["(no output)", "kept\nfresh\n"], 2]);
  });

  test("EX-311 a full workspace is an error of the call, with what to do, and the turn goes on", async (t) => {
    const write = { toolCalls: [{ name: "write", arguments: { file_path: "big", content: "x".repeat(1_000_000) } }], chunkSize: 500_000 };
    const { agent, say } = await testAgent(t, {
      script: inOrder(bash("for size in 8M 4M 2M 1M; do fallocate -l $size filler$size; done 2>/dev/null; true"), write, {
        text: "it is full",
      }),
      rows,
      world: () => bench.open(),
    });
    say("fill it");
    await agent.whenIdle();
    assert.equal(results(agent)[1], "FS_NO_SPACE");
    const [, full] = dataOf(agent, "tool/result");
    assert.match(resultText(full?.message ?? assert.fail()), /^Error: .*full.*delete files/);
    assert.deepEqual([dataOf(agent, "turn/end")[0]?.reason.kind, dataOf(agent, "step/start").length], ["completed", 3]);
  });
});
