import { WorldView } from "../broker/schema.ts";
import type { OpenWorldOptions, World } from "../types.ts";
import type { BrokerHttp } from "./broker-http.ts";
import type { Channel } from "./channel.ts";
import { createImportArchive } from "./import-archive.ts";
import { createWorldFs } from "./world-fs.ts";
import { createWorldProc } from "./world-proc.ts";

const renewIntervalMs = 60_000;
type ProcessEnv = Readonly<Record<string, string>>;

/** A world over an open channel. While it is attached it renews itself; after `detach` it lives until its expiry. `env` is for its processes. */
export function createWorld(channel: Channel, broker: BrokerHttp, { worldId, mode }: OpenWorldOptions, env: ProcessEnv): World {
  const renew = async (ttlMs?: number) => {
    await broker.call(WorldView, "POST", `/worlds/${worldId}/renew`, { body: ttlMs === undefined ? {} : { ttlMs } });
  };
  // a failed renewal is tried again long before the expiry; a lost world shows at the channel
  const timer = setInterval(() => void renew().catch(() => {}), renewIntervalMs).unref();
  const closed = channel.closed.then(async ({ reason }) => {
    clearInterval(timer);
    return { reason: (await endOf(broker, worldId)) ?? reason };
  });
  return {
    id: worldId,
    mode,
    isResumed: channel.previousEpoch >= 0,
    fs: createWorldFs(channel),
    proc: createWorldProc(channel, env),
    importArchive: createImportArchive(channel),
    renew,
    get isOpen() {
      return channel.isOpen;
    },
    closed,
    detach: () => channel.end("it was let go"),
  };
}

/** What the broker knows of the end; null while the world runs, or when the broker does not answer. */
async function endOf(broker: BrokerHttp, worldId: string): Promise<string | null> {
  const view = await broker.call(WorldView, "GET", `/worlds/${worldId}`, { timeoutMs: 3_000 }).catch(() => null);
  return view?.problem ?? null;
}
