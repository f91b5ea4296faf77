import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { after } from "node:test";

export type OwnRedis = { url: string; freeze(): void; thaw(): void; kill(): Promise<void>; start(): Promise<void> };

/** A Redis of its own that a test may freeze, kill and, on the same port, start empty. Called at the top of a test file. */
export async function ownRedis(): Promise<OwnRedis> {
  const port = await freePort();
  let server: ChildProcess | undefined;
  const start = async () => {
    server = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--maxmemory-policy", "noeviction"], {
      stdio: "ignore",
    });
    await untilOpen(port);
  };
  const kill = async () => {
    if (server?.exitCode !== null) return;
    server.kill("SIGCONT");
    server.kill("SIGKILL");
    await once(server, "exit");
  };
  await start();
  after(kill);
  return {
    url: `redis://127.0.0.1:${port}`,
    freeze: () => void server?.kill("SIGSTOP"),
    thaw: () => void server?.kill("SIGCONT"),
    kill,
    start,
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

async function untilOpen(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25)); // it is not listening yet
    } finally {
      socket.destroy();
    }
  }
  throw new Error("redis-server did not start");
}
