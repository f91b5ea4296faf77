import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { textsOf } from "@gantry/contracts";
import { call } from "./support/calls.ts";
import { skip, useTools } from "./support/world.ts";

describe("input that no program expects", { skip }, () => {
  const tools = useTools();
  const outcome = (name: string, args: object) => call(tools.root.ctx, name, args, { agent: tools.agent });

  test("NUL bytes, over-long commands and over-long names are errors of the call, and the world lives on", async () => {
    const odd: [string, object][] = [
      ["bash", { command: "echo \0", description: "x" }],
      ["bash", { command: "true", description: "x", workdir: "a\0b" }],
      ["bash", { command: `true ${"x".repeat(900_000)}`, description: "x" }],
      ["read", { file_path: "a\0b" }],
      ["write", { file_path: "n".repeat(5_000), content: "x" }],
      ["edit", { file_path: "a\0b", old_string: "a", new_string: "b" }],
      ["glob", { pattern: "a\0b" }],
      ["grep", { pattern: "a\0b" }],
    ];
    for (const [name, args] of odd) {
      const { isError, content } = await outcome(name, args);
      assert.equal(isError, true, `${name} ${JSON.stringify(args).slice(0, 60)}: ${textsOf(content)[0]?.slice(0, 200)}`);
    }
    assert.equal(await tools.text("bash", { command: "echo alive", description: "x" }), "alive\n");
  });

  test("a half of a surrogate pair is written as the replacement character, and other scripts survive the round trip", async () => {
    const content = "naïve — 漢字 🦊\n";
    await outcome("write", { file_path: "ünï 漢.txt", content });
    assert.match(await tools.text("read", { file_path: "ünï 漢.txt" }), /\n1: naïve — 漢字 🦊\n/);
    assert.equal(await tools.text("glob", { pattern: "*漢*" }), "ünï 漢.txt");
    assert.equal((await outcome("write", { file_path: "half.txt", content: "\ud83e" })).isError, false);
    assert.match(await tools.text("read", { file_path: "half.txt" }), /\n1: \ufffd\n/);
  });
});
