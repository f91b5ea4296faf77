import assert from "node:assert/strict";
import { randomInt, randomUUID } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isAppError } from "@gantry/contracts";
import Docker from "dockerode";
import { adoptionGraceMs, defaultTtlMs } from "../src/broker/limits.ts";
import { bash, say, skip, until, useBench } from "./support/bench.ts";

describe("the broker", { skip }, () => {
  const bench = useBench({ quotaMb: 32 });
  const docker = new Docker();
  const containers = () =>
    docker.listContainers({ all: true, filters: { label: [`gantry.installation=${bench.broker.worlds.installation}`] } });
  const valid = () => ({
    orgId: randomUUID(),
    worldId: randomUUID(),
    sessionId: randomUUID(),
    workspaceId: randomUUID(),
    epoch: 1,
    mode: "workspace-write",
  });

  test("SC-S7 of five hundred hostile bodies none is forwarded", async () => {
    const evil: [string, unknown][] = [
      ["Privileged", true],
      ["HostConfig", { Privileged: true, Binds: ["/:/host"] }],
      ["Binds", ["/:/host"]],
      ["NetworkMode", "host"],
      ["PidMode", "host"],
      ["UsernsMode", "host"],
      ["CapAdd", ["SYS_ADMIN"]],
      ["Devices", [{ PathOnHost: "/dev/vda" }]],
      ["SecurityOpt", ["seccomp=unconfined"]],
      ["CgroupParent", "/"],
      ["Runtime", "other"],
      ["Sysctls", { "kernel.core_pattern": "x" }],
      ["image", "evil"],
      ["uid", 0],
      ["__proto__", { admin: true }],
      ["constructor", {}],
    ];
    const odd: unknown[] = [
      "../../etc",
      "host",
      -1,
      null,
      [],
      {},
      "",
      "a".repeat(5000),
      1.5,
      true,
      "danger-full-access\0",
      "0",
      Number.MAX_SAFE_INTEGER + 1,
    ];
    const keys = Object.keys(valid());
    for (let round = 0; round < 500; round += 1) {
      const body: Record<string, unknown> = valid();
      if (round % 2 === 0) {
        const [key, value] = evil[randomInt(evil.length)] ?? ["x", 1];
        Object.defineProperty(body, key, { value, enumerable: true });
      } else {
        const key = keys[randomInt(keys.length)] ?? "orgId";
        const value = odd[randomInt(odd.length)];
        if (key === "sessionId" && value === null) continue; // that is allowed
        body[key] = value;
      }
      const { status } = await post("/worlds", JSON.stringify(body));
      assert.equal(status, 400, JSON.stringify(body));
    }
    for (const [method, path] of [
      ["POST", "/containers/create"],
      ["GET", "/info"],
      ["POST", "/worlds/../containers/create"],
      ["DELETE", "/worlds/not-an-id"],
      ["GET", `/worlds/${randomUUID()}/json`],
      ["POST", `/worlds/${randomUUID()}/exec`],
    ] as const) {
      assert.ok([400, 404].includes((await send(method, path, "{}")).status), path);
    }
    assert.equal((await post("/worlds", "{".repeat(10))).status, 400);
    assert.equal((await post("/worlds", JSON.stringify({ x: "y".repeat(100_000) }))).status, 400);
    assert.deepEqual(await containers(), []);
  });

  test("SC-S7 its socket is the owner's alone", () => {
    assert.equal(statSync(bench.socketPath).mode & 0o777, 0o600);
  });

  test("status says what the engine enforces, in words for what it does not", async () => {
    const status = await bench.client.status();
    assert.deepEqual([status.ok, status.seccomp, status.quotaEnforced, status.imagePresent], [true, true, true, true]);
    assert.match(status.engineVersion ?? "", /^\d+\./);
    assert.notEqual(status.isolation, "unknown");
  });

  test("CP-26 a renewed world stays, an expired one goes, and the volume is unmounted once idle", async () => {
    const kept = await bench.open();
    const left = await bench.open();
    const later = Date.now() + defaultTtlMs + 1000;
    await kept.renew(defaultTtlMs + 60_000);
    await bench.broker.reaper.sweep(later);
    assert.equal(await say(kept, "echo alive"), "alive");
    assert.match((await left.closed).reason, /nobody used it/);
    assert.deepEqual(
      (await containers()).map(({ Names }) => Names[0]),
      [`/gantry-${kept.id}`],
    );
    assert.ok(isMounted());
    await bench.client.stopWorld(kept.id);
    await bench.client.stopWorld(kept.id);
    await bench.broker.volumes.release(new Set(), -1);
    assert.ok(!isMounted());
  });

  test("a new workspace's folders are there before, while and after its volume is mounted: the engine looks for them at any moment", async () => {
    const { volumes } = bench.broker;
    const id = randomUUID();
    const { workspaceDir, homeDir } = await volumes.place(id);
    let isOpen = false;
    const opened = volumes.open(id).finally(() => {
      isOpen = true;
    });
    while (!isOpen) {
      for (const folder of [workspaceDir, homeDir]) assert.equal(statSync(folder).isDirectory(), true);
      await nextTurn();
    }
    await opened;
    assert.ok(isMounted());
    for (const folder of [workspaceDir, homeDir]) assert.equal(statSync(folder).mode & 0o7777, 0o2775);
    await volumes.remove(id);
  });

  test("a broker that comes back takes its worlds in again, with time to be renewed, and its workers join", async () => {
    const ids = { ...valid(), mode: "workspace-write" as const };
    const before = await bench.open(ids);
    await bash(before, "echo kept > file; sleep 300 &");
    await bench.restartBroker();
    await before.closed;
    const [adopted] = await bench.client.listWorlds();
    assert.equal(adopted?.worldId, ids.worldId);
    assert.ok((adopted?.expiresAt ?? 0) > Date.now() + adoptionGraceMs - 10_000);
    const after = await bench.open({ ...ids, epoch: 2 });
    assert.equal(await say(after, "cat file; pgrep -c sleep"), "kept\n1");
    await bench.client.stopWorld(ids.worldId);
  });

  test("CP-23 a container removed or killed behind the broker's back is noticed, told and can be started again", async () => {
    const ids = { ...valid(), mode: "workspace-write" as const };
    const first = await bench.open(ids);
    await docker.getContainer(`gantry-${ids.worldId}`).remove({ force: true });
    assert.match((await first.closed).reason, /removed|ended/);
    const second = await bench.open({ ...ids, epoch: 2 });
    assert.equal(await say(second, "echo again"), "again");
    assert.equal(second.isOpen, true);
    const running = assert.rejects(bash(second, "sleep 60"), { code: "SANDBOX_LOST" });
    await docker.getContainer(`gantry-${ids.worldId}`).kill();
    await running;
    assert.equal(second.isOpen, false, "before anybody was asked for the reason");
    assert.match((await second.closed).reason, /137/);
    await bench.client.stopWorld(ids.worldId);
  });

  test("a world of another build of the daemon is replaced, not joined", async () => {
    const ids = { ...valid(), mode: "workspace-write" as const };
    const old = await bench.open(ids);
    await bash(old, "echo kept > file; sleep 300 &");
    bench.broker.worlds.get(ids.worldId).daemon = "an older build";
    const fresh = await bench.open({ ...ids, epoch: 2 });
    assert.equal(await say(fresh, "cat file; pgrep -c sleep || true"), "kept\n0");
    await bench.client.stopWorld(ids.worldId);
  });

  test("a container that died while nobody was attached is not joined: opening starts another", async () => {
    const ids = { ...valid(), mode: "workspace-write" as const };
    (await bench.open(ids)).detach();
    await docker.getContainer(`gantry-${ids.worldId}`).kill();
    assert.equal(await say(await bench.open({ ...ids, epoch: 2 }), "echo new"), "new");
    await bench.client.stopWorld(ids.worldId);
  });

  test("orphans of a broker that died, started or not, are taken in and reaped", async () => {
    const ids = { ...valid(), mode: "workspace-write" as const };
    (await bench.open(ids)).detach();
    await docker.getContainer(`gantry-${ids.worldId}`).kill();
    bench.broker.worlds.records.clear();
    await bench.broker.reaper.sweep();
    assert.deepEqual(await containers(), []);
  });

  test("SC-R4 a world with a writable root ends when it writes more there than it may", async () => {
    const world = await bench.open({ mode: "danger-full-access" });
    await bash(world, "fallocate -l 600M /opt/one");
    await bench.broker.reaper.sweep();
    assert.equal(await say(world, "echo alive"), "alive");
    await bash(world, "fallocate -l 600M /opt/two");
    await bench.broker.reaper.sweep();
    assert.match((await world.closed).reason, /root file system/);
  });

  test("a workspace in use cannot be deleted; deleted, its files and image are gone", async () => {
    const ids = { ...valid(), mode: "workspace-write" as const };
    const world = await bench.open(ids);
    await bash(world, "echo secret > file");
    await assert.rejects(bench.client.removeWorkspace(ids.workspaceId), (error) => isAppError(error, "WORKSPACE_BUSY"));
    await bench.client.stopWorld(ids.worldId);
    await bench.client.removeWorkspace(ids.workspaceId);
    assert.ok(!readdirSync(join(bench.dataDir, "volumes")).some((name) => name.includes(ids.workspaceId)));
    const fresh = await bench.open({ ...ids, worldId: randomUUID() });
    assert.equal(await say(fresh, "ls -A"), "");
    await bench.client.stopWorld(fresh.id);
  });

  test("SC-S8 a world that speaks nonsense ends the connection, not the worker", async () => {
    const world = await bench.open();
    const socket = connect(bench.socketPath);
    const path = `/worlds/${world.id}/attach?epoch=1`;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: gantry-stdio\r\n\r\n`);
    await until(() => socket.bytesRead > 0, "the second attachment is there");
    await world.closed;
    socket.destroy();
    const again = await bench.open({ ...bench.broker.worlds.get(world.id).request, epoch: 2 } as never);
    assert.equal(await say(again, "echo fine"), "fine");
    await bench.client.stopWorld(world.id);
  });

  function isMounted(): boolean {
    return readFileSync("/proc/self/mountinfo", "utf8").includes(bench.dataDir);
  }

  const post = (path: string, body: string) => send("POST", path, body);
  function send(method: string, path: string, body: string): Promise<{ status: number }> {
    return new Promise((resolve, reject) => {
      const sent = request({ socketPath: bench.socketPath, method, path, headers: { "content-length": Buffer.byteLength(body) } });
      sent.on("error", reject);
      sent.on("response", (response) => {
        response.resume().on("end", () => resolve({ status: response.statusCode ?? 0 }));
      });
      sent.end(body);
    });
  }
});
