import { request } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { AppError, type ErrorCode, errorTable, isAppError } from "@gantry/contracts";
import type { z } from "zod";
import { attachProtocol } from "../broker/attach-protocol.ts";
import { ErrorView } from "../broker/schema.ts";

const maxAnswerBytes = 4 * 1024 * 1024;
/** between two looks for a broker that is being started, in milliseconds */
const lookMs = 100;

type CallOptions = {
  body?: object;
  timeoutMs?: number;
  /** how long a broker that nothing listens for is waited for, instead of the client's own */
  patienceMs?: number;
  signal?: AbortSignal | undefined;
};

export type BrokerHttp = {
  /** @throws AppError with the broker's code; ENGINE_DOWN when the broker itself does not answer */
  call<S extends z.ZodType>(schema: S, method: string, path: string, options?: CallOptions): Promise<z.infer<S>>;
  /** The raw stdio of a world. @throws AppError as `call` */
  attach(worldId: string, epoch: number, signal?: AbortSignal): Promise<Duplex>;
};

/** `patienceMs`: so long a call waits for a broker that is being started. A call that a broker took is not repeated. */
export function createBrokerHttp(socketPath: string, patienceMs: number): BrokerHttp {
  return {
    async call(schema, method, path, options = {}) {
      const until = performance.now() + (options.patienceMs ?? patienceMs);
      for (;;) {
        try {
          return schema.parse(JSON.parse(await ask(socketPath, method, path, options)));
        } catch (error) {
          if (!isAbsent(error) || performance.now() >= until) throw error;
        }
        await pause(lookMs, undefined, { signal: options.signal });
      }
    },
    attach: (worldId, epoch, signal) =>
      new Promise((resolve, reject) => {
        const path = `/worlds/${worldId}/attach?epoch=${epoch}`;
        const headers = { connection: "Upgrade", upgrade: attachProtocol };
        const sent = request({ socketPath, path, headers, timeout: 20_000, signal });
        sent.once("timeout", () => sent.destroy(new Error("timed out")));
        sent.once("error", (error) => reject(unreachable(error, signal)));
        sent.once("upgrade", (_response, socket, head) => {
          socket.setTimeout(0);
          if (head.length > 0) socket.unshift(head);
          resolve(socket);
        });
        sent.once("response", (response) => {
          collect(response).then((text) => reject(refusal(text)), reject);
        });
        sent.end();
      }),
  };
}

/** The text of a good answer. @throws AppError */
function ask(socketPath: string, method: string, path: string, { body: given, timeoutMs = 30_000, signal }: CallOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const body = given === undefined ? "" : JSON.stringify(given);
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request({ socketPath, method, path, headers, timeout: timeoutMs, signal });
    sent.once("timeout", () => sent.destroy(new Error("timed out")));
    sent.once("error", (error) => reject(unreachable(error, signal)));
    sent.once("response", (response) => {
      collect(response).then((text) => (response.statusCode === 200 ? resolve(text) : reject(refusal(text))), reject);
    });
    sent.end(body);
  });
}

/** Nothing listens: the call reached nobody. */
function isAbsent(error: unknown): boolean {
  const cause = isAppError(error, "ENGINE_DOWN") ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return cause?.code === "ENOENT" || cause?.code === "ECONNREFUSED";
}

async function collect(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new AppError("INTERNAL", "The sandbox broker sent an answer that is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function refusal(text: string): AppError {
  const parsed = ErrorView.safeParse(safeJson(text));
  if (!parsed.success) return new AppError("INTERNAL", "The sandbox broker sent an answer that cannot be read. See its log.");
  const { code, message } = parsed.data.error;
  return new AppError(Object.hasOwn(errorTable, code) ? (code as ErrorCode) : "INTERNAL", message);
}

function unreachable(cause: Error, signal: AbortSignal | undefined): Error {
  if (signal?.aborted) return cause;
  return new AppError("ENGINE_DOWN", "The sandbox broker does not answer. Start it on this host; sessions go on once it runs.", { cause });
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // told to the caller as an answer that cannot be read
  }
}
