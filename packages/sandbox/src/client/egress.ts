import { EgressGate, type EgressOptions } from "../egress/gate.ts";
import type { Channel } from "./channel.ts";

/** Tells sandboxd that we are still here: it cannot see a worker die, and closes what was open after some silence. */
const beatMs = 3_000;

/**
 * Opens the way out of a world over its own connection, and answers the environment for its processes. It closes with the connection.
 * @throws AppError BAD_REQUEST for a policy that cannot be used
 */
export async function openEgress(channel: Channel, options: EgressOptions): Promise<Record<string, string>> {
  const gate = new EgressGate(options, { send: (frame) => channel.sendEgress(frame) });
  channel.onEgress = (frame) => gate.receive(frame);
  const { port } = await channel.request("egress.open", {});
  const beat = setInterval(() => {
    channel.request("ping", {}).catch(() => {}); // the end of the channel says the same
  }, beatMs).unref();
  void channel.closed.then(() => {
    clearInterval(beat);
    gate.close();
  });
  const proxy = `http://127.0.0.1:${port}`;
  return { HTTPS_PROXY: proxy, https_proxy: proxy };
}
