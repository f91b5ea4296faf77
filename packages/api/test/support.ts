import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { after } from "node:test";
import type { OrgId, UserId } from "@gantry/contracts";
import { withSystem } from "@gantry/db";
import { findLogin, openLogin, type ServiceDeps } from "@gantry/services";
import { testDatabase } from "@gantry/testing/db";
import { type TestDeps, testServiceDeps } from "@gantry/testing/service-deps";
import type { RequestFacts } from "../src/context.ts";
import { handleAttachment, handleAttachmentUpload } from "../src/http/handle-attachments.ts";
import { handleExport } from "../src/http/handle-export.ts";
import { handleApiRequest } from "../src/http/handle-request.ts";
import { handleUpload } from "../src/http/handle-upload.ts";

/** Who asks: the ids that a cookie would name. */
export type Principal = { readonly userId: UserId; readonly loginId: string } | null;
export type Answer = { readonly status: number; readonly body: string; readonly headers: Headers };

export type TestApi = Awaited<ReturnType<typeof testDatabase>> & {
  readonly deps: TestDeps;
  readonly url: string;
  signIn(userId: UserId): Promise<NonNullable<Principal>>;
  call(who: Principal, path: string, type: string, input: unknown): Promise<Answer>;
  fetch(who: Principal, path: string, init?: RequestInit): Promise<Response>;
  auditCount(orgId: OrgId): Promise<number>;
};

/** The API on a port of its own, on a database of its own. Called at the top of a test file, so that it is closed at its end. */
export async function openApi(env: Readonly<Record<string, string>> = {}, overrides: Partial<ServiceDeps> = {}): Promise<TestApi> {
  const database = await testDatabase(env);
  const deps = testServiceDeps(database.env, overrides);
  const server = await listen(deps);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const send: TestApi["fetch"] = (who, path, init = {}) =>
    fetch(`${url}${path}`, { ...init, headers: { ...init.headers, ...identify(who) } });
  return {
    ...database,
    deps,
    url,
    fetch: send,
    signIn: async (userId) => ({ userId, loginId: await withSystem((tx) => openLogin(tx, userId)) }),
    async call(who, path, type, input) {
      const response = await (type === "mutation" ? post(send, who, path, input) : get(send, who, path, input));
      return { status: response.status, body: await readAnswer(response), headers: response.headers };
    },
    async auditCount(orgId) {
      const [row] = await database.asOwner<{ count: number }>(orgId, "SELECT count(*)::int AS count FROM audit_entries");
      return row?.count ?? 0;
    },
  };
}

function identify(who: Principal): Record<string, string> {
  return who ? { "x-test-user": who.userId, "x-test-login": who.loginId } : {};
}

function post(send: TestApi["fetch"], who: Principal, path: string, input: unknown): Promise<Response> {
  const body = JSON.stringify({ json: input });
  return send(who, `/api/trpc/${path}`, { method: "POST", body, headers: { "content-type": "application/json" } });
}

function get(send: TestApi["fetch"], who: Principal, path: string, input: unknown): Promise<Response> {
  return send(who, `/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`);
}

/** The whole body, or an event stream up to its first error or its word that history is complete. */
async function readAnswer(response: Response): Promise<string> {
  let text = "";
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    if (/event: serialized-error\ndata: .*\n\n|"caughtUp":true.*\n/.test(text)) break;
  }
  return text;
}

async function listen(deps: ServiceDeps): Promise<Server> {
  const server = createServer(async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    const request = toRequest(incoming, gone.signal);
    const [user, login] = [incoming.headers["x-test-user"], incoming.headers["x-test-login"]];
    const facts = {
      deps,
      address: incoming.socket.remoteAddress ?? "",
      login: async () => (user && login ? findLogin(String(user) as UserId, String(login)) : null),
    };
    const response = await answer(request, facts);
    outgoing.writeHead(response.status, Object.fromEntries([...response.headers].filter(([name]) => name !== "transfer-encoding")));
    outgoing.flushHeaders();
    if (response.body)
      await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => {}); // the client went away
    else outgoing.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function answer(request: Request, facts: RequestFacts): Promise<Response> {
  const { pathname } = new URL(request.url);
  const [, attachment] = /^\/api\/attachments\/(.+)$/.exec(pathname) ?? [];
  if (attachment) return handleAttachment(request, attachment, facts);
  if (pathname === "/api/attachments") return handleAttachmentUpload(request, facts);
  if (pathname === "/api/export") return handleExport(request, facts);
  return pathname === "/api/upload" ? handleUpload(request, facts) : handleApiRequest(request, facts);
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const method = incoming.method ?? "GET";
  const body = method === "POST" ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" as const } : {};
  return new Request(`http://localhost:3000${incoming.url}`, {
    method,
    headers: incoming.headers as Record<string, string>,
    signal,
    ...body,
  });
}
