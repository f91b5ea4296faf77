import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionEvent, ToolResultBlock } from "@gantry/contracts";
import { Config, marker } from "../src/tool-result-pruner/config.ts";
import { prunedResult } from "../src/tool-result-pruner/prune.ts";
import { dataOf } from "./support/agent.ts";
import { compactingAgent, toolHistory } from "./support/compaction.ts";
import { testLog } from "./support/log.ts";

type Result = Extract<SessionEvent, { type: "tool/result" }>;
const config = Config.parse({ thresholdChars: 120, headChars: 10, tailChars: 5 });

function resultWith(content: ToolResultBlock["content"]): Result {
  const event = toolHistory(["x"]).find((one) => one.type === "tool/result") as Result;
  const block = { ...(event.data.message.content[0] as ToolResultBlock), content };
  return { ...event, data: { ...event.data, message: { ...event.data.message, content: [block] } } };
}
const partsOf = (data: Result["data"] | null) => (data?.message.content[0] as ToolResultBlock | undefined)?.content;
const text = (value: string) => ({ type: "text" as const, text: value });

test("PRN-1 head, mark and tail stay of a long text; code points are counted and none is cut in half", () => {
  const long = prunedResult(resultWith([text(`${"🙂".repeat(60)}${"z".repeat(61)}`)]), config);
  assert.deepEqual(partsOf(long), [text(`${"🙂".repeat(10)}${marker}zzzzz`)]);
  assert.equal(prunedResult(resultWith([text("🙂".repeat(120))]), config), null);
});

test("PRN-1 text in several blocks is one text with one gap; a block that is no text stays in its place", () => {
  const image = {
    type: "image",
    attachmentId: "a",
    mediaType: "image/png",
    width: 1,
    height: 1,
  } as unknown as ToolResultBlock["content"][number];
  const blocks = [text("abcdef"), text("g".repeat(100)), image, text("h".repeat(60)), text("xyz")];
  assert.deepEqual(partsOf(prunedResult(resultWith(blocks), config)), [
    text("abcdef"),
    text(`gggg${marker}`),
    image,
    text("hh"),
    text("xyz"),
  ]);
  const atEdge = prunedResult(resultWith([text("0123456789"), text("g".repeat(120))]), config);
  assert.equal(
    partsOf(atEdge)
      ?.map((part) => (part.type === "text" ? part.text : ""))
      .join(""),
    `0123456789${marker}ggggg`,
  );
});

test("PRN-1 what a pruned result keeps must fit into the threshold, so that it is never pruned again", () => {
  assert.ok(!Config.safeParse({ thresholdChars: 100, headChars: 60, tailChars: 39 }).success);
  assert.ok(Config.safeParse({}).success);
  const once = prunedResult(resultWith([text("x".repeat(500))]), config);
  assert.ok(once);
  assert.equal(prunedResult({ ...resultWith([]), data: once }, config), null);
});

test("EX-305 8,192 code points stay, 8,193 become head, mark and tail; what was pruned is not pruned again, and a replay says the same", async (t) => {
  const shipped = Config.parse({});
  const whole = "🙂".repeat(8_192);
  assert.equal(prunedResult(resultWith([text(whole)]), shipped), null);
  const kept = `${"🙂".repeat(4_096)}\n\n[... tool result middle pruned ...]\n\n${"🙂".repeat(1_023)}!`;
  const once = prunedResult(resultWith([text(`${whole}!`)]), shipped);
  assert.deepEqual(partsOf(once), [text(kept)]);
  assert.equal(prunedResult({ ...resultWith([]), data: once ?? assert.fail() }, shipped), null);

  const events = toolHistory(["r".repeat(20_000), "n".repeat(20_000)]);
  const { agent, say } = await compactingAgent(t, { events, contextWindow: 12_000 });
  for (const said of ["go on", "and on"]) {
    say(said);
    await agent.whenIdle();
  }
  assert.equal(dataOf(agent, "compaction/prune").length, 2, "each result once");
  const { log } = testLog({ events: JSON.parse(JSON.stringify(agent.log.events)) as SessionEvent[] });
  assert.equal(JSON.stringify(log.surface.messages()), JSON.stringify(agent.log.surface.messages()));
});

test("AG-122 a pruned result differs from the original in its text only, follows its record, and the original stays readable", async (t) => {
  const events = toolHistory(["r".repeat(20_000), "short", "n".repeat(20_000)]);
  const { agent, say } = await compactingAgent(t, { events, contextWindow: 10_000 });
  say("go on");
  await agent.whenIdle();
  const results = agent.log.events.filter((event) => event.type === "tool/result") as Result[];
  const replaced = results.filter(({ surfaceOp }) => surfaceOp !== "append");
  assert.equal(replaced.length, 2, "the newest result too");
  for (const result of replaced) {
    const original = agent.log.events[(result.surfaceOp as { start: number }).start] as Result;
    const bare = ({ data }: Result) => JSON.stringify(data, (key, value) => (key === "text" ? "" : value));
    assert.equal(bare(result), bare(original));
    assert.deepEqual(result.sourceEventSeqs, [original.seq]);
    const record = agent.log.events[result.seq - 1];
    assert.equal(record?.type, "compaction/prune");
    assert.deepEqual(dataOf(agent, "compaction/prune")[replaced.indexOf(result)]?.shadowedSeqs, [original.seq]);
    assert.ok(JSON.stringify(original.data).length > 20_000);
  }
});

test("PRN-1 nothing is cut while there is room", async (t) => {
  const { agent, say } = await compactingAgent(t, { events: toolHistory(["r".repeat(20_000)]), contextWindow: 100_000 });
  say("go on");
  await agent.whenIdle();
  assert.equal(dataOf(agent, "compaction/prune").length, 0);
});
