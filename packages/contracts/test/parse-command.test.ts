import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommand } from "../src/parse-command.ts";

test("CMD-1 a slash, a name and white space make a command; everything behind is its arguments, as written", () => {
  assert.deepEqual(parseCommand("/compact"), { name: "compact", args: "" });
  assert.deepEqual(parseCommand("/goal  ship it\n twice "), { name: "goal", args: "ship it\n twice " });
  assert.deepEqual(parseCommand("/plan2-x\toff"), { name: "plan2-x", args: "off" });
});

test("CMD-1 paths, capitals, a space before and a lone slash are ordinary text", () => {
  for (const text of ["/goal/path", "/Goal", " /goal", "/", "//", "/1st", "/-x", "/goal!", "goal", "", "/gÖal", "\n/goal"])
    assert.equal(parseCommand(text), null, text);
});
