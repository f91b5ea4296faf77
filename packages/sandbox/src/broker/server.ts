import { chmod, mkdir, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { dirname } from "node:path";
import type { Duplex } from "node:stream";
import { AppError, errorTable, isAppError } from "@gantry/contracts";
import type { Logger } from "@gantry/platform";
import { z } from "zod";
import { attach } from "./attach.ts";
import { attachProtocol } from "./attach-protocol.ts";
import type { Engine } from "./engine.ts";
import { viewOf } from "./registry.ts";
import { AttachQuery, RenewRequest, WorldIdPath, WorldRequest } from "./schema.ts";
import { status } from "./status.ts";
import type { Volumes } from "./volumes.ts";
import type { Worlds } from "./worlds.ts";

const maxBodyBytes = 64 * 1024;

export type BrokerParts = { engine: Engine; worlds: Worlds; volumes: Volumes; image: string; allowUnquoted: boolean; log: Logger };

/** The broker's HTTP service. It forwards nothing: every answer comes from one of these routes, every body passes a closed schema. */
export function createBrokerServer(parts: BrokerParts): Server {
  const server = createServer((request, response) => {
    void answer(parts, request).then(({ code, body }) => {
      const text = JSON.stringify(body);
      response.writeHead(code, { "content-type": "application/json", "content-length": Buffer.byteLength(text) }).end(text);
    });
  });
  server.on("upgrade", (request, socket, head) => void upgrade(parts, request, socket, head));
  return server;
}

/** Listens on a socket that only the broker's own user can open. Takes the place of a socket that a dead broker left. */
export async function listen(server: Server, socketPath: string): Promise<void> {
  await mkdir(dirname(socketPath), { recursive: true, mode: 0o755 });
  await rm(socketPath, { force: true });
  const umask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(socketPath, resolve));
  } finally {
    process.umask(umask);
  }
  await chmod(socketPath, 0o600);
}

async function answer(parts: BrokerParts, request: IncomingMessage): Promise<{ code: number; body: unknown }> {
  try {
    return { code: 200, body: await route(parts, request) };
  } catch (error) {
    return failure(parts, error);
  }
}

async function route(parts: BrokerParts, request: IncomingMessage): Promise<unknown> {
  const { worlds } = parts;
  const [kind, id, action, ...rest] = new URL(request.url ?? "/", "http://broker").pathname.split("/").slice(1);
  const name =
    rest.length > 0 ? "" : `${request.method} ${kind}${id === undefined ? "" : "/:id"}${action === undefined ? "" : `/${action}`}`;
  switch (name) {
    case "GET status":
      return await status(parts);
    case "GET worlds":
      return worlds.list();
    case "POST worlds":
      return await worlds.open(WorldRequest.parse(await readJson(request)));
    case "GET worlds/:id":
      return viewOf(await worlds.look(WorldIdPath.parse(id)));
    case "POST worlds/:id/renew":
      return worlds.renew(WorldIdPath.parse(id), RenewRequest.parse(await readJson(request)).ttlMs);
    case "DELETE worlds/:id":
      await worlds.remove(WorldIdPath.parse(id), "it was stopped");
      return {};
    case "DELETE workspaces/:id":
      return await removeWorkspace(parts, WorldIdPath.parse(id));
    default:
      throw new AppError("NOT_FOUND", "The broker has no such route.");
  }
}

async function removeWorkspace({ worlds, volumes }: BrokerParts, workspaceId: string): Promise<object> {
  if (worlds.live().some(({ request }) => request.workspaceId === workspaceId))
    throw new AppError("WORKSPACE_BUSY", "A sandbox still uses this workspace. Stop its sessions first.");
  await volumes.remove(workspaceId);
  return {};
}

async function upgrade(parts: BrokerParts, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  socket.on("error", () => socket.destroy());
  try {
    const url = new URL(request.url ?? "/", "http://broker");
    const match = /^\/worlds\/([^/]+)\/attach$/.exec(url.pathname);
    if (!match || request.headers.upgrade !== attachProtocol) throw new AppError("NOT_FOUND", "The broker has no such route.");
    const { epoch } = AttachQuery.parse(Object.fromEntries(url.searchParams));
    await attach(parts.engine, parts.worlds.attachable(WorldIdPath.parse(match[1]), epoch), socket, head);
  } catch (error) {
    const { code, body } = failure(parts, error);
    const text = JSON.stringify(body);
    socket.end(
      `HTTP/1.1 ${code} Refused\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new AppError("BAD_REQUEST", "The request is too large.");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new AppError("BAD_REQUEST", "The request is not JSON.");
  }
}

function failure({ log }: BrokerParts, error: unknown): { code: number; body: { error: { code: string; message: string } } } {
  if (isAppError(error)) return { code: errorTable[error.code].status, body: { error: { code: error.code, message: error.message } } };
  if (error instanceof z.ZodError) {
    const message = `The request was refused: ${error.issues.map(({ path, message: why }) => `${path.join(".")} ${why}`).join("; ")}`;
    return { code: 400, body: { error: { code: "BAD_REQUEST", message: message.slice(0, 500) } } };
  }
  log.error({ err: error }, "request failed");
  return { code: 500, body: { error: { code: "INTERNAL", message: "The broker failed; its log says why." } } };
}
