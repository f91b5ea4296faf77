import { connect, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Polls until `probe` answers something truthy and returns it.
 * @param {() => unknown} probe
 * @param {{ limitMs: number, what: string, everyMs?: number }} options `what` completes "… did not happen"
 * @throws Error when the limit passes
 */
export async function waitFor(probe, { limitMs, what, everyMs = 50 }) {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const answer = await probe();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`${what} did not happen within ${limitMs / 1000} s.`);
    await pause(everyMs);
  }
}

/** Whether something accepts connections on 127.0.0.1. */
export function isListening(port) {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, timeout: 1000 });
    const answer = (value) => {
      socket.destroy();
      resolve(value);
    };
    socket.once("connect", () => answer(true));
    socket.once("error", () => answer(false));
    socket.once("timeout", () => answer(false));
  });
}

/** Whether a server could take this port of 127.0.0.1 (or of every address, when `host` says so). */
export function isPortFree(port, host = "127.0.0.1") {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A port that is free now. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
