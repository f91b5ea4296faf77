import type { Logger } from "@gantry/platform";
import { labels } from "./container-body.ts";
import type { Engine } from "./engine.ts";
import { idleVolumeMs, reapIntervalMs, worldLimits } from "./limits.ts";
import type { WorldRecord } from "./registry.ts";
import { steadyNow } from "./steady-now.ts";
import type { Volumes } from "./volumes.ts";
import type { Worlds } from "./worlds.ts";

const goneRecordsKept = 1000;

/**
 * Removes worlds that nobody renewed, whose container ended, or that outgrew their root file system, and unmounts idle volumes. It acts on what
 * the engine says only: while the engine does not answer nothing counts as dead (CP-27).
 */
export class Reaper {
  private readonly parts: { engine: Engine; worlds: Worlds; volumes: Volumes; log: Logger };
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();

  constructor(parts: { engine: Engine; worlds: Worlds; volumes: Volumes; log: Logger }) {
    this.parts = parts;
  }

  start(intervalMs = reapIntervalMs): void {
    const again = () => {
      this.round = this.sweep()
        .catch((err: unknown) => this.parts.log.warn({ err }, "sweep of worlds failed; the next one tries again"))
        .then(() => {
          if (this.timer) this.timer = setTimeout(again, intervalMs);
        });
    };
    this.timer = setTimeout(again, 0);
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.round;
  }

  async sweep(now = steadyNow()): Promise<void> {
    const { worlds, volumes, log } = this.parts;
    await worlds.adopt();
    for (const record of worlds.live()) {
      const why = record.state === "starting" ? null : await this.reasonToEnd(record, now);
      if (why === null) continue;
      log.info({ worldId: record.request.worldId, why }, "world ended");
      await worlds.remove(record.request.worldId, why);
    }
    await volumes.release(new Set(worlds.live().map(({ request }) => request.workspaceId)), idleVolumeMs);
    this.forgetOldest();
  }

  private async reasonToEnd(record: WorldRecord, now: number): Promise<string | null> {
    if (record.expiresAt < now) return "nobody used it any more";
    const { state, problem } = await this.parts.worlds.look(record.request.worldId);
    if (state === "gone") return problem ?? "it ended";
    if (record.request.mode === "danger-full-access" && (await this.rootBytes(record.request.worldId)) > worldLimits.rootBytes)
      return "it wrote more to its root file system than it may; keep files in /workspace";
    return null;
  }

  private async rootBytes(worldId: string): Promise<number> {
    const filters = { label: [`${labels.world}=${worldId}`] };
    const found = await this.parts.engine.call(30_000, (docker) => docker.listContainers({ size: true, filters }));
    return (found[0] as { SizeRw?: number } | undefined)?.SizeRw ?? 0;
  }

  private forgetOldest(): void {
    const { records } = this.parts.worlds;
    for (const [worldId, record] of records) {
      if (records.size <= goneRecordsKept) return;
      if (record.state === "gone") records.delete(worldId);
    }
  }
}
