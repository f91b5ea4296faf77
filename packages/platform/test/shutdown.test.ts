import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, test } from "node:test";

const platform = new URL("../src/index.ts", import.meta.url).href;

async function stopped(hooks: string): Promise<{ output: string; code: number | null }> {
  const program = `import { onShutdown } from ${JSON.stringify(platform)};\n${hooks}\nsetInterval(() => {}, 1e6); console.log("up");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, LOG_LEVEL: "silent" },
  });
  const exit = once(child, "exit");
  child.stdout.once("data", () => child.kill("SIGTERM"));
  const output = await text(child.stdout);
  return { output, code: ((await exit) as [number | null])[0] };
}

describe("shutdown", () => {
  test("hooks run one after the other, the last registered first, and the process ends with 0", async () => {
    const { output, code } = await stopped(`
      onShutdown("a", () => console.log("a"));
      onShutdown("b", async () => { await new Promise(setImmediate); console.log("b"); });
      onShutdown("taken back", () => console.log("never"))();`);
    assert.deepEqual([output, code], ["up\nb\na\n", 0]);
  });

  test("a hook that fails does not hold up the others, and the process ends with 1", async () => {
    const { output, code } = await stopped(`
      onShutdown("a", () => console.log("a"));
      onShutdown("broken", () => Promise.reject(new Error("no")));`);
    assert.deepEqual([output, code], ["up\na\n", 1]);
  });
});
