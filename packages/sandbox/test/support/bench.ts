import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { overrideEnv } from "@gantry/platform";
import { startBroker } from "../../src/broker/broker.ts";
import { createSandboxClient } from "../../src/client/client.ts";
import type { OpenWorldOptions, RunOptions, RunResult, SandboxClient, World } from "../../src/types.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const image = "gantry-sandbox:local";

export type Bench = {
  client: SandboxClient;
  broker: Awaited<ReturnType<typeof startBroker>>;
  dataDir: string;
  socketPath: string;
  /** Opens a world of a new session and workspace, or of those given. */
  open(options?: Partial<OpenWorldOptions>): Promise<World>;
  restartBroker(): Promise<void>;
};

/** Why the tests of this level cannot run here, or false. */
export const skip = reasonToSkip();

/** A broker of its own over the machine's engine, for one test file; its worlds and volumes go when the file is done. */
export function useBench(settings: { quotaMb?: number } = {}): Bench {
  const bench = {} as Bench;
  const opened: string[] = [];
  before(async () => {
    if (skip) return;
    overrideEnv({ LOG_LEVEL: process.env.TEST_LOG ?? "silent" });
    bench.dataDir = mkdtempSync(join(tmpdir(), "gantry-sandbox-"));
    bench.socketPath = join(bench.dataDir, "run", "broker.sock");
    const env = {
      NODE_ENV: "test" as const,
      LOG_LEVEL: "silent" as const,
      GANTRY_DATA_DIR: bench.dataDir,
      GANTRY_BROKER_SOCKET: bench.socketPath,
      GANTRY_SANDBOX_IMAGE: image,
      GANTRY_SANDBOXD_DIR: buildDaemon(),
      WORKSPACE_QUOTA_MB: settings.quotaMb ?? 256,
      GANTRY_ALLOW_UNQUOTED: false,
    };
    const start = async () => {
      bench.broker = await startBroker(env);
    };
    await start();
    bench.client = createSandboxClient({ socketPath: bench.socketPath });
    bench.restartBroker = async () => {
      await bench.broker.stop();
      await start();
    };
  });
  bench.open = async (options = {}) => {
    const ids = { orgId: randomUUID(), worldId: randomUUID(), sessionId: randomUUID(), workspaceId: randomUUID() };
    const world = await bench.client.openWorld({ ...ids, epoch: 1, mode: "workspace-write", ...options });
    opened.push(world.id);
    return world;
  };
  after(async () => {
    if (skip) return;
    for (const worldId of new Set(opened)) await bench.client.stopWorld(worldId);
    const { volumes } = bench.broker;
    await volumes.release(new Set(), -1);
    await bench.broker.stop();
    rmSync(bench.dataDir, { recursive: true, force: true });
  });
  return bench;
}

/** Runs a line of bash and gives the whole result. */
export function bash(world: World, command: string, options: Partial<RunOptions> = {}): Promise<RunResult> {
  return world.proc.run({ argv: ["bash", "-c", command], timeoutMs: 120_000, capture: { maxBytes: 64_000 }, ...options });
}

/** What a line of bash printed, trimmed. */
export async function say(world: World, command: string): Promise<string> {
  return (await bash(world, command)).stdout.text.trim();
}

/** Looks again until it holds: the tests wait for states, never for time. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`still not so after ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function buildDaemon(): string {
  const dir = join(root, ".gantry", "test-sandboxd");
  const env = { ...process.env, GANTRY_SANDBOXD_DIR: dir };
  execFileSync(process.execPath, [join(root, "infra/sandbox/build.mjs"), "--daemon"], { env, stdio: ["ignore", "ignore", "inherit"] });
  return dir;
}

function reasonToSkip(): string | false {
  if (process.getuid?.() !== 0) return "loop-mounted workspaces need root";
  try {
    execFileSync("docker", ["image", "inspect", image], { stdio: "ignore", timeout: 20_000 });
    return false;
  } catch {
    return `needs Docker and the image ${image} (node infra/sandbox/build.mjs)`;
  }
}
