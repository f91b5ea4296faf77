import { isAppError } from "@gantry/contracts";
import { z } from "zod";
import { StatusView, WorldView } from "../broker/schema.ts";
import { parseRules } from "../egress/policy.ts";
import type { EngineStatus, OpenWorldOptions, SandboxClient, World } from "../types.ts";
import { type BrokerHttp, createBrokerHttp } from "./broker-http.ts";
import { Channel } from "./channel.ts";
import { openEgress } from "./egress.ts";
import { createWorld } from "./world.ts";

/** As long as a broker that ended takes to be there again. */
const restartMs = 5_000;

/**
 * The worker's way to its worlds, over the broker's socket. It holds no connection to the container engine. A broker that does not listen is waited
 * for `patienceMs`.
 */
export function createSandboxClient({ socketPath, patienceMs = restartMs }: { socketPath: string; patienceMs?: number }): SandboxClient {
  const broker = createBrokerHttp(socketPath, patienceMs);
  return {
    status: () => status(broker),
    openWorld: (options) => openWorld(broker, options),
    async stopWorld(worldId) {
      await broker.call(z.object({}), "DELETE", `/worlds/${worldId}`);
    },
    async listWorlds() {
      const worlds = await broker.call(z.array(WorldView), "GET", "/worlds");
      return worlds.map(({ problem: _problem, ...world }) => world);
    },
    async removeWorkspace(workspaceId) {
      await broker.call(z.object({}), "DELETE", `/workspaces/${workspaceId}`);
    },
  };
}

async function openWorld(broker: BrokerHttp, options: OpenWorldOptions): Promise<World> {
  const { orgId, worldId, sessionId, workspaceId, epoch, mode, signal, onPhase } = options;
  signal?.throwIfAborted();
  if (options.egress) parseRules(options.egress); // before anything starts
  onPhase?.("creating");
  const body = { orgId, worldId, sessionId, workspaceId, epoch, mode };
  await broker.call(WorldView, "POST", "/worlds", { body, timeoutMs: 120_000, signal });
  onPhase?.("connecting");
  const socket = await broker.attach(worldId, epoch, signal);
  const channel = await Channel.open(socket, epoch);
  try {
    const env = options.egress ? await openEgress(channel, options.egress) : {};
    onPhase?.("ready");
    return createWorld(channel, broker, options, env);
  } catch (error) {
    channel.end("its network could not be opened");
    throw error;
  }
}

async function status(broker: BrokerHttp): Promise<EngineStatus> {
  try {
    return await broker.call(StatusView, "GET", "/status", { timeoutMs: 15_000, patienceMs: 0 });
  } catch (error) {
    const problem = isAppError(error) ? error.message : "The sandbox broker gave an answer that cannot be read.";
    const unknown = { engineVersion: null, isolation: "unknown" as const, seccomp: false, quotaEnforced: false, imagePresent: false };
    return { ok: false, ...unknown, worlds: 0, problems: [problem] };
  }
}
