import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionEvent } from "@gantry/contracts";
import { isWorking } from "../src/features/session/model/activity.ts";
import { listRows } from "../src/features/session/model/list-rows.ts";
import { sessionReducer } from "../src/features/session/model/reducer.ts";
import { emptySession } from "../src/features/session/model/state.ts";

const presetId = "01900000-0000-7000-8000-000000000001";
const event = (seq: number, type: string, data: object) =>
  ({ id: `e${seq}`, seq, time: 1_000 + seq, type, data }) as unknown as SessionEvent;
const selected = (seq: number, slug: string) => event(seq, "agent-preset/selected", { presetId, revision: 2, slug, hash: "h" });
const turn = (seq: number, number: number): SessionEvent[] => [
  event(seq, "turn/start", { turn: number }),
  event(seq + 1, "turn/end", { turn: number, reason: { kind: "completed" } }),
];
const read = (events: SessionEvent[]) => sessionReducer(emptySession, { type: "batch", batch: { events, deltas: [] } });
const shown = (events: SessionEvent[]) => listRows(read(events), new Set()).map((row) => (row.kind === "preset" ? row.slug : row.kind));

test("a switch before the first turn starts no work, and stands at the beginning of the turn that follows", () => {
  const before = read([selected(0, "minimal")]);
  assert.equal(isWorking(before), false);
  assert.equal(before.turns.length, 0);
  assert.equal(before.preset?.slug, "minimal");
  assert.deepEqual(shown([selected(0, "minimal"), ...turn(1, 1)]), ["minimal"]);
});

test("a switch between two turns opens no turn either; the same rows come out of pages", () => {
  const events = [...turn(0, 1), selected(2, "standard"), ...turn(3, 2)];
  assert.equal(isWorking(read(events.slice(0, 3))), false);
  assert.deepEqual(shown(events), ["standard"]);
  const late = sessionReducer(read(events.slice(3)), { type: "older", events: events.slice(0, 3) });
  assert.deepEqual(listRows(late, new Set()), listRows(read(events), new Set()));
});
