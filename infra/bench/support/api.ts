import { Agent, get, request } from "node:http";
import type { OrgId, SessionId, StreamBatch } from "@gantry/contracts";
import { loadEnv, newId } from "@gantry/platform";

type Reader = { readonly slug: string; readonly cookie: string };
export type SessionRef = { readonly orgId: OrgId; readonly sessionId: SessionId };

/** One connection a browser: sends and streams do not wait for a handshake. */
const agent = new Agent({ keepAlive: true });

/** Calls `session.send` as the web page does. Resolves with the answer's arrival. @throws Error with the answer when it is refused */
export function send(reader: Reader, sessionId: SessionId, text: string): Promise<void> {
  return change(reader, "session.send", { org: reader.slug, sessionId, clientKey: newId(), text, target: "next-turn" });
}

/** Calls any mutation; the same promise and the same errors. */
export function change({ cookie }: Reader, procedure: string, input: object): Promise<void> {
  const body = JSON.stringify({ json: input });
  const { NEXTAUTH_URL: base } = loadEnv();
  const headers = { cookie, origin: base, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(`${base}/api/trpc/${procedure}`, { method: "POST", agent, headers }, (response) => {
      let answer = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        answer += part;
      });
      response.once("end", () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${procedure}: ${response.statusCode} ${answer}`)),
      );
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

export type Stream = { close(): void; readonly live: Promise<void> };

/**
 * Follows `session.stream` over server-sent events. `live` settles when the history has been sent.
 * Each batch is handed over as soon as its last byte is here.
 */
export function follow({ slug, cookie }: Reader, sessionId: SessionId, onBatch: (batch: StreamBatch) => void): Stream {
  const input = encodeURIComponent(JSON.stringify({ json: { org: slug, sessionId } }));
  const live = Promise.withResolvers<void>();
  const headers = { cookie, accept: "text/event-stream" };
  const sent = get(`${loadEnv().NEXTAUTH_URL}/api/trpc/session.stream?input=${input}`, { headers, agent: false }, (response) => {
    if (response.statusCode !== 200) live.reject(new Error(`stream: ${response.statusCode}`));
    let text = "";
    response.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const batch = batchOf(text.slice(0, end));
        text = text.slice(end + 2);
        if (batch?.caughtUp) live.resolve();
        if (batch) onBatch(batch);
      }
    });
    response.on("error", () => {}); // closed by `close`
  });
  sent.on("error", live.reject);
  return { close: () => sent.destroy(), live: live.promise };
}

function batchOf(message: string): StreamBatch | null {
  const data = /^data: (.*)$/m.exec(message)?.[1];
  if (!data || /^event: (?!message)/m.test(message)) return null;
  const value = JSON.parse(data) as { json?: StreamBatch };
  return value.json && "events" in value.json ? value.json : null;
}
