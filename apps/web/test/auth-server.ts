import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import nextAuth from "next-auth/next";
import { authOptions } from "../src/server/auth/auth-options.ts";
import { readLogin } from "../src/server/auth/read-login.ts";

type Handler = (request: unknown, response: unknown, options: unknown) => Promise<void>;
// a CommonJS module: its default export hangs below the one that Node gives
const handleAuth = ((nextAuth as unknown as { default?: Handler }).default ?? nextAuth) as Handler;

/** The sign-in routes on a server of their own; `/whoami` answers with the login behind the cookie. The port is known before the settings are. */
export async function reservePort(): Promise<{ url: string; serve(): void }> {
  let isReady = false;
  const server = createServer((request, response) => {
    if (!isReady) return void response.writeHead(503).end();
    handle(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url,
    serve: () => {
      isReady = true;
    },
  };
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const cookie = request.headers.cookie ?? null;
  if (url.pathname === "/whoami") {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(await readLogin(cookie)));
    return;
  }
  if (!url.pathname.startsWith("/api/auth/")) return void response.writeHead(200).end("page");
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const nextauth = url.pathname.slice("/api/auth/".length).split("/");
  const cookies = Object.fromEntries((cookie?.split("; ") ?? []).map((part) => part.split("=").map(decodeURIComponent)));
  const asNext = {
    status(code: number) {
      response.statusCode = code;
      return asNext;
    },
    send: (body: unknown) => response.end(typeof body === "object" ? JSON.stringify(body) : body),
    json: (body: unknown) => response.setHeader("content-type", "application/json").end(JSON.stringify(body)),
    setHeader: (name: string, value: string | string[]) => {
      response.setHeader(name, value);
      return asNext;
    },
    getHeader: (name: string) => response.getHeader(name),
    end: () => response.end(),
  };
  const body = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
  const query = { ...Object.fromEntries(url.searchParams), nextauth };
  await handleAuth({ query, body, cookies, headers: request.headers, method: request.method }, asNext, authOptions());
}
