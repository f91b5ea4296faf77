import assert from "node:assert/strict";
import { type Duplex, duplexPair } from "node:stream";
import { test } from "node:test";
import { isAppError } from "@gantry/contracts";
import { Channel, type Patience } from "../src/client/channel.ts";
import { FsError } from "../src/errors.ts";
import { encodeFrame, maxLineBytes } from "../src/protocol/frames.ts";
import { lineSplitter } from "../src/protocol/lines.ts";

type Sent = { t: string; c: string; n: number; id: number; op: string; a: Record<string, unknown> };

/** A worker's channel and the container's end of it; `reply` is what the container does with each line. */
async function open(reply: (line: Sent, write: (frame: object) => void, socket: Duplex) => void, patience?: Patience): Promise<Channel> {
  const [worker, container] = duplexPair();
  const onLine = (text: string) => {
    const line = JSON.parse(text) as Sent;
    const write = (frame: object) => void container.write(`${JSON.stringify({ c: line.c, ...frame })}\n`);
    if (line.t === "hello") {
      container.write('e tail of a line meant for somebody else"}\n');
      write({ t: "hello", n: 0, previous: -1 });
    } else reply(line, write, container);
  };
  container.on(
    "data",
    lineSplitter(onLine, () => {}),
  );
  container.on("error", () => {});
  return await Channel.open(worker, 1, patience);
}

test("an answer is matched to its request, a coded failure becomes an FsError", async () => {
  const channel = await open(({ id, op, n }, write) => {
    if (op === "ping") write({ t: "res", n, id, ok: true, r: {} });
    else write({ t: "res", n, id, ok: false, e: { code: "FS_NOT_FOUND", message: "no" } });
  });
  assert.deepEqual(await channel.request("ping", {}), {});
  await assert.rejects(channel.request("fs.stat", { target: { targetKey: "/a", displayPath: "a" } }), FsError);
});

const hostile: Record<string, (line: Sent, write: (frame: object) => void, socket: Duplex) => void> = {
  "a line that is no JSON": (_line, _write, socket) => void socket.write("nonsense\n"),
  "a dial in a world without a policy": (_line, write) => write({ t: "dial", n: 1, id: 1, host: "git.example", port: 443 }),
  "bytes of a tunnel in a world without a policy": (_line, write) => write({ t: "bytes", n: 1, id: 1, d: "AAAA" }),
  "a frame of no known kind": (_line, write) => write({ t: "exec", n: 1 }),
  "a gap in the numbers": ({ id }, write) => write({ t: "res", n: 2, id, ok: true, r: {} }),
  "an answer of another shape": ({ id }, write) => write({ t: "res", n: 1, id, ok: true, r: { size: "large" } }),
  "a huge id": (_line, write) => write({ t: "res", n: 1, id: 1e300, ok: true, r: {} }),
  "a line without end": (_line, _write, socket) => {
    const chunk = Buffer.alloc(1024 * 1024, "x");
    for (let sent = 0; sent <= maxLineBytes; sent += chunk.length) socket.write(chunk);
  },
  "parts without end": ({ id }, write) => {
    const d = "x".repeat(8 * 1024 * 1024);
    for (let n = 1; n < 15; n += 1) write({ t: "part", n, id, d, last: false });
  },
  "parts that make no frame": ({ id }, write) => write({ t: "part", n: 1, id, d: "[[[", last: true }),
};
for (const [what, reply] of Object.entries(hostile)) {
  test(`SC-S8 ends the connection: ${what}`, async () => {
    const channel = await open(reply);
    const target = { targetKey: "/a", displayPath: "a" };
    await assert.rejects(channel.request("fs.stat", { target }), (error) => isAppError(error, "SANDBOX_LOST"));
    await channel.closed;
    await assert.rejects(channel.request("ping", {}), (error) => isAppError(error, "SANDBOX_LOST"));
  });
}

test("an unknown failure code of a container is not passed on as one of ours", async () => {
  const channel = await open(({ id, n }, write) => write({ t: "res", n, id, ok: false, e: { code: "LEASE_LOST", message: "ha" } }));
  await assert.rejects(channel.request("ping", {}), (error) => isAppError(error, "INTERNAL"));
});

test("a long answer travels in parts and arrives whole", async () => {
  const text = `ä\ud83d\ude00"\\\n${"long ".repeat(400_000)}`;
  const channel = await open(({ c, id }, _write, socket) => {
    let sent = 0;
    const frame = { t: "res", c, id, ok: true, r: { text, size: 5, version: "v" } };
    const lines = encodeFrame(frame, () => ++sent);
    assert.ok(lines.length > 3);
    for (const line of lines) socket.write(line);
  });
  const target = { targetKey: "/a", displayPath: "a" };
  assert.equal((await channel.request("fs.readText", { target, maxBytes: 1 })).text, text);
});

test("a signal that is aborted sends one cancel for its request", async () => {
  const seen: string[] = [];
  const abort = new AbortController();
  const channel = await open(({ t, id }, write) => {
    seen.push(t);
    if (t === "req") abort.abort();
    if (t === "cancel") write({ t: "res", n: 1, id, ok: false, e: { code: "FS_ABORTED", message: "stopped" } });
  });
  const target = { targetKey: "/a", displayPath: "a" };
  await assert.rejects(channel.request("fs.stat", { target }, { signal: abort.signal }), { code: "FS_ABORTED" });
  assert.deepEqual(seen, ["req", "cancel"]);
});

const target = { targetKey: "/a", displayPath: "a" };
const silent = (error: unknown) => isAppError(error, "SANDBOX_LOST") && /does not answer/.test((error as Error).message);

test("CP-03 a container that is frozen holds up neither a call nor its cancellation", { timeout: 60_000 }, async () => {
  const never = 3_600_000;
  const waiting = await open(() => {}, { askEveryMs: 5, askAfterCancelMs: never, replyMs: 20 });
  await assert.rejects(waiting.request("fs.stat", { target }), silent);
  const cancelled = await open(() => {}, { askEveryMs: never, askAfterCancelMs: 5, replyMs: 20 });
  await assert.rejects(cancelled.request("fs.stat", { target }, { signal: AbortSignal.abort() }), silent);
  assert.match((await cancelled.closed).reason, /does not answer/);
});

test("CP-26 a call that lasts is left alone while its daemon lives", { timeout: 60_000 }, async () => {
  let call = 0;
  let asked = 0;
  const patience = { askEveryMs: 5, askAfterCancelMs: 5, replyMs: 50 };
  const channel = await open(({ op, id }, write) => {
    if (op === "fs.stat") call = id;
    else write({ t: "res", n: ++asked, id, ok: true, r: {} });
    if (asked === 3) write({ t: "res", n: ++asked, id: call, ok: true, r: null });
  }, patience);
  assert.equal(await channel.request("fs.stat", { target }), null);
});
