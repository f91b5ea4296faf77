import type { ContainerCreateOptions, MountSettings } from "dockerode";
import { agentGid, worldLimits } from "./limits.ts";
import type { WorldRequest } from "./schema.ts";

export type Placement = {
  image: string;
  uid: number;
  /** Marks the containers of this installation among others on the same engine. */
  installation: string;
  expiresAt: number;
  /** The build of sandboxd. */
  daemon: string;
  sandboxdDir: string;
  workspaceDir: string;
  homeDir: string;
  passwdFile: string;
  groupFile: string;
  seccomp: string;
};

export const labels = {
  installation: "gantry.installation",
  world: "gantry.world",
  org: "gantry.org",
  session: "gantry.session",
  workspace: "gantry.workspace",
  epoch: "gantry.epoch",
  expires: "gantry.expires",
  mode: "gantry.mode",
  uid: "gantry.uid",
  daemon: "gantry.daemon",
} as const;

/**
 * The whole container of a world (architecture §7). Only ids, the mode and host paths of the broker's own go in, so nothing a worker
 * sends can widen it. sandboxd starts as root with the right to change its uid and no other; agents run under `uid` without any capability.
 */
export function containerBody(request: WorldRequest, place: Placement): ContainerCreateOptions {
  return {
    name: containerName(request.worldId),
    Image: place.image,
    Entrypoint: ["/opt/gantry/node", "--max-old-space-size=384", "/opt/gantry/sandboxd.cjs"],
    Cmd: [],
    User: "0:0",
    Hostname: "sandbox",
    WorkingDir: "/",
    Env: [`GANTRY_UID=${place.uid}`, `GANTRY_GID=${agentGid}`, `GANTRY_MODE=${request.mode}`],
    Labels: labelsOf(request, place),
    OpenStdin: true,
    StdinOnce: false,
    AttachStdin: false,
    AttachStdout: false,
    AttachStderr: false,
    Tty: false,
    StopTimeout: 2,
    HostConfig: {
      Init: true,
      NetworkMode: "none",
      IpcMode: "private",
      ReadonlyRootfs: request.mode !== "danger-full-access",
      Privileged: false,
      CapDrop: ["ALL"],
      CapAdd: ["SETUID", "SETGID"],
      SecurityOpt: ["no-new-privileges", `seccomp=${place.seccomp}`],
      Memory: worldLimits.memoryBytes,
      MemorySwap: worldLimits.memoryBytes,
      NanoCpus: worldLimits.nanoCpus,
      CpuShares: worldLimits.cpuShares,
      PidsLimit: worldLimits.processes,
      OomScoreAdj: 100,
      ShmSize: 64 * 1024 * 1024,
      Ulimits: [
        { Name: "nofile", Soft: worldLimits.openFiles, Hard: worldLimits.openFiles },
        { Name: "core", Soft: 0, Hard: 0 },
        { Name: "fsize", Soft: worldLimits.fileBytes, Hard: worldLimits.fileBytes },
      ],
      LogConfig: { Type: "none", Config: {} },
      Tmpfs: tmpfsOf(request),
      Mounts: mountsOf(request, place),
    },
  };
}

export const containerName = (worldId: string) => `gantry-${worldId}`;

/** Without `exec` compilers and test runners that use the temp directory break. */
function tmpfsOf({ mode }: WorldRequest): Record<string, string> {
  const common = "rw,exec,nosuid,nodev";
  const temp = { "/tmp": `${common},mode=1777,size=${worldLimits.tempBytes},nr_inodes=${worldLimits.tempInodes}` };
  if (mode !== "read-only") return temp;
  // nothing in the volume may change, but programs want a home
  return { ...temp, "/home/agent": `${common},mode=2775,gid=${agentGid},size=67108864,nr_inodes=5000` };
}

function mountsOf({ mode }: WorldRequest, place: Placement): MountSettings[] {
  const bind = (Source: string, Target: string, ReadOnly: boolean): MountSettings => ({ Type: "bind", Source, Target, ReadOnly });
  const home = mode === "read-only" ? [] : [bind(place.homeDir, "/home/agent", false)];
  return [
    bind(place.workspaceDir, "/workspace", mode === "read-only"),
    ...home,
    bind(place.sandboxdDir, "/opt/gantry", true),
    bind(place.passwdFile, "/etc/passwd", true),
    bind(place.groupFile, "/etc/group", true),
  ];
}

function labelsOf(request: WorldRequest, place: Placement): Record<string, string> {
  return {
    [labels.installation]: place.installation,
    [labels.world]: request.worldId,
    [labels.org]: request.orgId,
    [labels.session]: request.sessionId ?? "",
    [labels.workspace]: request.workspaceId,
    [labels.epoch]: String(request.epoch),
    [labels.expires]: String(place.expiresAt),
    [labels.mode]: request.mode,
    [labels.uid]: String(place.uid),
    [labels.daemon]: place.daemon,
  };
}
