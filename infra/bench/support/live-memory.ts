import { setTimeout as pause } from "node:timers/promises";
import { memoryMb } from "./processes.ts";

/** Where Node listens once a process was asked for its inspector; `NODE_OPTIONS=--inspect-port` of the worker would change it. */
const inspector = "http://127.0.0.1:9229/json";
/** V8 hands pages back some time after it has emptied them. */
const settleMs = 4_000;

/** Frees the port for the next process. Later: the inspector does not answer while it closes. */
const close = "setTimeout(() => process.getBuiltinModule('node:inspector').close(), 100)";

/** What a Node process really needs, in MB of its own pages and its share of common ones (PSS): measured after its garbage was collected. */
export async function liveMemoryMb(pid: number): Promise<number> {
  process.kill(pid, "SIGUSR1");
  const socket = new WebSocket(await inspectorOf(pid));
  await once(socket, "open");
  for (const id of [1, 2]) {
    socket.send(JSON.stringify({ id, method: "HeapProfiler.collectGarbage" }));
    await once(socket, "message");
  }
  socket.send(JSON.stringify({ id: 3, method: "Runtime.evaluate", params: { expression: close } }));
  await once(socket, "message");
  socket.close();
  await pause(settleMs);
  return memoryMb(pid).pss;
}

async function inspectorOf(pid: number): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      const [target] = (await (await fetch(inspector)).json()) as { webSocketDebuggerUrl: string; title: string }[];
      if (target) return target.webSocketDebuggerUrl;
    } catch {
      await pause(50); // it does not listen yet
    }
  }
  throw new Error(`process ${pid} opened no inspector`);
}

function once(socket: WebSocket, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.addEventListener(event, () => resolve(), { once: true });
    socket.addEventListener("error", () => reject(new Error("the inspector's connection broke")), { once: true });
  });
}
