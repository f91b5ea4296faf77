import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { GroupEnd } from "../src/sandboxd/proc/group.ts";

test("a command that ignores TERM is killed after the grace, also when the clock is set back meanwhile", {
  timeout: 60_000,
}, async (t) => {
  const child = spawn("sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 1; done"], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { pid } = child;
  assert.ok(pid !== undefined);
  await once(child.stdout, "data");
  const real = Date.now;
  new GroupEnd(pid, 300).start();
  t.mock.method(Date, "now", () => real() - 3_600_000);
  assert.deepEqual(await once(child, "exit"), [null, "SIGKILL"]);
});
