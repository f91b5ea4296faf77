import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compareInstants, firstMs, lastMs, mapSurface, parseInstant, searchTextOf, snippetOf } from "@gantry/contracts";
import { answers, buildLog, calls, event, results, says, streams, turnStart } from "@gantry/testing/log-builder";

describe("moments", () => {
  const at = (text: string) => {
    const instant = parseInstant(text);
    assert.ok(instant, text);
    return instant;
  };

  test("QRY-7 a moment names its offset, and is a moment that exists", () => {
    for (const wrong of [
      "2026-03-01",
      "2026-03-01T08:00:00",
      "2026-02-31T08:00:00Z",
      "2026-03-01T25:00:00Z",
      "now",
      "2026-03-01T08:00:00+2",
    ])
      assert.equal(parseInstant(wrong), null, wrong);
    assert.equal(at("2026-03-01T08:00:00Z").ms, Date.UTC(2026, 2, 1, 8));
    assert.equal(at("2026-03-01T08:00+02:00").ms, Date.UTC(2026, 2, 1, 6));
  });

  test("AG-242 bounds compare exactly below a millisecond", () => {
    const [a, b] = [at("2026-03-01T08:00:00.0000001Z"), at("2026-03-01T08:00:00.00000010001Z")];
    assert.ok(compareInstants(a, b) < 0 && compareInstants(b, a) > 0);
    assert.equal(compareInstants(a, at("2026-03-01T09:00:00.00000010+01:00")), 0);
    assert.deepEqual([firstMs(a) - lastMs(a), firstMs(at("2026-03-01T08:00:00.500Z")) % 1000], [1, 500]);
  });
});

describe("snippets", () => {
  test("QRY-2 a snippet is cut between characters and shows what was found", () => {
    const long = `${"🙂".repeat(500)} needle ${"🙃".repeat(500)}`;
    const shown = snippetOf(long, "NEEDLE");
    assert.ok(shown.includes("needle") && shown.isWellFormed());
    assert.ok([...shown].length <= 202 && shown.startsWith("…") && shown.endsWith("…"));
    assert.equal(snippetOf("a\n\n b", "b"), "a b");
    assert.equal(snippetOf("one two three", "three two"), "one two three");
  });
});

test("QRY-2 people, agents and tools are searched; reasoning, deltas, structure and surroundings are not", () => {
  const thinking = answers();
  const log = buildLog(
    ...[turnStart(), says("asked"), says("rules", { kind: "plugin", plugin: "i", form: "instructions" }), streams("partial"), answers()],
    ...[
      calls("a"),
      results("a"),
      says("told", { kind: "plugin", plugin: "r", form: "relay" }),
      event("session/title", { title: "t", messageSeqs: [], source: { kind: "user" } }),
    ],
    {
      ...thinking,
      data: {
        ...thinking.data,
        message: {
          id: "r",
          role: "assistant",
          content: [{ type: "reasoning", text: "hm" }],
          source: { kind: "model", provider: "p", model: "m" },
        },
      },
    } as never,
  );
  assert.deepEqual(
    log.flatMap((item) => searchTextOf(item) ?? []),
    [
      { kind: "user", text: "asked" },
      { kind: "assistant", text: "done" },
      { kind: "tool", text: "out" },
      { kind: "user", text: "told" },
    ],
  );
});

describe("the surface", () => {
  const replace = (start: number, end: number) => ({ ...says("summary"), surfaceOp: { op: "replace", start, end } as const });

  test("SES-21 current, shadowed and log-only, through replacements of replacements", () => {
    const map = mapSurface(buildLog(says("a"), says("b"), turnStart(), says("c"), replace(0, 1), says("d"), replace(4, 3)));
    assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map(map.surfaceOf), [
      "shadowed",
      "shadowed",
      "log-only",
      "shadowed",
      "shadowed",
      "current",
      "current",
    ]);
    assert.deepEqual(
      [map.replacedBy(0), map.replacedBy(4), map.replacedBy(6), map.replaced(6), map.replaced(4)],
      [4, 6, null, [4, 3], [0, 1]],
    );
  });

  test("a replacement of what is not there is an error", () => {
    assert.throws(() => mapSurface(buildLog(says("a"), replace(0, 7))), RangeError);
  });
});
