import { Agent as HttpAgent, type IncomingMessage, request as overHttp } from "node:http";
import { Agent as HttpsAgent, request as overHttps } from "node:https";
import type { Readable } from "node:stream";
import { LlmFailureError } from "../failure.ts";
import { idleFailure, refusedAnswer } from "../wire/refused-answer.ts";
import { unpacked } from "./unpacked.ts";

export type Post = {
  readonly url: URL;
  readonly key: string | null;
  /** the parts of it in order */
  readonly body: readonly Buffer[];
  /** besides what every request has */
  readonly headers?: Readonly<Record<string, string>>;
  /** the longest silence, in ms; every received byte, comments included, starts it anew (DSK-4) */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  readonly scrub: (text: string) => string;
};

/** A connection that nobody used for so long may be closed by the other side at any moment. */
const idleSocketMs = 4_000;
/** How long a server may keep an answer open that is complete. */
const lingerMs = 1_000;
/** Bytes that are read of an answer that is no stream. */
const maxRefusalBytes = 65_536;
const options = { keepAlive: true, timeout: idleSocketMs };
const agents = { "http:": new HttpAgent(options), "https:": new HttpsAgent(options) };

/**
 * Sends a request and gives the text of its answer as it comes. Redirects are not followed. The connection is kept for the next request when
 * the reader stops at `isComplete`, and dropped when it stops before.
 * @throws LlmFailureError for an answer that is no stream and for silence; the network's own errors
 */
export async function* postForText(post: Post, isComplete: () => boolean): AsyncGenerator<string, void, undefined> {
  const { url, key, body, idleMs, signal } = post;
  const headers = {
    "content-type": "application/json",
    "content-length": body.reduce((sum, { length }) => sum + length, 0),
    "user-agent": "gantry",
    ...post.headers,
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  };
  const isTls = url.protocol === "https:";
  const send = isTls ? overHttps : overHttp;
  const sent = send(url, { method: "POST", headers, agent: agents[isTls ? "https:" : "http:"] });
  let isSilent = false;
  const silence = setTimeout(() => {
    isSilent = true;
    sent.destroy();
  }, idleMs);
  // not the request's own option: that one would end a connection that serves again. Without the reason: once the answer has come whole, nobody
  // listens to the socket's errors, and one of them would end the process
  const drop = () => void sent.destroy();
  signal.addEventListener("abort", drop, { once: true });
  if (signal.aborted) drop();
  let content: Readable | undefined;
  try {
    const response = await answerOf(sent, body);
    content = unpacked(response);
    silence.refresh();
    await requireStream(response, content, post);
    for await (const part of content.setEncoding("utf8").iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
      silence.refresh();
      yield part;
      if (isComplete()) return;
    }
  } catch (error) {
    throw isSilent ? new LlmFailureError(idleFailure(idleMs)) : error;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", drop);
    if (content && isComplete()) letGo(content);
    else sent.destroy();
  }
}

function answerOf(sent: ReturnType<typeof overHttp>, body: Post["body"]): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once("response", resolve);
    sent.on("error", reject); // for good: a later one is told to the reader of the answer
    for (const part of body) sent.write(part);
    sent.end();
  });
}

/** The server may still hang up in order; then the connection serves again. */
function letGo(content: Readable): void {
  const late = setTimeout(() => content.destroy(), lingerMs).unref();
  content.once("close", () => clearTimeout(late)).on("error", () => {}); // the answer is complete
  content.resume();
}

async function requireStream(response: IncomingMessage, content: Readable, { scrub }: Post): Promise<void> {
  const status = response.statusCode ?? 0;
  const headers = new Map(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
  const isOk = status >= 200 && status < 300;
  // some small servers name no type or a wrong one; a web page or a JSON document is never a stream
  if (isOk && !/text\/html|application\/(xhtml|json|problem)/i.test(headers.get("content-type") ?? "")) return;
  throw new LlmFailureError(refusedAnswer({ status, isOk, headers: new Headers([...headers]) }, await beginningOf(content), scrub));
}

async function beginningOf(content: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of content as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes >= maxRefusalBytes) break;
  }
  return Buffer.concat(parts).toString("utf8", 0, maxRefusalBytes);
}
