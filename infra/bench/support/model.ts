import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const mark = "bench:";
const limitMs = 30_000;

/** A message that the model of {@link startModel} recognises. */
export const saying = (said: string): string => `${mark}${said};`;

/** A request as it arrived: when its last byte was here, and the last thing that a person said. */
export type Arrival = { readonly at: number; readonly said: string; readonly bytes: number };
/** Writes an answer; each call of `token` is one piece of the stream. */
export type Answer = (said: string, stream: { token(text: string): void }) => Promise<void>;

const headers = { "content-type": "text/event-stream", "cache-control": "no-cache" };
const piece = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "r", object: "chat.completion.chunk", created: 1, model: "bench", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/**
 * A model server that costs little: it finds the last message by its text instead of parsing the request, so that the time of arrival
 * has no share of this side's work. Messages of a benchmark are made by {@link saying}.
 */
export async function startModel(answer: Answer) {
  const waiting = new Map<string, PromiseWithResolvers<Arrival>>();
  const wait = (said: string) => {
    const known = waiting.get(said) ?? Promise.withResolvers<Arrival>();
    waiting.set(said, known);
    return known;
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.once("end", () => {
      const at = performance.now();
      const body = Buffer.concat([Buffer.from(request.url ?? ""), ...parts]);
      const from = body.lastIndexOf(mark) + mark.length;
      const said = body.toString("utf8", from, body.indexOf(";", from));
      wait(said).resolve({ at, said, bytes: body.length });
      reply(response, said).catch((error: unknown) => response.destroy(error as Error));
    });
  });

  async function reply(response: ServerResponse, said: string): Promise<void> {
    response.writeHead(200, headers);
    response.write(piece({ role: "assistant", content: "" }));
    await answer(said, { token: (text) => void response.write(piece({ content: text })) });
    response.end(`${piece({}, "stop")}data: [DONE]\n\n`);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.keepAliveTimeout = 60_000;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** Resolves when a request arrives whose last message is `saying(said)`. @throws Error after 30 s */
    arrival: (said: string) => {
      const late = setTimeout(() => wait(said).reject(new Error(`no request for ${said} within ${limitMs} ms`)), limitMs);
      return wait(said).promise.finally(() => clearTimeout(late));
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
