import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, test } from "node:test";
import { call } from "./support/calls.ts";
import { skip, useTools } from "./support/world.ts";

describe("patterns that are made to take for ever", { skip }, () => {
  const tools = useTools({ configs: { "tool-fs-search": { timeoutMs: 2_000, graceMs: 500 } } });
  const outcome = (name: string, args: object) => call(tools.root.ctx, name, args, { agent: tools.agent });

  test("SC-R12 thirty evil patterns in every field of grep and glob are answered or stopped at their deadline, and the worker's own loop does not wait for them", async () => {
    await tools.shell(
      "mkdir -p evil && (cd evil && head -c 200000 /dev/zero | tr '\\0' a > a.txt && for i in 1 2 3 4 5 6; do for j in 1 2 3 4 5 6; do mkdir -p aaa$i/aaa$j && touch aaa$i/aaa$j/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done; done)",
    );
    const regular = [
      "(a+)+$",
      "(a*)*b",
      "(a|a)*b",
      "(a|aa)+$",
      "([a-z]+)*!",
      "(.*)*x",
      "(a?){200}a{200}",
      "^(([a-z])+.)+[A-Z]",
      "(x+x+)+y",
      "a{1000}{1000}",
    ];
    const globs = [
      `${"*a".repeat(40)}*b`,
      `${"**/".repeat(30)}b`,
      `{${"a,".repeat(200)}b}`,
      "[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*!",
      `${"?*".repeat(60)}!`,
      `${"{a,b}".repeat(16)}`,
    ];
    const calls = [
      ...regular.map((pattern) => ["grep", { pattern, path: "evil" }] as const),
      ...globs.map((include) => ["grep", { pattern: "a", include: include.replaceAll(",", "|").slice(0, 200), path: "evil" }] as const),
      ...globs.map((pattern) => ["glob", { pattern, path: "evil" }] as const),
      ...[
        "(?:(?:a+)+)+$",
        "(a+)+\\1",
        "(?=(a+))a*b\\1",
        "(?<!a+)b",
        "\\p{L}*\\p{L}*!",
        "(a{0,999}){0,999}",
        "((a+)+)+@",
        "(.+)+\\d{3}$",
      ].map((pattern) => ["grep", { pattern }] as const),
    ];
    assert.equal(calls.length, 30);
    const lag = monitorEventLoopDelay({ resolution: 10 });
    lag.enable();
    for (const [name, args] of calls) {
      const { content, error } = await outcome(name, args);
      assert.ok(content.length > 0);
      assert.ok(
        error === undefined || error.code === "SEARCH_INVALID_PATTERN" || error.code === "TOOL_TIMEOUT",
        `${JSON.stringify(args)}: ${JSON.stringify(content)}`,
      );
    }
    lag.disable();
    assert.ok(lag.percentile(50) / 1e6 < 50, `${lag.percentile(50) / 1e6} ms`);
  });
});
