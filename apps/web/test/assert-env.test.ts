import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { test } from "node:test";

const good = {
  DATABASE_URL: "postgresql://u:p@127.0.0.1:1/x",
  REDIS_URL: "redis://127.0.0.1:1",
  GANTRY_MASTER_KEY: randomBytes(32).toString("base64"),
  NEXTAUTH_SECRET: randomBytes(32).toString("base64"),
  NEXTAUTH_URL: "http://localhost:3000",
  GANTRY_DATA_DIR: "/tmp",
};
const program = 'import { register } from "./src/instrumentation.ts"; await register(); console.log("served");';

function start(env: Record<string, string>) {
  const options = { cwd: new URL("..", import.meta.url), encoding: "utf8", timeout: 20_000 } as const;
  return spawnSync(process.execPath, ["--input-type=module-typescript", "-e", program], {
    ...options,
    env: { ...env, NEXT_RUNTIME: "nodejs" } as unknown as NodeJS.ProcessEnv, // without NODE_ENV on purpose
  });
}

test("SC-W8 the server starts with its settings", () => {
  const { status, stdout, stderr } = start(good);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /served/);
});

for (const [name, bad] of [
  ["NEXTAUTH_SECRET", ""],
  ["NEXTAUTH_SECRET", "short-canary"],
  ["GANTRY_MASTER_KEY", ""],
  ["GANTRY_MASTER_KEY", "c2hvcnQtY2FuYXJ5"],
] as const)
  test(`SC-W8 the server refuses to start with ${name} ${bad === "" ? "missing" : "too short"}, and names it without its value`, () => {
    const { status, stdout, stderr } = start({ ...good, [name]: bad });
    assert.equal(status, 1);
    assert.doesNotMatch(stdout, /served/);
    assert.match(stderr, new RegExp(name));
    assert.ok(bad === "" || !stderr.includes(bad));
  });
