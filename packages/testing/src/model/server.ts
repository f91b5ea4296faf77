import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicMessages } from "./anthropic-messages.ts";
import { chatCompletions } from "./chat-completions.ts";
import { responses } from "./responses.ts";
import type { Script, ScriptRequest } from "./script.ts";
import { sendReply } from "./send-reply.ts";
import { type Body, isRecord, type Wire } from "./wire.ts";

export type ScriptedModel = {
  /** Base URL of all wires, ending in `/v1`. */
  readonly url: string;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly ScriptRequest[];
  /** Those for titles, which are not among the others. */
  readonly titleRequests: readonly ScriptRequest[];
  /** Resolves with the request of this number (0-based) as soon as it has arrived. Ends with the test; give it a limit there. */
  arrival(index: number): Promise<ScriptRequest>;
  /** Other answers from the next request on. */
  use(script: Script): void;
  close(): Promise<void>;
};

export type ScriptedModelOptions = {
  /** When set, every other key is refused with 401. */
  readonly key?: string;
  readonly host?: string;
  readonly port?: number;
  /** Names answered by `GET /v1/models`. */
  readonly models?: readonly string[];
  /** Answers requests for a session's title, which scripts would rather not count. Without it they are refused and sessions keep their first words. */
  readonly titles?: Script;
};

/**
 * A model provider for tests: speaks the chat-completions, the Anthropic messages and the responses stream on one port and answers from a
 * script, a function of the request. Listens on loopback only. Broken scripts answer 500 with their error.
 */
export async function startScriptedModel(script: Script, options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const requests: ScriptRequest[] = [];
  const titleRequests: ScriptRequest[] = [];
  const waiting = new Map<number, PromiseWithResolvers<ScriptRequest>>();
  let current = script;

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: String(error), type: "script_error" } }));
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    if (path.endsWith("/models")) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ object: "list", data: (options.models ?? ["scripted"]).map((id) => ({ id, object: "model" })) }));
      return;
    }
    const wire = wireOf(path);
    const key = keyOf(request);
    if (!wire) return json(response, 404, { error: { message: `no such path ${path}`, type: "not_found" } });
    const body = await readJson(request);
    if (isTitleRequest(wire.parse(body).system)) return title(wire, request, response, body);
    const arrived = record(wire, request, response, body, key);
    if (options.key !== undefined && key !== options.key)
      return json(response, 401, wire.errorBody("Incorrect API key", "authentication_error"));
    await sendReply(response, wire, arrived, await current(arrived));
  }

  function record(wire: Wire, request: IncomingMessage, response: ServerResponse, body: Body, key: string | null): ScriptRequest {
    const ended = new Promise<"server" | "client">((resolve) => {
      response.on("close", () => resolve(response.writableFinished ? "server" : "client"));
    });
    const headers = request.headers as ScriptRequest["headers"];
    const arrived: ScriptRequest = { index: requests.length, wire: wire.name, headers, key, body, ended, ...wire.parse(body) };
    requests.push(arrived);
    waiting.get(arrived.index)?.resolve(arrived);
    return arrived;
  }

  async function title(wire: Wire, request: IncomingMessage, response: ServerResponse, body: Body): Promise<void> {
    if (!options.titles) return json(response, 400, wire.errorBody("this script gives no titles", "invalid_request_error"));
    const ended = new Promise<"server">((resolve) => response.on("close", () => resolve("server")));
    const headers = request.headers as ScriptRequest["headers"];
    const asked = { index: titleRequests.length, wire: wire.name, headers, key: keyOf(request), body, ended, ...wire.parse(body) };
    titleRequests.push(asked);
    await sendReply(response, wire, asked, await options.titles(asked));
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, options.host ?? "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://${options.host ?? "127.0.0.1"}:${port}/v1`,
    requests,
    titleRequests,
    arrival(index) {
      const known = requests[index];
      if (known) return Promise.resolve(known);
      const wait = waiting.get(index) ?? Promise.withResolvers<ScriptRequest>();
      waiting.set(index, wait);
      return wait.promise;
    },
    use(next) {
      current = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** As the agent's title plugin begins its system prompt. */
const isTitleRequest = (system: string): boolean => system.startsWith("You name conversations.");

function wireOf(path: string): Wire | null {
  if (path.endsWith("/chat/completions")) return chatCompletions;
  if (path.endsWith("/responses")) return responses;
  return path.endsWith("/messages") ? anthropicMessages : null;
}

function keyOf(request: IncomingMessage): string | null {
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  const header = request.headers["x-api-key"];
  return bearer ?? (typeof header === "string" ? header : null);
}

async function readJson(request: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const value: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
  return isRecord(value) ? value : {};
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
