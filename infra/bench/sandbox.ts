// Rows 18 and 19 of the performance targets, both sides measured in this run:
//   node infra/bench/sandbox.ts [rounds] [calls]
// needs root, Docker, the sandbox image and the daemon folder (node infra/sandbox/build.mjs).
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { overrideEnv } from "@gantry/platform";
import { createSandboxClient } from "@gantry/sandbox";
import { startBroker } from "@gantry/sandbox/broker/broker";
import Docker from "dockerode";

const rounds = Number(process.argv[2] ?? 15);
const calls = Number(process.argv[3] ?? 300);
const image = "gantry-sandbox:local";
const capture = { maxBytes: 64_000 };

overrideEnv({ LOG_LEVEL: "silent" });
const dataDir = mkdtempSync(join(tmpdir(), "gantry-bench-"));
const sandboxdDir = join(dataDir, "sandboxd");
const build = new URL("../sandbox/build.mjs", import.meta.url).pathname;
execFileSync(process.execPath, [build, "--daemon"], { env: { ...process.env, GANTRY_SANDBOXD_DIR: sandboxdDir }, stdio: "ignore" });
const socketPath = join(dataDir, "broker.sock");
const broker = await startBroker({
  NODE_ENV: "production",
  LOG_LEVEL: "silent",
  GANTRY_DATA_DIR: dataDir,
  GANTRY_BROKER_SOCKET: socketPath,
  GANTRY_SANDBOX_IMAGE: image,
  GANTRY_SANDBOXD_DIR: sandboxdDir,
  WORKSPACE_QUOTA_MB: 256,
  GANTRY_ALLOW_UNQUOTED: false,
});
const client = createSandboxClient({ socketPath });
const docker = new Docker();

try {
  await client.status(); // the quota probe is a matter of the broker's start
  const cold: number[] = [];
  const raw: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    cold.push(await timed(coldWorld));
    raw.push(await timed(rawContainer));
  }
  report("cold: new workspace → first output of `true`", cold);
  report("raw: create + start + exec `true`", raw);
  console.log(`row 18  cold / raw p50 = ${(p(cold, 50) / p(raw, 50)).toFixed(2)} (target ≤ 1.15)`);
  await warm();
} finally {
  for (const { worldId } of await client.listWorlds()) await client.stopWorld(worldId);
  await broker.volumes.release(new Set(), -1);
  await broker.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function coldWorld(): Promise<() => Promise<void>> {
  const world = await client.openWorld({ ...ids(), epoch: 1, mode: "workspace-write" });
  await world.proc.run({ argv: ["true"], capture });
  return () => client.stopWorld(world.id);
}

async function rawContainer(): Promise<() => Promise<void>> {
  const container = await docker.createContainer({ Image: image, Cmd: ["sleep", "600"], HostConfig: { Init: true, NetworkMode: "none" } });
  await container.start();
  await execTrue(container);
  return () => container.remove({ force: true });
}

async function warm(): Promise<void> {
  const world = await client.openWorld({ ...ids(), epoch: 1, mode: "workspace-write" });
  const container = docker.getContainer(`gantry-${world.id}`);
  const call = () => world.proc.run({ argv: ["true"], capture });
  for (let i = 0; i < 50; i += 1) await call();
  const ours: number[] = [];
  for (let i = 0; i < calls; i += 1) ours.push(await once(call));
  const theirs: number[] = [];
  for (let i = 0; i < Math.min(calls, 60); i += 1) theirs.push(await once(() => execTrue(container)));
  report("warm: `true` through sandboxd", ours);
  report("warm: `true` through docker exec", theirs);
  const started = performance.now();
  let left = calls;
  const lane = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  const perSecond = (calls * 1000) / (performance.now() - started);
  const ratio = (p(ours, 50) / p(theirs, 50)).toFixed(3);
  console.log(`row 19  p50 ${p(ours, 50).toFixed(2)} ms (≤ 3), / docker exec = ${ratio} (≤ 0.1), ${perSecond.toFixed(0)} a second (≥ 300)`);
  const file = await world.fs.resolve("file");
  await world.fs.writeText(file, "content\n".repeat(200));
  const reads: number[] = [];
  for (let i = 0; i < calls; i += 1) reads.push(await once(() => world.fs.readText(file)));
  report("warm: read a small file", reads);
  const writes: number[] = [];
  for (let i = 0; i < calls / 3; i += 1) writes.push(await once(() => world.fs.writeText(file, `content ${i}\n`)));
  report("warm: write a small file, fsync included", writes);
  await search(world);
  await client.stopWorld(world.id);
}

/** Row 21: ripgrep through the tool's path against ripgrep alone, both in the container's files. */
async function search(world: Awaited<ReturnType<typeof client.openWorld>>): Promise<void> {
  const make = "mkdir -p many && cd many && for i in $(seq 400); do seq 2000 > f$i.txt; done";
  await world.proc.run({ argv: ["bash", "-c", make], capture });
  for (const [name, pattern] of [
    ["no hits", "nothing-like-it"],
    ["2 MB of hits", "^1[0-9]{2}$"],
  ] as const) {
    const argv = ["/opt/gantry/rg", "--no-config", "--json", `--regexp=${pattern}`, "--", "many"];
    const whole: number[] = [];
    const inside: number[] = [];
    for (let i = 0; i < 10; i += 1) {
      whole.push(await once(() => world.proc.run({ argv, capture: { maxBytes: 20_000_000 } })));
      const timer = `s=$(date +%s%N); ${argv.map((word) => `'${word}'`).join(" ")} > /dev/null; echo $(( ($(date +%s%N) - s) / 1000 ))`;
      const { stdout } = await world.proc.run({ argv: ["bash", "-c", timer], capture });
      inside.push(Number(stdout.text) / 1000);
    }
    report(`grep, ${name}: whole call`, whole);
    report(`grep, ${name}: rg alone`, inside);
    console.log(`row 21  ${name}: ${(p(whole, 50) / p(inside, 50)).toFixed(2)}`);
  }
}

async function execTrue(container: Docker.Container): Promise<void> {
  const exec = await container.exec({ Cmd: ["true"], AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({});
  await new Promise((resolve) => stream.resume().once("end", resolve).once("close", resolve));
  await exec.inspect();
}

async function timed(work: () => Promise<() => Promise<void>>): Promise<number> {
  const started = performance.now();
  const clean = await work();
  const ms = performance.now() - started;
  await clean();
  return ms;
}

async function once(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function ids() {
  return { orgId: randomUUID(), worldId: randomUUID(), sessionId: randomUUID(), workspaceId: randomUUID() };
}

function p(samples: readonly number[], percent: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

function report(name: string, samples: readonly number[]): void {
  const [p50, p99] = [p(samples, 50).toFixed(2), p(samples, 99).toFixed(2)];
  console.log(`${name.padEnd(48)} p50 ${p50.padStart(8)} ms   p99 ${p99.padStart(8)} ms   n=${samples.length}`);
}
