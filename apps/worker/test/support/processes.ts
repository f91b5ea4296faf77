import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Env } from "@gantry/platform";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
type Options = { readonly log: string; readonly args?: readonly string[]; readonly settings?: Readonly<Record<string, string>> };

/** A program of this repository as a process of its own, on the settings of a test; `log` is a file in its data folder. */
export function startProcess(entry: string, env: Env, { log, args = [], settings = {} }: Options): ChildProcess {
  const values = Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, text(value)]])));
  const cache = { NODE_COMPILE_CACHE: join(tmpdir(), "gantry-test-code") }; // so that the second start parses no source
  const child = spawn(process.execPath, [resolve(root, entry), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...cache, ...values, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const file = createWriteStream(join(env.GANTRY_DATA_DIR, log), { flags: "a" });
  child.stdout?.pipe(file, { end: false });
  child.stderr?.pipe(file, { end: false });
  return child;
}

function text(value: unknown): string {
  if (Buffer.isBuffer(value)) return value.toString("base64");
  if (typeof value === "boolean") return value ? "1" : "0";
  return String(value);
}

export async function kill(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** Asks a process to stop, as a deploy does, and waits until it has. */
export async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
  await exited;
  clearTimeout(timer);
}

export const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;
