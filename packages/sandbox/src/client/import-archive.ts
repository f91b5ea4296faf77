import type { World } from "../types.ts";
import type { Channel } from "./channel.ts";

const chunkBytes = 256 * 1024;
const maxInFlight = 4;
const defaultEntries = 100_000;

/** Streams an archive into the world in chunks, a few of them in flight, so neither side holds more than that. */
export function createImportArchive(channel: Channel): World["importArchive"] {
  return async (source, { format, limits, signal }) => {
    signal?.throwIfAborted();
    const { maxBytes, maxEntries = defaultEntries } = limits;
    const { importId } = await channel.request("archive.open", { format, maxBytes, maxEntries });
    const inFlight = new Set<Promise<unknown>>();
    let failed: unknown;
    try {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        for (let at = 0; at < chunk.length; at += chunkBytes) {
          signal?.throwIfAborted();
          if (failed) throw failed;
          const data = chunk.subarray(at, at + chunkBytes).toString("base64");
          const sent: Promise<unknown> = channel.request("archive.data", { importId, data }).catch((error: unknown) => {
            failed ??= error;
          });
          inFlight.add(sent);
          void sent.finally(() => inFlight.delete(sent));
          if (inFlight.size >= maxInFlight) await Promise.race(inFlight);
        }
      }
      await Promise.all(inFlight);
      if (failed) throw failed;
      signal?.throwIfAborted();
      return await channel.request("archive.end", { importId });
    } catch (error) {
      await channel.request("archive.abort", { importId }).catch(() => {}); // a lost world cleans nothing up; the first error tells
      throw error;
    } finally {
      source.destroy();
    }
  };
}
