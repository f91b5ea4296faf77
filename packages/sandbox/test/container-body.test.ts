import assert from "node:assert/strict";
import { test } from "node:test";
import { containerBody } from "../src/broker/container-body.ts";
import { WorldRequest } from "../src/broker/schema.ts";

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const request = (mode: WorldRequest["mode"]) =>
  WorldRequest.parse({ orgId: id(1), worldId: id(2), sessionId: id(3), workspaceId: id(4), epoch: 7, mode });
const place = {
  image: "image",
  uid: 10_003,
  installation: "here",
  expiresAt: 99,
  daemon: "build",
  sandboxdDir: "/data/sandboxd",
  workspaceDir: "/data/v/workspace",
  homeDir: "/data/v/home",
  passwdFile: "/data/passwd",
  groupFile: "/data/group",
  seccomp: "{}",
};

test("SC-S1 the body of a world, whole", () => {
  assert.deepEqual(containerBody(request("workspace-write"), place), {
    name: `gantry-${id(2)}`,
    Image: "image",
    Entrypoint: ["/opt/gantry/node", "--max-old-space-size=384", "/opt/gantry/sandboxd.cjs"],
    Cmd: [],
    User: "0:0",
    Hostname: "sandbox",
    WorkingDir: "/",
    Env: ["GANTRY_UID=10003", "GANTRY_GID=10000", "GANTRY_MODE=workspace-write"],
    Labels: {
      "gantry.installation": "here",
      "gantry.world": id(2),
      "gantry.org": id(1),
      "gantry.session": id(3),
      "gantry.workspace": id(4),
      "gantry.epoch": "7",
      "gantry.expires": "99",
      "gantry.mode": "workspace-write",
      "gantry.uid": "10003",
      "gantry.daemon": "build",
    },
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
      ReadonlyRootfs: true,
      Privileged: false,
      CapDrop: ["ALL"],
      CapAdd: ["SETUID", "SETGID"],
      SecurityOpt: ["no-new-privileges", "seccomp={}"],
      Memory: 1_073_741_824,
      MemorySwap: 1_073_741_824,
      NanoCpus: 1_000_000_000,
      CpuShares: 512,
      PidsLimit: 256,
      OomScoreAdj: 100,
      ShmSize: 67_108_864,
      Ulimits: [
        { Name: "nofile", Soft: 1024, Hard: 1024 },
        { Name: "core", Soft: 0, Hard: 0 },
        { Name: "fsize", Soft: 1_073_741_824, Hard: 1_073_741_824 },
      ],
      LogConfig: { Type: "none", Config: {} },
      Tmpfs: { "/tmp": "rw,exec,nosuid,nodev,mode=1777,size=268435456,nr_inodes=20000" },
      Mounts: [
        { Type: "bind", Source: "/data/v/workspace", Target: "/workspace", ReadOnly: false },
        { Type: "bind", Source: "/data/v/home", Target: "/home/agent", ReadOnly: false },
        { Type: "bind", Source: "/data/sandboxd", Target: "/opt/gantry", ReadOnly: true },
        { Type: "bind", Source: "/data/passwd", Target: "/etc/passwd", ReadOnly: true },
        { Type: "bind", Source: "/data/group", Target: "/etc/group", ReadOnly: true },
      ],
    },
  });
});

test("modes differ in mounts and the root file system only", () => {
  const bodies = (["workspace-write", "read-only", "danger-full-access"] as const).map(
    (mode) => containerBody(request(mode), place).HostConfig,
  );
  const [write, read, full] = bodies;
  assert.deepEqual(
    [write, read, full].map((host) => host?.ReadonlyRootfs),
    [true, true, false],
  );
  const workspace = (host: typeof write) => host?.Mounts?.find(({ Target }) => Target === "/workspace")?.ReadOnly;
  assert.deepEqual([write, read, full].map(workspace), [false, true, false]);
  assert.ok(read?.Tmpfs?.["/home/agent"] !== undefined && !read.Mounts?.some(({ Target }) => Target === "/home/agent"));
  const same = ({ ReadonlyRootfs: _r, Mounts: _m, Tmpfs: _t, ...rest }: NonNullable<typeof write>) => rest;
  for (const host of [read, full]) assert.deepEqual(same(host as NonNullable<typeof write>), same(write as NonNullable<typeof write>));
});
