// The clients of sse.ts, in a process of their own: they read event streams and note how old each time in them is.
import { get } from "node:http";
import { quantile } from "./figures.ts";

export type ClientReport = { readonly p50: number; readonly p99: number; readonly received: number };

const delays: number[] = [];

process.on("message", (order: { port: number; clients: number } | { report: true }) => {
  if ("report" in order) process.send?.({ p50: quantile(delays, 0.5), p99: quantile(delays, 0.99), received: delays.length });
  else
    connect(order.port, order.clients).then(
      () => process.send?.({ connected: true }),
      (error: Error) => {
        throw error;
      },
    );
});
process.once("disconnect", () => process.exit(0));

async function connect(port: number, clients: number): Promise<void> {
  for (let client = 0; client < clients; client++) await follow(port, client);
}

function follow(port: number, client: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = get({ port, path: `/${client}`, agent: false }, (response) => {
      response.setEncoding("utf8").on("data", (part: string) => {
        const now = performance.timeOrigin + performance.now();
        for (const [, time] of part.matchAll(/(\d{13}\.?\d*)\|/g)) delays.push(now - Number(time));
      });
      response.on("error", () => {}); // the server ends the streams
      resolve();
    });
    sent.once("error", reject);
  });
}
