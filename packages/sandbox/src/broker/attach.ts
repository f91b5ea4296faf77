import type { Duplex } from "node:stream";
import { attachProtocol } from "./attach-protocol.ts";
import { StdoutDemux } from "./demux.ts";
import type { Engine } from "./engine.ts";
import type { WorldRecord } from "./registry.ts";

const accepted = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${attachProtocol}\r\n\r\n`;

/** Joins a worker's socket to the stdio of a world. One attachment a world: a new one ends the one before, so two workers never mix their lines. */
export async function attach(engine: Engine, record: WorldRecord & { containerId: string }, socket: Duplex, head: Buffer): Promise<void> {
  const options = { stream: true, hijack: true, stdin: true, stdout: true, stderr: true, logs: false };
  const stdio = await engine.call(15_000, (docker) => docker.getContainer(record.containerId).attach(options));
  record.endAttach?.();
  const end = () => {
    socket.destroy();
    stdio.end();
    (stdio as unknown as Duplex).destroy();
    if (record.endAttach === end) record.endAttach = null;
  };
  record.endAttach = end;
  for (const stream of [socket, stdio]) {
    stream.on("error", end);
    stream.on("close", end);
    stream.on("end", end);
  }
  socket.write(accepted);
  if (head.length > 0) stdio.write(head);
  stdio.pipe(new StdoutDemux()).pipe(socket);
  socket.pipe(stdio, { end: false });
}
