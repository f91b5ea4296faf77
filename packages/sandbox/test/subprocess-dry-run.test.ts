import assert from "node:assert/strict";
import { test } from "node:test";
import { type Context, closeRoot, createRoot, mount } from "@gantry/kernel";
import * as dryRun from "../src/plugins/subprocess-dry-run.ts";
import type { WorldOwner } from "../src/seams.ts";
import { subprocessContract } from "./support/subprocess-contract.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const owner: WorldOwner = {
  orgId: "org",
  sessionId: "session",
  world: () => Promise.reject(new Error("a dry run asked for a world")),
  sandboxMode: () => "workspace-write",
};

subprocessContract(dryRun, async () => owner);

test("a dry run answers with the configured exit code and a bounded line, and asks for no world", async () => {
  const root = createRoot({ name: "dry run", logger: quiet });
  mount(root.ctx, dryRun, { exitCode: 3 });
  const found = Promise.withResolvers<Context>();
  mount(root.ctx, { name: "consumer", inject: ["subprocess"], apply: (ctx: Context) => found.resolve(ctx) });
  const proc = (await found.promise).subprocess.for(owner);
  const capture = { maxBytes: 64_000 };
  const end = await proc.run({ argv: ["bash", "-c", "rm -r build"], capture });
  assert.deepEqual([end.exitCode, end.stdout.text], [3, "dry run: would run bash -c rm -r build\n"]);
  const long = await proc.run({ argv: ["echo", "x".repeat(1_000_000)], capture });
  assert.ok(long.stdout.text.length < 5_000);
  await closeRoot(root);
});

test("an exit code that no process has is refused", async () => {
  const root = createRoot({ name: "dry run", logger: quiet });
  for (const exitCode of [-1, 256, 1.5]) await assert.rejects(mount(root.ctx, dryRun, { exitCode }).settled(), /exitCode/);
  await closeRoot(root);
});
