import { createHash } from "node:crypto";
import { AppError, isAppError } from "@gantry/contracts";
import { containerBody, containerName, labels } from "./container-body.ts";
import { type Engine, engineMessage, statusCodeOf } from "./engine.ts";
import { defaultTtlMs } from "./limits.ts";
import { recordOf, viewOf, type WorldRecord } from "./registry.ts";
import type { WorldRequest, WorldView } from "./schema.ts";
import { KeyedQueue } from "./shell.ts";
import { steadyNow } from "./steady-now.ts";
import type { Uids } from "./uids.ts";
import type { Volumes } from "./volumes.ts";

/** `daemon` names the build of sandboxd, as worlds of another build are not joined. */
export type WorldSettings = { dataDir: string; image: string; sandboxdDir: string; seccomp: string; daemon: string };

/** The worlds of this installation: creates, finds, renews and removes them. Work on one world runs one piece at a time. */
export class Worlds {
  readonly records = new Map<string, WorldRecord>();
  readonly installation: string;
  private readonly engine: Engine;
  private readonly volumes: Volumes;
  private readonly uids: Uids;
  private readonly settings: WorldSettings;
  private readonly queue = new KeyedQueue();

  constructor(engine: Engine, volumes: Volumes, uids: Uids, settings: WorldSettings) {
    this.engine = engine;
    this.volumes = volumes;
    this.uids = uids;
    this.settings = settings;
    this.installation = createHash("sha256").update(settings.dataDir).digest("hex").slice(0, 16);
  }

  /** Starts a world, or answers the one that runs under this id. @throws SANDBOX_START, SANDBOX_FENCED, ENGINE_DOWN */
  open(request: WorldRequest): Promise<WorldView> {
    return this.queue.run(request.worldId, async () => {
      const known = this.records.has(request.worldId) ? await this.look(request.worldId) : null;
      if (known) this.fence(known, request.epoch);
      if (known === null || known.state === "gone") return viewOf(await this.start(request));
      requireSame(known.request, request);
      if (known.daemon !== this.settings.daemon) {
        await this.removeContainer(containerName(request.worldId)); // from before an upgrade: its daemon may speak differently
        return viewOf(await this.start(request));
      }
      known.request = request;
      known.expiresAt = Math.max(known.expiresAt, steadyNow() + defaultTtlMs);
      return viewOf(known);
    });
  }

  /** @throws NOT_FOUND; SANDBOX_FENCED for a lower epoch than the highest seen */
  attachable(worldId: string, epoch: number): WorldRecord & { containerId: string } {
    const record = this.get(worldId);
    this.fence(record, epoch);
    if (record.state !== "running" || !record.containerId) throw lost(record.problem ?? "it is not running");
    record.request = { ...record.request, epoch };
    return record as WorldRecord & { containerId: string };
  }

  renew(worldId: string, ttlMs = defaultTtlMs): WorldView {
    const record = this.get(worldId);
    if (record.state === "gone") throw lost(record.problem ?? "it has ended");
    record.expiresAt = Math.max(record.expiresAt, steadyNow() + ttlMs);
    return viewOf(record);
  }

  /** Ends a world; a world that is not there is ended already. `problem` says why, when nobody asked for it. */
  remove(worldId: string, problem: string | null = null): Promise<void> {
    return this.queue.run(worldId, async () => {
      const record = this.records.get(worldId);
      if (record) record.problem ??= problem; // before its worker notices the end and asks
      await this.removeContainer(record?.containerId ?? containerName(worldId));
      if (!record) return;
      record.state = "gone";
      record.endAttach?.();
    });
  }

  /** The record after a look at the engine: a container that ended makes it gone, with the reason (CP-19). @throws NOT_FOUND, ENGINE_DOWN */
  async look(worldId: string): Promise<WorldRecord> {
    const record = this.get(worldId);
    const { containerId } = record;
    if (record.state !== "running" || containerId === null) return record;
    const problem = await this.engine
      .call(15_000, (docker) => docker.getContainer(containerId).inspect())
      .then(
        ({ State }) => (State.Running ? null : endOf(State)),
        (error: unknown) => {
          if (statusCodeOf(error) === 404) return "its container was removed";
          throw error;
        },
      );
    if (problem === null || record.containerId !== containerId) return record;
    record.state = "gone";
    record.problem ??= problem;
    return record;
  }

  get(worldId: string): WorldRecord {
    const record = this.records.get(worldId);
    if (!record) throw new AppError("NOT_FOUND", "There is no such world. Open it first.");
    return record;
  }

  list(): WorldView[] {
    return [...this.records.values()].filter((record) => record.state !== "gone").map(viewOf);
  }

  live(): WorldRecord[] {
    return [...this.records.values()].filter((record) => record.state !== "gone");
  }

  /** Takes in containers of this installation that the registry does not know: from before a restart. */
  async adopt(): Promise<void> {
    const filters = { label: [`${labels.installation}=${this.installation}`] };
    const found = await this.engine.call(20_000, (docker) => docker.listContainers({ all: true, filters }));
    for (const info of found) {
      const record = recordOf(info, steadyNow());
      if (!record) continue;
      const { worldId } = record.request;
      if (!this.records.has(worldId)) this.records.set(worldId, record);
    }
  }

  private async start(request: WorldRequest): Promise<WorldRecord> {
    const expiresAt = steadyNow() + defaultTtlMs;
    const record: WorldRecord = {
      request,
      uid: 0,
      expiresAt,
      state: "starting",
      problem: null,
      containerId: null,
      endAttach: null,
      daemon: this.settings.daemon,
    };
    this.records.set(request.worldId, record);
    try {
      record.containerId = await this.createMounted(record);
      const { containerId } = record;
      await this.engine.call(60_000, (docker) => docker.getContainer(containerId).start());
      record.state = "running";
      return record;
    } catch (error) {
      record.state = "gone";
      await this.removeContainer(record.containerId ?? containerName(request.worldId)).catch(() => {}); // the first error tells more
      if (isAppError(error)) throw error;
      throw new AppError(
        "SANDBOX_START",
        `The sandbox did not start: ${engineMessage(error)}. Try again; an operator finds more on the status page.`,
        {
          cause: error,
        },
      );
    }
  }

  /** Creates the container while its volume is being mounted; both are done when this returns. */
  private async createMounted(record: WorldRecord): Promise<string> {
    const { request, expiresAt } = record;
    const inUse = new Set(this.live().map(({ uid }) => uid));
    const [volume, identity] = await Promise.all([
      this.volumes.place(request.workspaceId),
      this.uids.assign(request.sessionId ?? request.worldId, inUse),
    ]);
    record.uid = identity.uid;
    const { image, sandboxdDir, seccomp, daemon } = this.settings;
    const place = { image, sandboxdDir, seccomp, daemon, installation: this.installation, expiresAt, ...volume, ...identity };
    const [created, mounted] = await Promise.allSettled([this.createContainer(request, place), this.volumes.open(request.workspaceId)]);
    if (created.status === "fulfilled") record.containerId = created.value;
    if (mounted.status === "rejected") throw mounted.reason;
    if (created.status === "rejected") throw created.reason;
    return created.value;
  }

  private async createContainer(request: WorldRequest, place: Parameters<typeof containerBody>[1]): Promise<string> {
    const create = () => this.engine.call(60_000, (docker) => docker.createContainer(containerBody(request, place)));
    try {
      return (await create()).id;
    } catch (error) {
      if (statusCodeOf(error) !== 409) throw error;
      await this.removeContainer(containerName(request.worldId)); // the rest of an earlier attempt
      return (await create()).id;
    }
  }

  private async removeContainer(idOrName: string): Promise<void> {
    try {
      await this.engine.call(30_000, (docker) => docker.getContainer(idOrName).remove({ force: true }));
    } catch (error) {
      if (![404, 409].includes(statusCodeOf(error) ?? 0)) throw error; // gone, or being removed at this moment
    }
  }

  private fence(record: WorldRecord, epoch: number): void {
    if (epoch >= record.request.epoch) return;
    throw new AppError("SANDBOX_FENCED", "Another worker has taken over this session. Stop working on it here.");
  }
}

function requireSame(known: WorldRequest, asked: WorldRequest): void {
  const { epoch: _known, ...a } = known;
  const { epoch: _asked, ...b } = asked;
  if (JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))) return;
  throw new AppError("CONFLICT", "This world runs for another workspace, session or mode. Use a new world id.");
}

const sorted = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));

function endOf({ OOMKilled, ExitCode }: { OOMKilled: boolean; ExitCode: number }): string {
  return OOMKilled ? "it ran out of memory" : `its first process ended with status ${ExitCode}`;
}

function lost(why: string): AppError {
  return new AppError("SANDBOX_LOST", `The sandbox is gone: ${why}. Open a new one; the files of the workspace are kept.`);
}
