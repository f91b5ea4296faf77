import { z } from "zod";
import { chunkBytes, windowBytes } from "./tunnel-limits.ts";

const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const base64 = z.string().max(Math.ceil((chunkBytes * 4) / 3) + 4);

/** What travels in either direction. `id` names the tunnel; the sandbox side counts them up. */
export const TunnelFrame = z.discriminatedUnion("t", [
  /** Bytes, in base64. */
  z.object({ t: z.literal("bytes"), id, d: base64 }),
  /** So many bytes went to their socket: the sender may send as many again. */
  z.object({
    t: z.literal("ack"),
    id,
    b: z
      .int()
      .min(1)
      .max(2 * windowBytes),
  }),
  /** No more bytes in this direction. */
  z.object({ t: z.literal("fin"), id }),
  /** The tunnel is over, in both directions at once. */
  z.object({ t: z.literal("reset"), id }),
]);
export type TunnelFrame = z.infer<typeof TunnelFrame>;

/** The sandbox asks for a connection. Everything in it is the word of the container. */
export const DialFrame = z.object({ t: z.literal("dial"), id, host: z.string().max(300), port: z.int().min(0).max(65_535) });
export type DialFrame = z.infer<typeof DialFrame>;

/** The worker's answer: `status` is the one of the proxy's HTTP answer, `text` is for the program that asked. */
export type DialedFrame = { t: "dialed"; id: number; status: number; text: string };
