import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type BrokerEnv, createLogger } from "@gantry/platform";
import { Engine } from "./engine.ts";
import { Reaper } from "./reaper.ts";
import { createBrokerServer, listen } from "./server.ts";
import { Uids } from "./uids.ts";
import { Volumes } from "./volumes.ts";
import { Worlds } from "./worlds.ts";

const seccompFile = new URL("../../../../infra/sandbox/seccomp.json", import.meta.url);

export type Broker = { worlds: Worlds; reaper: Reaper; volumes: Volumes; stop(): Promise<void> };

/** Starts a broker. `stop` closes its socket; the worlds go on and are taken in again by the next broker. */
export async function startBroker(env: BrokerEnv, engine = new Engine()): Promise<Broker> {
  const log = createLogger("broker");
  const dataDir = env.GANTRY_DATA_DIR;
  const seccomp = JSON.stringify(JSON.parse(await readFile(seccompFile, "utf8")));
  const volumes = new Volumes({ dataDir, quotaMb: env.WORKSPACE_QUOTA_MB, allowUnquoted: env.GANTRY_ALLOW_UNQUOTED });
  const sandboxdDir = env.GANTRY_SANDBOXD_DIR;
  const settings = { dataDir, image: env.GANTRY_SANDBOX_IMAGE, sandboxdDir, seccomp, daemon: await buildOf(sandboxdDir) };
  const worlds = new Worlds(engine, volumes, new Uids(dataDir), settings);
  await worlds.adopt().catch((err: unknown) => log.warn({ err }, "the engine does not answer yet"));
  const reaper = new Reaper({ engine, worlds, volumes, log });
  reaper.start();
  const server = createBrokerServer({ engine, worlds, volumes, image: settings.image, allowUnquoted: env.GANTRY_ALLOW_UNQUOTED, log });
  await listen(server, env.GANTRY_BROKER_SOCKET);
  log.info({ socket: env.GANTRY_BROKER_SOCKET, worlds: worlds.live().length }, "broker ready");
  return {
    worlds,
    reaper,
    volumes,
    async stop() {
      await reaper.stop();
      for (const record of worlds.live()) record.endAttach?.();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Names the build of sandboxd by its bytes; empty when there is none yet, which no world can start with. */
async function buildOf(sandboxdDir: string): Promise<string> {
  const bytes = await readFile(join(sandboxdDir, "sandboxd.cjs")).catch(() => Buffer.alloc(0));
  return bytes.length === 0 ? "" : createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}
