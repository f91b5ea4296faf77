import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { after, before, describe, test } from "node:test";
import { isAppError } from "@gantry/contracts";
import type { EgressDecision } from "../src/egress/gate.ts";
import type { World } from "../src/types.ts";
import { say, skip, until, useBench } from "./support/bench.ts";

/** Inside the world: tries to connect to each `host port`, prints the ones that were reached. */
const reach = `
const net = require("node:net");
const reached = (target) => new Promise((resolve) => {
  const [host, port] = target.split(" ");
  const socket = net.connect({ host, port: Number(port), timeout: 5000 });
  const done = (is) => () => { socket.destroy(); resolve(is); };
  socket.on("connect", done(true)).on("timeout", done(false)).on("error", done(false));
});
Promise.all(process.argv.slice(1).map(async (target) => ((await reached(target)) ? target : null))).then((all) => {
  console.log(all.filter(Boolean).join("\\n"));
  process.exit();
});
`;

/** Inside the world: a CONNECT through the proxy of its environment, then what `then` does with the socket. */
const through = (then: string) => `
const net = require("node:net");
const proxy = new URL(process.env.HTTPS_PROXY);
const socket = net.connect({ host: proxy.hostname, port: Number(proxy.port) });
socket.write("CONNECT " + process.argv[1] + " HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n");
let head = "";
socket.on("error", () => {});
socket.on("data", function onHead(chunk) {
  head += chunk.toString("latin1");
  const at = head.indexOf("\\r\\n\\r\\n");
  if (at < 0) return;
  socket.off("data", onHead);
  const status = Number(head.slice(9, 12)), rest = Buffer.from(head.slice(at + 4), "latin1");
  ${then}
});
`;
const showAnswer = through(
  `let body = rest.toString(); socket.on("data", (more) => (body += more)); socket.on("close", () => console.log(status + " " + body));`,
);
const countBytes = through(
  `let got = rest.length; socket.on("data", (more) => (got += more.length)); socket.on("end", () => console.log(got)); socket.on("close", () => console.log("closed"));`,
);

const run = (world: World, script: string, ...args: string[]) =>
  world.proc.run({ argv: ["node", "-e", script, ...args], timeoutMs: 90_000, capture: { maxBytes: 64_000 } });
const output = async (world: World, script: string, ...args: string[]) => (await run(world, script, ...args)).stdout.text.trim();

describe("the network of a world", { skip, concurrency: 1 }, () => {
  const bench = useBench();
  const sockets = new Set<Socket>();
  const big = 96 * 1024 * 1024;
  const block = randomBytes(1024 * 1024);
  /** A service of the host on every address: sends so many bytes as the first line asks for. */
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.once("data", (line) => void send(socket, Number(line.toString())));
  });
  let port = 0;
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "::", resolve));
    port = (server.address() as { port: number }).port;
  });
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const send = (socket: Socket, bytes: number) => pipeline(Readable.from(blocks(bytes)), socket).catch(() => {}); // a cut is the test's own
  function* blocks(bytes: number) {
    for (let sent = 0; sent < bytes; sent += block.length) yield block.subarray(0, bytes - sent);
  }
  const hostAddresses = () =>
    Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address, scopeid }) => (scopeid ? `${address}%eth0` : address)));
  const targets = () => [
    ...["169.254.169.254", "169.254.170.2", "100.100.100.200", "fd00:ec2::254", "::ffff:169.254.169.254"].map((host) => `${host} 80`),
    ...hostAddresses().flatMap((host) => [`${host} ${port}`, `${host} 22`, `${host} 2375`, `${host} 5432`, `${host} 6379`]),
    ...["172.17.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "fe80::1%lo", "ff02::1", "host.docker.internal", "0.0.0.0"].map(
      (host) => `${host} ${port}`,
    ),
    "1.1.1.1 443",
    "8.8.8.8 53",
  ];

  test("SC-N1 SC-N2 SC-N5 a world without a policy reaches nothing, and nothing listens in it", async () => {
    const world = await bench.open();
    // the probe itself works: it sees a listener of its own world
    const own = `require("node:net").createServer().listen(7000, "127.0.0.1");${reach}`;
    assert.equal(await output(world, own, "127.0.0.1 7000", "127.0.0.1 7001"), "127.0.0.1 7000");
    assert.equal(await output(world, reach, ...targets()), "");
    assert.equal(await say(world, "env | grep -ci proxy"), "0");
    assert.equal(
      await say(world, "grep -h ' 0A ' /proc/net/tcp /proc/net/tcp6; tail -qn +2 /proc/net/udp /proc/net/udp6 /proc/net/raw"),
      "",
    );
    assert.equal(await say(world, "ls /sys/class/net"), "lo");
  });

  test("SC-N3 a world does not reach a listener of another world", async () => {
    const [a, b] = await Promise.all([bench.open(), bench.open()]);
    const listener = `require("node:net").createServer().listen(7100, "::", () => console.log("up")); setTimeout(() => {}, 60000)`;
    const stop = new AbortController();
    const listening = a.proc.run({ argv: ["node", "-e", listener], capture: { maxBytes: 100 }, signal: stop.signal });
    await until(async () => (await output(a, reach, "127.0.0.1 7100")) !== "", "the listener of the first world");
    const addresses = (await say(a, "hostname -I; hostname")).split(/\s+/).filter(Boolean);
    assert.equal(await output(b, reach, ...["127.0.0.1", "::1", ...addresses].map((host) => `${host} 7100`)), "");
    stop.abort();
    await listening;
  });

  test("SC-N6 a world with a policy reaches the listed host through the proxy and nothing beside it", async () => {
    const decisions: EgressDecision[] = [];
    const egress = { hosts: [`localhost:${port}`], allowPrivate: true, onDecision: (decision: EgressDecision) => decisions.push(decision) };
    const world = await bench.open({ egress });
    assert.equal(await output(world, reach, ...targets()), "", "there is still no network");
    const hello = through(
      `socket.write("5"); let got = rest.length; socket.on("data", (more) => (got += more.length)).on("end", () => console.log(status, got));`,
    );
    assert.equal(await output(world, hello, `localhost:${port}`), "200 5");
    for (const authority of [
      "localhost:22",
      "localhost:443",
      `other.example:${port}`,
      "169.254.169.254:80",
      `127.0.0.1:${port}`,
      `[::1]:${port}`,
    ])
      assert.match(await output(world, showAnswer, authority), /^403 The .*policy|^403 A sandbox/, authority);
    assert.deepEqual(
      decisions.map(({ host, verdict }) => `${host} ${verdict}`),
      [
        "localhost allowed",
        "localhost refused",
        "localhost refused",
        "other.example refused",
        "169.254.169.254 refused",
        "127.0.0.1 refused",
        "::1 refused",
      ],
    );
  });

  test("SC-N2 a listed name that leads to the host is refused without allowPrivate", async () => {
    const world = await bench.open({ egress: { hosts: ["localhost"] } });
    assert.match(await output(world, showAnswer, "localhost:443"), /^403 The host is inside a private network/);
  });

  test("SC-S7 a policy that cannot be used starts no world", async () => {
    const worldId = randomUUID();
    await assert.rejects(bench.open({ worldId, egress: { hosts: ["10.0.0.1"] } }), (error) => isAppError(error, "BAD_REQUEST"));
    assert.ok((await bench.client.listWorlds()).every((world) => world.worldId !== worldId));
  });

  test("a big transfer passes in bounded memory of the worker and of sandboxd", async (t) => {
    const world = await bench.open({ egress: { hosts: [`localhost:${port}`], allowPrivate: true } });
    const highWater = () => say(world, "grep VmHWM /proc/$(pgrep -o node)/status | tr -dc 0-9").then(Number);
    const [rssBefore, daemonBefore] = [process.memoryUsage.rss(), await highWater()];
    let rss = 0;
    const watch = setInterval(() => (rss = Math.max(rss, process.memoryUsage.rss())), 20);
    const since = performance.now();
    const printed = await output(world, countBytes.replace("let got", `socket.write("${big}"); let got`), `localhost:${port}`);
    const seconds = (performance.now() - since) / 1000;
    clearInterval(watch);
    assert.equal(printed, `${big}\nclosed`);
    t.diagnostic(
      `${Math.round(big / 1024 / 1024 / seconds)} MiB/s, worker +${Math.round((rss - rssBefore) / 1024 / 1024)} MiB, sandboxd +${(await highWater()) - daemonBefore} kB`,
    );
    assert.ok(rss - rssBefore < 96 * 1024 * 1024, `the worker grew by ${rss - rssBefore} bytes`);
    assert.ok((await highWater()) - daemonBefore < 96 * 1024, "sandboxd stays small");
  });

  test("a worker that lets go ends the tunnels; the next one opens its own, or none", async () => {
    const ids = { orgId: randomUUID(), worldId: randomUUID(), sessionId: randomUUID(), workspaceId: randomUUID() };
    const egress = { hosts: [`localhost:${port}`], allowPrivate: true };
    const first = await bench.open({ ...ids, egress });
    const script = `${through(`console.log("open"); socket.resume(); socket.on("close", () => console.log("closed"));`)}`;
    const command = { argv: ["node", "-e", script, `localhost:${port}`], capture: { maxBytes: 1000 }, key: "held" };
    first.proc.run(command).catch(() => {}); // its answer is the next worker's
    await until(() => sockets.size === 1, "the connection outside");
    first.detach();
    await until(() => sockets.size === 0, "it ends with the worker");
    const second = await bench.open({ ...ids, epoch: 2 });
    assert.equal((await second.proc.run(command)).stdout.text, "open\nclosed\n");
    assert.equal(await say(second, "cat /proc/net/tcp | grep -c ' 0A '"), "0", "nothing listens without a policy");
  });

  test("a worker that dies without a word is noticed inside by its silence; one that lives keeps a quiet tunnel", async () => {
    const egress = { hosts: [`localhost:${port}`], allowPrivate: true };
    const script = through(`socket.resume(); socket.on("close", () => require("node:fs").writeFileSync("/workspace/closed", ""));`);
    const hold = async (workspaceId: string) => {
      const world = await bench.open({ workspaceId, egress });
      world.proc.run({ argv: ["node", "-e", script, `localhost:${port}`], capture: { maxBytes: 1000 } }).catch(() => {}); // lost with its worker
      return world;
    };
    // a look at the files only: a new connection would end the old one by itself
    const isClosed = (id: string) => existsSync(`${bench.dataDir}/volumes/mounted/${id}/workspace/closed`);
    const [dead, alive] = [randomUUID(), randomUUID()];
    await hold(alive);
    const first = await hold(dead);
    await until(() => sockets.size === 2, "both connections outside");
    first.detach();
    await until(() => isClosed(dead), "the program's connection is closed");
    assert.deepEqual([isClosed(alive), sockets.size], [false, 1]);
  });
});
