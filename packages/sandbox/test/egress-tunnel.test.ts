import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { describe, test } from "node:test";
import { EgressGate, type EgressOptions } from "../src/egress/gate.ts";
import { chunkBytes, maxTunnels, windowBytes } from "../src/egress/tunnel-limits.ts";
import { until } from "./support/bench.ts";
import { joinedEgress, outside, readAll, throughProxy } from "./support/egress-pair.ts";

const toLoopback = { resolve: async () => ["127.0.0.1"] };
const allowing = (authority: string, more: Partial<EgressOptions> = {}): EgressOptions => ({
  hosts: [authority],
  allowPrivate: true,
  ...more,
});

describe("a tunnel", () => {
  test("carries bytes both ways, half-closes included, and tells one decision", async (t) => {
    const server = await outside(t, (socket) => void readAll(socket).then((all) => socket.end(all.toUpperCase())));
    const pair = await joinedEgress(t, allowing(server.authority), toLoopback);
    const { status, socket, rest } = await throughProxy(pair.proxy.port, server.authority, "early ");
    assert.equal(status, 200);
    socket.end("and late");
    assert.equal(await readAll(socket, rest), "EARLY AND LATE");
    await until(() => pair.decisions.length === 1, "the decision");
    const { ms, ...decision } = pair.decisions[0] ?? { ms: -1 };
    assert.ok(ms >= 0);
    assert.deepEqual(decision, { host: "out.example", port: server.port, verdict: "allowed", reason: "closed", bytes: 28 });
  });

  test("SC-N6 a refusal is a 403 that a person can read, and a decision", async (t) => {
    const pair = await joinedEgress(t, { hosts: ["git.example"] }, { resolve: async () => ["10.0.0.1"] });
    for (const [authority, text] of [
      ["other.example:443", /does not list this host/],
      ["git.example:22", /does not allow this port/],
      ["git.example:443", /inside a private network/],
      ["169.254.169.254:443", /not by an IP address/],
      ["[::1]:443", /not by an IP address/],
    ] as const) {
      const { status, socket, rest } = await throughProxy(pair.proxy.port, authority);
      assert.equal(status, 403, authority);
      assert.match(await readAll(socket, rest), text);
    }
    assert.deepEqual(
      pair.decisions.map(({ verdict, reason }) => `${verdict} ${reason}`),
      ["refused not-listed", "refused port", "refused private-address", "refused address", "refused address"],
    );
  });

  test("the proxy knows CONNECT only", async (t) => {
    const pair = await joinedEgress(t, { hosts: ["git.example"] });
    const answer = await fetch(`http://127.0.0.1:${pair.proxy.port}/`);
    assert.deepEqual([answer.status, pair.sent.length], [405, 0]);
  });

  test("SC-R7 a reader that does not read stops the sender: neither end holds more than the window", async (t) => {
    let accepted = 0;
    const server = await outside(t, (socket) => {
      const pump = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(chunkBytes), () => (accepted += chunkBytes)));
        socket.once("drain", pump);
      };
      pump();
    });
    const pair = await joinedEgress(t, allowing(server.authority), toLoopback);
    const { socket } = await throughProxy(pair.proxy.port, server.authority);
    socket.pause();
    await settled(() => accepted);
    const kernelBuffers = 16 * 1024 * 1024; // of four sockets on loopback
    assert.ok(accepted < kernelBuffers, `${accepted} bytes went into a tunnel that nobody reads`);
    const outstanding = pair.gate as unknown as { attempts: Map<number, { tunnel: { unacknowledged: number } }> };
    for (const { tunnel } of outstanding.attempts.values()) assert.ok(tunnel.unacknowledged <= windowBytes + 2 * chunkBytes);
    let got = 0;
    socket.on("data", (chunk: Buffer) => (got += chunk.length)).resume();
    await until(() => got > accepted / 2 + kernelBuffers, "the flow goes on when it is read");
  });

  test("a big transfer arrives whole in both directions at once", async (t) => {
    const size = 24 * 1024 * 1024;
    const server = await outside(t, (socket) => void socket.pipe(socket));
    const pair = await joinedEgress(t, allowing(server.authority), toLoopback);
    const { socket, rest } = await throughProxy(pair.proxy.port, server.authority);
    assert.equal(rest, "");
    const block = Buffer.from(Array.from({ length: 4096 }, (_, at) => at % 251));
    const whole = Buffer.concat(Array.from({ length: size / block.length }, () => block));
    socket.end(whole);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    assert.ok(Buffer.concat(chunks).equals(whole));
  });

  test("an abort on either side ends the other", async (t) => {
    const server = await outside(t, (socket) => void socket.resume());
    const pair = await joinedEgress(t, allowing(server.authority), toLoopback);
    const first = await throughProxy(pair.proxy.port, server.authority);
    await until(() => server.sockets.size === 1, "the connection outside");
    first.socket.resetAndDestroy();
    await until(() => server.sockets.size === 0, "the program's abort reaches the server");
    const second = await throughProxy(pair.proxy.port, server.authority);
    await until(() => server.sockets.size === 1, "the second connection");
    for (const socket of server.sockets) socket.resetAndDestroy();
    second.socket.resume();
    await closed(second.socket);
    assert.deepEqual(
      pair.decisions.map(({ reason }) => reason),
      ["reset", "reset"],
    );
  });

  test("bytes, idleness and time have their limits", async (t) => {
    const server = await outside(t, (socket) => void socket.pipe(socket));
    const cases = [
      { reason: "byte-limit", options: { maxBytes: 100_000 }, limits: {}, send: 200_000 },
      { reason: "idle", options: {}, limits: { idleMs: 30 }, send: 1 },
      { reason: "time-limit", options: {}, limits: { totalMs: 30 }, send: 1 },
    ] as const;
    for (const { reason, options, limits, send } of cases) {
      const pair = await joinedEgress(t, allowing(server.authority, options), { ...toLoopback, limits });
      const { socket } = await throughProxy(pair.proxy.port, server.authority);
      socket.write(Buffer.alloc(send));
      socket.resume();
      await closed(socket);
      assert.deepEqual(
        pair.decisions.map((decision) => decision.reason),
        [reason],
      );
    }
  });

  test("the byte limit is the world's, not the connection's", async (t) => {
    const server = await outside(t, (socket) => void socket.pipe(socket));
    const pair = await joinedEgress(t, allowing(server.authority, { maxBytes: 50_000 }), toLoopback);
    for (let round = 0; round < 3; round += 1) {
      const { socket } = await throughProxy(pair.proxy.port, server.authority);
      socket.end(Buffer.alloc(10_000));
      await readAll(socket).catch(() => ""); // the last one is cut
    }
    await until(() => pair.decisions.length === 3, "three decisions");
    assert.deepEqual(
      pair.decisions.map(({ reason }) => reason),
      ["closed", "closed", "byte-limit"],
    );
  });

  test("a world has so many connections at a time", async (t) => {
    const server = await outside(t, (socket) => void socket.resume());
    const pair = await joinedEgress(t, allowing(server.authority), toLoopback);
    for (let count = 0; count < maxTunnels; count += 1) await throughProxy(pair.proxy.port, server.authority);
    assert.equal((await throughProxy(pair.proxy.port, server.authority)).status, 503);
    assert.equal(server.sockets.size, maxTunnels);
  });

  test("the end of the worker's connection ends every tunnel, a dial under way included", async (t) => {
    const server = await outside(t, (socket) => void socket.resume());
    const hosts = [server.authority, "slow.example"];
    const resolve = (host: string) => (host === "slow.example" ? new Promise<string[]>(() => {}) : Promise.resolve(["127.0.0.1"]));
    const pair = await joinedEgress(t, { hosts, allowPrivate: true }, { resolve });
    await throughProxy(pair.proxy.port, server.authority);
    const waiting = throughProxy(pair.proxy.port, "slow.example:443");
    await until(() => pair.sent.filter(({ t: kind }) => kind === "dial").length === 2 && server.sockets.size === 1, "both under way");
    pair.gate.close();
    await until(() => server.sockets.size === 0, "the connection outside is closed");
    assert.equal((await waiting).status, 503);
    assert.deepEqual(pair.decisions.map(({ reason }) => reason).sort(), ["aborted", "world-closed"]);
  });

  test("a worker that falls silent is taken for dead: its tunnels end and new ones are told so", async (t) => {
    const server = await outside(t, (socket) => void socket.resume());
    const pair = await joinedEgress(t, allowing(server.authority), toLoopback);
    const { socket } = await throughProxy(pair.proxy.port, server.authority);
    pair.silentMs = 60_000;
    socket.resume();
    await closed(socket);
    const { status, socket: late, rest } = await throughProxy(pair.proxy.port, server.authority);
    assert.equal(status, 503);
    assert.match(await readAll(late, rest), /Nobody is at the other end/);
  });
});

describe("a container that breaks the rules of the tunnel", () => {
  const gateFor = (limits = {}) => {
    const sent: { t: string; status?: number }[] = [];
    const gate = new EgressGate(
      { hosts: ["a.example"] },
      { send: (frame) => sent.push(frame), resolve: () => new Promise(() => {}), limits },
    );
    return { gate, sent };
  };

  test("SC-S8 is cut off: a second dial of one id, bytes before the answer", () => {
    const { gate } = gateFor();
    assert.equal(gate.receive({ t: "dial", id: 1, host: "a.example", port: 443 }), true);
    assert.equal(gate.receive({ t: "dial", id: 1, host: "a.example", port: 443 }), false);
    assert.equal(gate.receive({ t: "bytes", id: 1, d: "AAAA" }), false);
    assert.equal(gate.receive({ t: "bytes", id: 9, d: "AAAA" }), true, "a tunnel that ended a moment ago");
    gate.close();
  });

  test("SC-S8 is cut off: more than the window, acknowledgements of nothing, bytes after the end", async (t) => {
    const server = await outside(t, (socket) => void socket.pause());
    const d = Buffer.alloc(chunkBytes).toString("base64");
    const tunnelTo = async () => {
      const sent: { t: string }[] = [];
      const gate = new EgressGate(allowing(server.authority), { send: (frame) => sent.push(frame), ...toLoopback });
      t.after(() => gate.close());
      gate.receive({ t: "dial", id: 1, host: "out.example", port: server.port });
      await until(() => sent.length === 1, "the answer");
      return gate;
    };
    const flooded = await tunnelTo();
    const answers = Array.from({ length: 20 }, () => flooded.receive({ t: "bytes", id: 1, d })); // in one turn: nothing can be acknowledged
    assert.equal(answers.indexOf(false), (windowBytes + 2 * chunkBytes) / chunkBytes);
    assert.equal((await tunnelTo()).receive({ t: "ack", id: 1, b: 1 }), false);
    const ended = await tunnelTo();
    assert.equal(ended.receive({ t: "fin", id: 1 }), true);
    assert.equal(ended.receive({ t: "bytes", id: 1, d }), false);
  });

  test("cannot have more connections than its own proxy would ask for", () => {
    const { gate, sent } = gateFor();
    for (let id = 1; id <= maxTunnels + 2; id += 1) gate.receive({ t: "dial", id, host: "a.example", port: 443 });
    assert.deepEqual(
      sent.map(({ status }) => status),
      [503, 503],
    );
    gate.close();
  });

  test("attempts are counted: a flood of them is refused without a lookup or a line of log", async () => {
    const { gate, sent } = gateFor({ attempts: 3 });
    for (let id = 1; id <= 5; id += 1) gate.receive({ t: "dial", id, host: "b.example", port: 443 });
    await until(() => sent.length === 5, "five answers");
    assert.deepEqual(sent.map(({ status }) => status).sort(), [403, 403, 403, 503, 503]);
  });
});

/** Its error is not told: a reset is one of the two ways to end. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

/** Waits until a count has not changed for a while. */
async function settled(count: () => number): Promise<void> {
  let last = -1;
  let since = Date.now();
  await until(() => {
    if (count() !== last) {
      last = count();
      since = Date.now();
    }
    return last > 0 && Date.now() - since > 500;
  }, "the flow has stopped");
}
