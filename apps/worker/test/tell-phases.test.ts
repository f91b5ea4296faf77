import assert from "node:assert/strict";
import { test } from "node:test";
import type { Activity } from "@gantry/contracts";
import { tellPhases } from "../src/tell-phases.ts";

function teller(activity: Activity, status: "idle" | "running" = "running") {
  const told: Activity[] = [activity];
  return {
    told,
    status,
    get activity() {
      return told.at(-1) as Activity;
    },
    showActivity: (next: Activity) => void told.push(next),
  };
}
const kinds = ({ told }: { told: Activity[] }) => told.map(({ kind }) => kind);
const running: Activity = { kind: "running-tool", since: 1, callId: "c", name: "bash", label: "npm test" };

test("what the agent did before its container started is told again once it is there", () => {
  const agent = teller(running);
  const tell = tellPhases(agent);
  for (const phase of ["creating", "connecting", "ready"]) tell(phase);
  assert.deepEqual(kinds(agent), ["running-tool", "starting-sandbox", "starting-sandbox", "running-tool"]);
  assert.deepEqual(agent.activity, running);
});

test("a model that writes while the container starts is not talked over, and what came meanwhile stands", () => {
  const agent = teller({ kind: "waiting-model", since: 1 });
  const tell = tellPhases(agent);
  tell("creating");
  agent.showActivity({ kind: "streaming", since: 2 });
  tell("connecting");
  tell("ready");
  assert.deepEqual(kinds(agent), ["waiting-model", "starting-sandbox", "streaming"]);
});

test("an idle agent and one that stops say nothing of a start", () => {
  const idle = teller({ kind: "idle", since: 1 }, "idle");
  const stopping = teller({ kind: "stopping", since: 1 });
  for (const agent of [idle, stopping]) {
    const tell = tellPhases(agent);
    for (const phase of ["creating", "connecting", "ready"]) tell(phase);
    assert.equal(agent.told.length, 1);
  }
});
