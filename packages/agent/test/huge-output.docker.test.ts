import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { MountRow } from "@gantry/compose";
import type { SessionEvent } from "@gantry/contracts";
import { skip, useBench } from "@gantry/sandbox/testing";
import { toolResults } from "@gantry/testing";
import { dataOf, resultText, testAgent } from "./support/agent.ts";

const rows: MountRow[] = [
  { id: "fs-observation-policy", name: "fs-observation-policy" },
  { id: "spill-policy", name: "spill-policy", config: { maxInlineTokens: 12_500 } },
  { id: "tool-fs", name: "tool-fs" },
  { id: "tool-bash", name: "tool-bash" },
  { id: "tool-fs-search", name: "tool-fs-search", config: { sampleOverCapGlobResults: true } },
];
const bash = (command: string) => ({ name: "bash", arguments: { command, description: "x" } });
const calls: { name: string; arguments: Record<string, string> }[] = [
  bash("yes 'a line of fifty megabytes' | head -c 50000000"),
  bash("head -c 20000000 /dev/zero | tr '\\0' x; head -c 20000000 /dev/zero | tr '\\0' e >&2"),
  bash("head -c 3000000 /dev/urandom"),
  bash("head -c 3000000 /dev/zero"),
  bash("head -c 20000000 /dev/zero | tr '\\0' x > one-line && seq 60000 > many"),
  { name: "read", arguments: { file_path: "one-line" } },
  { name: "read", arguments: { file_path: "many" } },
  { name: "grep", arguments: { pattern: "x+", path: "one-line" } },
  { name: "grep", arguments: { pattern: "1", path: "many" } },
];

describe("results that are far too large", { skip }, () => {
  const bench = useBench();

  test("CP-52 fifty megabytes, noise, NUL and lines without end stay out of log and requests; the session loads again and goes on", async (t) => {
    const world = await bench.open();
    const script = (request: Parameters<typeof toolResults>[0]) =>
      toolResults(request).length === 0 ? { toolCalls: calls } : { text: "seen" };
    const first = await testAgent(t, { script, rows, world: async () => world });
    first.say("go");
    await first.agent.whenIdle();
    const results = dataOf(first.agent, "tool/result");
    assert.deepEqual(
      results.map(({ error }) => error?.code ?? null),
      calls.map(({ arguments: { pattern } }) => (pattern === "x+" ? "SEARCH_RAW_OUTPUT_OVERFLOW" : null)),
    );
    for (const { message } of results) assert.ok(resultText(message).length <= 60_000, `${resultText(message).length} characters`);
    const stored = JSON.stringify(first.agent.log.events);
    assert.ok(stored.length < 1_500_000, `${stored.length} characters of log`);
    assert.match(resultText(results[0]?.message ?? assert.fail()), /\[output truncated; full output: [^\]]+\]/);
    assert.match(resultText(results[8]?.message ?? assert.fail()), /^Found 250 of \d{5} matches/);

    const again = await testAgent(t, {
      script: () => ({ text: "on it goes" }),
      rows,
      world: async () => world,
      events: JSON.parse(stored) as SessionEvent[],
    });
    again.say("and now?");
    await again.agent.whenIdle();
    assert.deepEqual(
      dataOf(again.agent, "turn/end").map(({ reason }) => reason.kind),
      ["completed", "completed"],
    );
    assert.ok(JSON.stringify(again.model.requests[0]?.messages).length < 1_500_000);
  });
});
