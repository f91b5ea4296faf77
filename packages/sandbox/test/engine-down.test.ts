import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isAppError } from "@gantry/contracts";
import { overrideEnv } from "@gantry/platform";
import Docker from "dockerode";
import { startBroker } from "../src/broker/broker.ts";
import { Engine } from "../src/broker/engine.ts";
import { createSandboxClient } from "../src/client/client.ts";

overrideEnv({ LOG_LEVEL: "silent" });
const dataDir = mkdtempSync(join(tmpdir(), "gantry-sandbox-"));
after(() => rmSync(dataDir, { recursive: true, force: true }));
const env = (name: string) => ({
  NODE_ENV: "test" as const,
  LOG_LEVEL: "silent" as const,
  GANTRY_DATA_DIR: dataDir,
  GANTRY_BROKER_SOCKET: join(dataDir, `${name}.sock`),
  GANTRY_SANDBOX_IMAGE: "gantry-sandbox:local",
  GANTRY_SANDBOXD_DIR: dataDir,
  WORKSPACE_QUOTA_MB: 8,
  GANTRY_ALLOW_UNQUOTED: true,
});
const world = () => ({
  orgId: randomUUID(),
  worldId: randomUUID(),
  sessionId: null,
  workspaceId: randomUUID(),
  epoch: 1,
  mode: "read-only" as const,
});

test("CP-27 an engine that is down is an answer, not a crash, and no world counts as dead", async (t) => {
  const broker = await startBroker(env("down"), new Engine(new Docker({ socketPath: join(dataDir, "no-engine.sock") })));
  t.after(() => broker.stop());
  const client = createSandboxClient({ socketPath: env("down").GANTRY_BROKER_SOCKET });
  const status = await client.status();
  assert.equal(status.ok, false);
  assert.match(status.problems.join(" "), /engine is not available.*Start Docker/);
  await assert.rejects(client.openWorld(world()), (error) => isAppError(error, "ENGINE_DOWN"));
  const request = world();
  broker.worlds.records.set(request.worldId, {
    request,
    uid: 10_000,
    expiresAt: Date.now() - 1,
    state: "running",
    problem: null,
    daemon: "",
    containerId: "c",
    endAttach: null,
  });
  await assert.rejects(broker.reaper.sweep(), (error) => isAppError(error, "ENGINE_DOWN"));
  assert.equal(broker.worlds.get(request.worldId).state, "running");
  broker.worlds.records.clear();
  await broker.volumes.release(new Set(), -1);
});

test("CP-26 worlds live by a clock that nobody sets: one that is in use survives a jump of the system's", async (t) => {
  const docker = { listContainers: async () => [] } as unknown as Docker;
  const broker = await startBroker(env("jump"), new Engine(docker));
  t.after(() => broker.stop());
  await broker.reaper.stop();
  const request = world();
  const facts = { uid: 10_000, state: "running", problem: null, daemon: "", containerId: null, endAttach: null } as const;
  broker.worlds.records.set(request.worldId, { ...facts, request, expiresAt: 0 });
  broker.worlds.renew(request.worldId);
  const real = Date.now;
  t.mock.method(Date, "now", () => real() + 3_600_000);
  await broker.reaper.sweep();
  assert.equal(broker.worlds.get(request.worldId).state, "running");
  broker.worlds.records.clear();
  await broker.volumes.release(new Set(), -1);
});

test("CP-27 an engine that accepts and never answers is down after its limit", async (t) => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(join(dataDir, "silent.sock"));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const engine = new Engine(new Docker({ socketPath: join(dataDir, "silent.sock") }));
  await assert.rejects(
    engine.call(200, (docker) => docker.info()),
    (error) => isAppError(error, "ENGINE_DOWN"),
  );
});

test("a broker that is being started is waited for", async (t) => {
  const client = createSandboxClient({ socketPath: env("late").GANTRY_BROKER_SOCKET });
  const asked = client.listWorlds();
  const broker = await startBroker(env("late"), new Engine(new Docker({ socketPath: join(dataDir, "no-engine.sock") })));
  t.after(() => broker.stop());
  assert.deepEqual(await asked, []);
});

test("a broker that does not run is ENGINE_DOWN for its worker, with what to do", async () => {
  const client = createSandboxClient({ socketPath: join(dataDir, "nobody.sock"), patienceMs: 100 });
  assert.match((await client.status()).problems.join(" "), /broker does not answer/);
  await assert.rejects(client.openWorld(world()), (error) => isAppError(error, "ENGINE_DOWN"));
});
