import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventDraft } from "@gantry/contracts";
import { commandEnd, isCommand, matchingCommands } from "../src/features/session/model/commands.ts";
import { logOf } from "./event-log.ts";

test("EXP-1 /export is offered, and its end is found by the run that this tab asked for", () => {
  assert.deepEqual(matchingCommands("/ex"), ["export"]);
  assert.ok(isCommand("/export"));
  const run: EventDraft = { type: "command/run", data: { commandId: "mine", name: "export" } };
  const other: EventDraft = { type: "command/done", data: { commandId: "theirs", kind: "error", text: "no" } };
  const done: EventDraft = { type: "command/done", data: { commandId: "mine", kind: "success" } };
  const log = logOf(run, other);
  assert.deepEqual([commandEnd(log, "mine"), commandEnd(log, "theirs")], [null, "error"]);
  assert.equal(commandEnd(logOf(run, other, done), "mine"), "success");
});
