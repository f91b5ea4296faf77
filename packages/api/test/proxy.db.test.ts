import assert from "node:assert/strict";
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { streamBeatMs, streamPatienceMs } from "@gantry/contracts";
import { openApi } from "./support.ts";

const api = await openApi();
const bufferBytes = 8_192;

/**
 * A reverse proxy that treats answers as nginx does by default: it holds them back until a buffer is full, unless the answer says that it may not, and
 * cuts one that is silent for `idleMs`. `isDeaf`: it holds back whatever the answer says.
 */
async function startProxy({ idleMs, isDeaf = false }: { idleMs: number; isDeaf?: boolean }) {
  let cuts = 0;
  const server = createServer((incoming, outgoing) => {
    const upstream = ask(`${api.url}${incoming.url}`, { method: incoming.method, headers: incoming.headers }, (answer) => {
      const { "x-accel-buffering": accel, ...headers } = answer.headers; // which nginx keeps to itself
      outgoing.writeHead(answer.statusCode ?? 502, headers).flushHeaders();
      const isHeld = isDeaf || accel !== "no";
      let held = Buffer.alloc(0);
      answer.on("data", (chunk: Buffer) => {
        held = Buffer.concat([held, chunk]);
        if (isHeld && held.length < bufferBytes) return;
        outgoing.write(held);
        held = Buffer.alloc(0);
      });
      answer.on("end", () => outgoing.end(held)).on("error", () => outgoing.destroy());
    });
    upstream.setTimeout(idleMs, () => {
      cuts += 1;
      upstream.destroy();
    });
    upstream.on("error", () => outgoing.destroy());
    outgoing.on("close", () => upstream.destroy());
    incoming.pipe(upstream);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cuts: () => cuts };
}

/** Reads a stream through a proxy; `text` grows as it comes. */
async function openStream(proxy: string, { org, sessionId, who, lastEventId, once }: Opening) {
  const stop = new AbortController();
  after(() => stop.abort());
  const input = encodeURIComponent(JSON.stringify({ json: { org, sessionId, ...(once && { once }) } }));
  const headers = { "x-test-user": who.userId, "x-test-login": who.loginId, ...(lastEventId ? { "last-event-id": lastEventId } : {}) };
  const response = await fetch(`${proxy}/api/trpc/session.stream?input=${input}`, { headers, signal: stop.signal });
  const stream = { headers: response.headers, text: "", isOver: false, close: () => stop.abort() };
  void (async () => {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) stream.text += Buffer.from(chunk).toString();
  })().then(
    () => Object.assign(stream, { isOver: true }),
    () => Object.assign(stream, { isOver: true }),
  );
  return stream;
}
type Opening = { org: string; sessionId: string; who: { userId: string; loginId: string }; lastEventId?: string; once?: true };

/** Polls; the test's own limit ends it. */
async function until(state: () => boolean): Promise<void> {
  while (!state()) await new Promise((resolve) => setTimeout(resolve, 20));
}
const beats = (text: string) => text.split("event: ping").length - 1;

async function world() {
  const { orgId, slug: org, userId, sessionId } = await api.createTenant();
  const who = await api.signIn(userId);
  let seq = 0;
  const append = async () => {
    const columns = "(org_id, session_id, seq, time, type, data, lease_epoch)";
    const data = JSON.stringify({ turn: seq + 1 });
    await api.asOwner(orgId, `INSERT INTO session_events ${columns} VALUES ($1, $2, $3, 0, 'turn/start', $4, 0)`, [
      orgId,
      sessionId,
      seq,
      data,
    ]);
    seq += 1;
    await api.asOwner(orgId, "UPDATE sessions SET next_seq = $2 WHERE id = $1", [sessionId, seq]);
    await api.deps.publisher.publishNudge({ orgId, sessionId });
  };
  return { org, sessionId, who, append };
}

test("CP-18 behind a proxy that buffers and cuts silent answers a stream is live, survives its own silence, and goes on after a cut", {
  timeout: 180_000,
}, async () => {
  assert.ok(streamBeatMs * 2 <= streamPatienceMs && streamPatienceMs < 60_000, "beats and patience are below a proxy's usual minute");
  const { append, ...opening } = await world();
  const proxy = await startProxy({ idleMs: streamBeatMs * 2 });
  const stream = await openStream(proxy.url, opening);
  assert.match(stream.headers.get("cache-control") ?? "", /no-transform/);
  assert.match(stream.headers.get("content-type") ?? "", /text\/event-stream/);
  await until(() => stream.text.includes('"caughtUp":true'));
  await until(() => beats(stream.text) >= 3); // longer than the proxy bears silence
  assert.deepEqual([stream.isOver, proxy.cuts()], [false, 0]);
  await append();
  await until(() => stream.text.includes('"turn":1'));
  stream.close();
  await append();
  const again = await openStream(proxy.url, { ...opening, lastEventId: "0" });
  await until(() => again.text.includes('"caughtUp":true'));
  assert.deepEqual(
    [...again.text.matchAll(/"turn":(\d+)/g)].map(([, turn]) => turn),
    ["2"],
  );
  again.close();
});

test("CP-18 where a proxy holds every stream back, what is new comes with one that ends, from the same position", {
  timeout: 120_000,
}, async () => {
  const { append, ...opening } = await world();
  await append();
  const proxy = await startProxy({ idleMs: 60_000, isDeaf: true });
  const turns = async (lastEventId?: string) => {
    const stream = await openStream(proxy.url, { ...opening, once: true, ...(lastEventId ? { lastEventId } : {}) });
    await until(() => stream.isOver);
    assert.match(stream.text, /"caughtUp":true[\s\S]*event: return/);
    return [...stream.text.matchAll(/"turn":(\d+)/g)].map(([, turn]) => turn);
  };
  assert.deepEqual(await turns(), ["1"]);
  await append();
  await append();
  assert.deepEqual(await turns("0"), ["2", "3"]);
  assert.deepEqual(await turns("2"), []);
});

test("the proxy of this test holds back what it is not told to pass on", { timeout: 120_000 }, async () => {
  const { append, ...opening } = await world();
  await append();
  const proxy = await startProxy({ idleMs: 60_000, isDeaf: true });
  const [through, direct] = await Promise.all([openStream(proxy.url, opening), openStream(api.url, opening)]);
  await until(() => beats(direct.text) >= 2);
  assert.equal(through.text, "");
});
