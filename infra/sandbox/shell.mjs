import { spawn } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const repoRoot = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const dataDir = process.env.GANTRY_DATA_DIR ?? join(repoRoot, ".gantry");
export const say = (text) => console.log(`[sandbox] ${text}`);

/** Runs a program, with its last 2,000 characters of output in the error when it fails. `timeoutMs` bounds it. */
export function run(command, args, { timeoutMs = 600_000, onLine, input, env } = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: [input ? "pipe" : "ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
    let out = "";
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    const take = (chunk) => {
      out = (out + chunk).slice(-200_000);
      for (const line of String(chunk).split("\n")) if (line.trim()) onLine?.(line.trim());
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    input?.pipe(child.stdin);
    child.stdin?.on("error", () => {}); // the exit status tells
    child.on("error", (error) => fail(new Error(`${command} could not be started: ${error.message}`)));
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) done(out.trim());
      else fail(new Error(`${command} ${args.slice(0, 2).join(" ")} ended with ${signal ?? code}:\n${out.slice(-2000)}`));
    });
  });
}

export const succeeds = (command, args, options) =>
  run(command, args, options).then(
    () => true,
    () => false,
  );
