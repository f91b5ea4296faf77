// The bare way of a token for tokens.ts, started by it as two processes: `worker` reads the model's stream and publishes each token,
// `web` hands what Redis brings to the event streams of its clients. No log, no tenancy, no checks: the limit of rows 12 to 14.
import { createServer, get, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createRedis } from "@gantry/platform";

const [role, channel = ""] = process.argv.slice(2);
const redis = createRedis("pubsub");
const send = (message: object): void => void process.send?.(message);
process.once("disconnect", () => process.exit(0));

if (role === "worker") runWorker();
else await runWeb();

/** Told the address of a model's answer, it publishes `session TAB token` for each token of it. */
function runWorker(): void {
  process.on("message", ({ session, url }: { session: string; url: string }) => {
    get(url, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          const line = text.slice("data: ".length, end);
          text = text.slice(end + 2);
          const token: string | undefined = line.startsWith("{") ? JSON.parse(line).choices[0].delta.content : undefined;
          if (token) redis.publish(channel, `${session}\t${token}`).catch(() => {}); // counted as lost by the client
        }
      });
      response.once("end", () => send({ ended: session }));
    });
  });
  send({ ready: true });
}

async function runWeb(): Promise<void> {
  const clients = new Map<string, ServerResponse>();
  redis.on("message", (_channel, message) => {
    const tab = message.indexOf("\t");
    clients.get(message.slice(0, tab))?.write(`data: ${JSON.stringify(message.slice(tab + 1))}\n\n`);
  });
  await redis.subscribe(channel);
  const server = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    clients.set((request.url ?? "").slice(1), response);
  });
  server.listen(0, "127.0.0.1", () => send({ ready: true, port: (server.address() as AddressInfo).port }));
}
