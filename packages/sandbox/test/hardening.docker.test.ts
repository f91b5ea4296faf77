import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { describe, test } from "node:test";
import type { World } from "../src/types.ts";
import { bash, say, skip, useBench } from "./support/bench.ts";

describe("the walls of a world", { skip }, () => {
  const bench = useBench();
  let opened: Promise<World> | undefined;
  const shared = () => {
    opened ??= bench.open();
    return opened;
  };

  test("SC-S1 no socket, no device, no mount beside the known ones", async () => {
    const world = await shared();
    assert.equal(await say(world, "ls /var/run/docker.sock /run/docker.sock /dev/vda /dev/sda /dev/kvm /dev/fuse 2>/dev/null"), "");
    assert.notEqual((await bash(world, "mknod /tmp/disk b 254 0")).exitCode, 0);
    const targets = (await say(world, "awk '{print $5}' /proc/self/mountinfo")).split("\n");
    const ours = targets.filter((target) => !/^\/(proc|sys|dev)(\/|$)/.test(target)).sort();
    const expected = [
      "/",
      "/etc/group",
      "/etc/hostname",
      "/etc/hosts",
      "/etc/passwd",
      "/etc/resolv.conf",
      "/home/agent",
      "/opt/gantry",
      "/tmp",
    ];
    assert.deepEqual(ours, [...expected, "/usr/sbin/docker-init", "/workspace"]);
    assert.equal(await say(world, "ls -A /sys/class/net"), "lo");
  });

  test("SC-S2 twelve writes to the kernel's own files are refused", async () => {
    const world = await shared();
    const files = [
      "/proc/sys/kernel/core_pattern",
      "/proc/sys/kernel/modprobe",
      "/proc/sys/vm/overcommit_memory",
      "/proc/sysrq-trigger",
      "/proc/sys/fs/binfmt_misc/register",
      "/sys/kernel/uevent_helper",
      "/sys/fs/cgroup/memory/memory.limit_in_bytes",
      "/sys/fs/cgroup/pids/pids.max",
      "/sys/fs/cgroup/memory/release_agent",
      "/sys/fs/cgroup/cgroup.procs",
      "/proc/1/oom_score_adj",
      "/proc/sys/kernel/hostname",
    ];
    for (const file of files) assert.notEqual((await bash(world, `echo 1 > ${file}`)).exitCode, 0, file);
  });

  test("SC-S3 system calls of the probe are allowed or refused as the table says", async () => {
    const world = await shared();
    const probe = readFileSync(new URL("./support/syscall-probe.py", import.meta.url), "utf8");
    const { stdout, stderr } = await world.proc.run({ argv: ["python3", "-c", probe], timeoutMs: 20_000, capture: { maxBytes: 20_000 } });
    const wrong = stdout.text.split("\n").filter((line) => line.startsWith("WRONG"));
    assert.deepEqual([wrong, stderr.text], [[], ""]);
    assert.match(stdout.text, /^checked 5\d$/m);
  });

  test("SC-S4 no setuid file in the image, no new rights from one of our own", async () => {
    const world = await shared();
    assert.equal(await say(world, "find / -xdev -type f -perm /6000 2>/dev/null"), "");
    const own =
      "cp /usr/bin/id /workspace/id && chmod u+s /workspace/id; /workspace/id -u; grep -E 'Cap(Prm|Eff|Inh|Amb)' /proc/self/status | awk '{print $2}' | sort -u; grep NoNewPrivs /proc/self/status";
    assert.match(await say(world, own), /^1\d{4}\n0000000000000000\nNoNewPrivs:\t1$/);
  });

  test("SC-S5 a working directory below /proc, also behind a link, starts nothing", async () => {
    const world = await shared();
    await bash(world, "ln -sfn /proc/self/fd/7 seven; ln -sfn /proc/1/task tasks");
    const capture = { maxBytes: 1000 };
    for (const cwd of ["/proc/self/fd/3", "/proc/self/fd/8", "/proc/self/root", "/workspace/seven", "/workspace/tasks", "/proc", "/dev"]) {
      const result = await world.proc.run({ argv: ["ls", "-i"], cwd, capture }).catch((error: Error) => error);
      if (!(result instanceof Error)) assert.fail(`${cwd} gave ${result.stdout.text}`);
    }
    assert.equal(await say(world, "pwd"), "/workspace");
  });

  test("SC-S6 the daemon cannot be traced, read, stopped or starved of its memory first", async () => {
    const world = await shared();
    const attack =
      "D=$(pgrep -o -f sandboxd); kill -STOP $D; kill -9 $D; cat /proc/$D/environ /proc/$D/maps; ls /proc/$D/fd; echo -1000 > /proc/self/oom_score_adj";
    const { stderr, stdout } = await bash(world, attack);
    assert.equal(stdout.text, "");
    assert.equal(stderr.text.match(/not permitted|denied/g)?.length, 6, stderr.text);
    assert.ok(
      Number(await say(world, "cat /proc/self/oom_score_adj")) >
        Number(await say(world, "cat /proc/$(pgrep -o -f sandboxd)/oom_score_adj")),
    );
  });

  test("SC-S8 a poisoned PATH changes nothing for what is called by its own path, and answers stay parsed", async () => {
    const world = await shared();
    await bash(
      world,
      "mkdir -p bin && for p in rg git sh node ls; do printf '#!/bin/bash\\nprintf \"\\\\x00{evil\\\\n\"\\n' > bin/$p; chmod +x bin/$p; done",
    );
    const env = { PATH: "/workspace/bin:/usr/bin:/bin" };
    const fake = await world.proc.run({ argv: ["git", "status"], env, capture: { maxBytes: 1000 } });
    assert.equal(fake.stdout.text, "\u0000{evil\n");
    const real = await world.proc.run({ argv: ["/opt/gantry/rg", "--version"], env, capture: { maxBytes: 1000 } });
    assert.match(real.stdout.text, /^ripgrep /);
    assert.notEqual((await bash(world, "touch /opt/gantry/x; mv /opt/gantry/rg /opt/gantry/rg2")).exitCode, 0);
    assert.match(await say(world, "git --version"), /^git version/);
  });

  test("SC-S9 nothing inside names the host, the org, the session or the workspace", async () => {
    const world = await bench.open();
    const record = bench.broker.worlds.get(world.id);
    const seen = await say(
      world,
      "env; cat /etc/hosts /etc/hostname /etc/passwd /etc/group /proc/1/cmdline /proc/self/mountinfo; hostname; find / -xdev -newer /proc/1 2>/dev/null",
    );
    const { orgId, sessionId } = record.request;
    for (const name of [orgId, sessionId ?? "", hostname() === "sandbox" ? "" : ` ${hostname()}\n`].filter(Boolean))
      assert.ok(!seen.includes(name), name);
    assert.equal(await say(world, "hostname"), "sandbox");
  });

  test("SC-S1 the running container is the reference profile, field by field", async () => {
    const world = await bench.open();
    const { containerId } = bench.broker.worlds.get(world.id);
    const [seen] = JSON.parse(execFileSync("docker", ["inspect", containerId ?? ""], { encoding: "utf8" }));
    const host = seen.HostConfig;
    assert.deepEqual(
      {
        privileged: host.Privileged,
        network: host.NetworkMode,
        pid: host.PidMode,
        ipc: host.IpcMode,
        uts: host.UTSMode,
        userns: host.UsernsMode,
        readonly: host.ReadonlyRootfs,
        capAdd: host.CapAdd,
        capDrop: host.CapDrop,
        devices: host.Devices,
        binds: host.Binds,
        volumesFrom: host.VolumesFrom,
        groupAdd: host.GroupAdd,
        sysctls: host.Sysctls ?? null,
        cgroupParent: host.CgroupParent,
        publishAll: host.PublishAllPorts,
        restart: host.RestartPolicy.Name,
        log: host.LogConfig.Type,
        init: host.Init,
        memory: [host.Memory, host.MemorySwap],
        pids: host.PidsLimit,
        cpus: host.NanoCpus,
        security: host.SecurityOpt.map((option: string) => option.replace(/=.*/, "")),
        ulimits: host.Ulimits.map(({ Name, Hard }: { Name: string; Hard: number }) => `${Name}=${Hard}`),
        masked: host.MaskedPaths.length > 5 && host.ReadonlyPaths.length > 3,
      },
      {
        privileged: false,
        network: "none",
        pid: "",
        ipc: "private",
        uts: "",
        userns: "",
        readonly: true,
        capAdd: ["SETUID", "SETGID"],
        capDrop: ["ALL"],
        devices: null,
        binds: null,
        volumesFrom: null,
        groupAdd: null,
        sysctls: null,
        cgroupParent: "",
        publishAll: false,
        restart: "",
        log: "none",
        init: true,
        memory: [1024 ** 3, 1024 ** 3],
        pids: 256,
        cpus: 1_000_000_000,
        security: ["no-new-privileges", "seccomp"],
        ulimits: ["nofile=1024", "core=0", `fsize=${1024 ** 3}`],
        masked: true,
      },
    );
  });
});
