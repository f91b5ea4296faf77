import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../src/replace-worker.ts", import.meta.url));
const program = `
  import { createLogger, onShutdown } from "@gantry/platform";
  import { replaceWorker } from ${JSON.stringify(file)};
  onShutdown("sessions", () => process.stdout.write("handed over"));
  setInterval(() => {}, 1_000);
  await replaceWorker(createLogger("test"), "stuck");
`;

test("KN-111 a worker that is to be replaced gives its work back and exits with 1", { timeout: 60_000 }, async () => {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", program], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  assert.match(out, /handed over/);
  assert.equal(code, 1);
});
