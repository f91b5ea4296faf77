// Row 22 of the performance bars: event streams alone. One process hands 10 events a second to each of many clients, through a session's stream as the
// web process sends it (log and access from Postgres, Next's way from a body to the socket) and with a bare write, in one run. The frames are handed
// over in this process: the feed has a benchmark of its own.   npm run bench -- sse [clients]
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { eventStream } from "@gantry/api/http/event-stream";
import { trackedBatches } from "@gantry/api/tracked-batches";
import type { LiveFrame, OrgId, SessionId } from "@gantry/contracts";
import type { ServiceContext } from "@gantry/services";
import { streamSession } from "@gantry/services/session/stream/stream-session";
import { openTestDatabase } from "@gantry/testing/db";
import { factories } from "@gantry/testing/db-factories";
import { digits, printLine } from "./support/figures.ts";
import type { ClientReport } from "./support/sse-clients.ts";

const clients = Number(process.argv[2] ?? 1_000);
const eventsPerSecond = 10;
const seconds = 10;
const { pipeToNodeResponse } = createRequire(import.meta.url)("next/dist/server/pipe-readable.js") as {
  pipeToNodeResponse(body: ReadableStream, response: ServerResponse): Promise<void>;
};

const db = await openTestDatabase();
const { orgId, slug, workspaceId } = await db.createTenant();
const sessions: Awaited<ReturnType<typeof factories.createSession>>[] = [];
while (sessions.length < clients) sessions.push(await factories.createSession(orgId, { workspaceId }));
const ours = await measure(ownStreams());
const bare = await measure(bareStreams());
const row = (of: (one: typeof ours) => string) => [of(ours), of(bare)];
const load = `${clients} clients × ${eventsPerSecond} events/s`;
printLine([`event → client, ${load}`, ...row(({ p50, p99 }) => `${digits(p50)} / ${digits(p99)} ms`), digits(ours.p99 / bare.p99)]);
printLine([`CPU µs an event, ${load}`, ...row(({ cpu }) => digits(cpu)), digits(ours.cpu / bare.cpu)]);
printLine([`memory KB a connection, ${load}`, ...row(({ memory }) => digits(memory)), digits(ours.memory / bare.memory)]);
await db.close();

type Streams = { open(client: number, response: ServerResponse): void; send(client: number, text: string): void };

function ownStreams(): Streams {
  const watchers = new Map<string, (frame: LiveFrame) => void>();
  const feed = {
    subscribe: (_org: OrgId, session: SessionId, onFrame: (frame: LiveFrame) => void) => {
      watchers.set(session, onFrame);
      return () => watchers.delete(session);
    },
    isUp: () => true,
  };
  const ctx = { orgId, feed, recheck: async () => {} } as unknown as ServiceContext; // all that a stream asks of it
  const offsets = new Map<number, number>();
  const idOf = (client: number) => sessions[client]?.sessionId as SessionId;
  return {
    open(client, response) {
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      const input = { org: slug, sessionId: idOf(client) };
      const body = eventStream(
        {
          open: async (signal) => trackedBatches((stop) => streamSession(ctx, input, stop), signal),
          textOf: ([id, batch]) => `data: {"json":${JSON.stringify(batch)}}\nid: ${id}\n\n`,
          failure: String,
        },
        gone.signal,
      );
      pipeToNodeResponse(body, response).catch(() => {}); // the clients leave at the end
    },
    send(client, text) {
      const offset = offsets.get(client) ?? 0;
      offsets.set(client, offset + text.length);
      const run = { index: 0, block: "text", offset, text } as const;
      watchers.get(idOf(client))?.({ kind: "delta", epoch: 1, turn: 1, step: 1, messageId: "m", run });
    },
  };
}

function bareStreams(): Streams {
  const open = new Map<number, ServerResponse>();
  return {
    open: (client, response) => void open.set(client, response),
    send: (client, text) => void open.get(client)?.write(`data: ${JSON.stringify(text)}\n\n`),
  };
}

async function measure(streams: Streams) {
  const server = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    streams.open(Number(request.url?.slice(1)), response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const before = usedMemory();
  const reader = fork(new URL("./support/sse-clients.ts", import.meta.url), { execArgv: [] });
  reader.send({ port: (server.address() as AddressInfo).port, clients });
  await once(reader, "message"); // all are connected
  await pause(2_000); // their histories are sent
  const memory = (usedMemory() - before) / 1024 / clients;
  const cpu = process.cpuUsage();
  const start = performance.now();
  let sent = 0;
  for (let slice = 0; slice < seconds * 100; slice++) {
    // clients are not served in step: a tenth of them every 10 ms
    const waitMs = start + slice * 10 - performance.now();
    if (waitMs > 0) await pause(waitMs);
    for (let client = slice % 10; client < clients; client += 10) streams.send(client, `${performance.timeOrigin + performance.now()}|`);
    sent += Math.ceil((clients - (slice % 10)) / 10);
  }
  const report = await allReceived(reader, sent);
  const used = process.cpuUsage(cpu);
  reader.kill();
  const closed = once(server, "close");
  server.closeAllConnections();
  server.close();
  await closed;
  await pause(1_000); // the streams end, so that their memory is not taken for the next side's
  if (report.received !== sent) console.log(`${sent - report.received} of ${sent} events did not arrive`);
  return { ...report, cpu: (used.user + used.system) / sent, memory };
}

/** What the clients have, once that is everything or no more comes. */
async function allReceived(reader: ChildProcess, sent: number): Promise<ClientReport> {
  for (const end = performance.now() + 10_000; ; await pause(200)) {
    reader.send({ report: true });
    const [report] = (await once(reader, "message")) as [ClientReport];
    if (report.received >= sent || performance.now() > end) return report;
  }
}

/** What the connections hold of this process; what the system holds for their sockets is the same for both sides. */
function usedMemory(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
