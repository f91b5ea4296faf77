import type { ContainerInfo } from "dockerode";
import { labels } from "./container-body.ts";
import { adoptionGraceMs, maxTtlMs } from "./limits.ts";
import { WorldRequest, type WorldView } from "./schema.ts";

/** What the broker knows of a world: all of it can be read back from the container's labels. */
export type WorldRecord = {
  request: WorldRequest;
  uid: number;
  expiresAt: number;
  state: "starting" | "running" | "gone";
  problem: string | null;
  /** The build of sandboxd it was started with. */
  daemon: string;
  containerId: string | null;
  /** Set while a worker is attached: ends that attachment. */
  endAttach: (() => void) | null;
};

export function viewOf({ request, state, expiresAt, problem }: WorldRecord): WorldView {
  const { worldId, orgId, sessionId, workspaceId, mode, epoch } = request;
  return { worldId, orgId, sessionId, workspaceId, mode, epoch, state, expiresAt, problem };
}

/** The record of a container found on the engine, with time for its worker to renew it; null when its labels are not ours. */
export function recordOf(info: ContainerInfo, now: number): WorldRecord | null {
  const label = info.Labels;
  const request = WorldRequest.safeParse({
    worldId: label[labels.world],
    orgId: label[labels.org],
    sessionId: label[labels.session] || null,
    workspaceId: label[labels.workspace],
    epoch: Number(label[labels.epoch]),
    mode: label[labels.mode],
  });
  if (!request.success) return null;
  // a label from a time when the clock was ahead must not keep it for ever
  const expiresAt = Math.max(Math.min(Number(label[labels.expires]) || 0, now + maxTtlMs), now + adoptionGraceMs);
  const base = {
    request: request.data,
    uid: Number(label[labels.uid]),
    expiresAt,
    problem: null,
    endAttach: null,
    daemon: label[labels.daemon] ?? "",
  };
  // one that does not run is seen at the first look, and goes
  return { ...base, state: "running", containerId: info.Id };
}
