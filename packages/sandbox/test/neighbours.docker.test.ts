import assert from "node:assert/strict";
import { createServer } from "node:net";
import { describe, test } from "node:test";
import type { SandboxMode, World } from "../src/types.ts";
import { bash, say, skip, until, useBench } from "./support/bench.ts";

/** Uses up what the kernel counts per uid, says how far it came, and keeps it until it is ended. */
const exhaust = `
import ctypes, fcntl, os, sys
libc = ctypes.CDLL(None, use_errno=True)
watches = 0
while libc.inotify_init() >= 0: watches += 1
pipes = []
try:
    while len(pipes) < 400:
        pipes.append(os.pipe()); fcntl.fcntl(pipes[-1][1], 1031, 1 << 20)
except OSError: pass
class Attr(ctypes.Structure): _fields_ = [(n, ctypes.c_long) for n in ("flags", "maxmsg", "msgsize", "cur", "a", "b", "c", "d")]
queues = 0
while queues < 400 and libc.mq_open(b"/q%d" % queues, os.O_CREAT | os.O_RDWR, 0o600, ctypes.byref(Attr(0, 10, 8192))) >= 0: queues += 1
print(watches, len(pipes), queues, flush=True)
if len(sys.argv) > 1:
    import signal; signal.pause()
`;
/** Prints which of these answer: paths as unix sockets, the rest as host and port. */
const reach = `
const net = require("node:net");
for (const target of process.argv.slice(1)) {
  const [host, port] = target.split(" ");
  const socket = target.startsWith("/") ? net.connect(target) : net.connect({ host, port: Number(port) });
  socket.setTimeout(1500, () => socket.destroy()).on("error", () => {}).on("connect", () => { console.log(target); socket.destroy(); });
}`;

describe("what a world does to its neighbours", { skip, concurrency: 1 }, () => {
  const bench = useBench();
  const used = async (world: World, ...args: string[]) =>
    (await world.proc.run({ argv: ["python3", "-c", exhaust, ...args], timeoutMs: 120_000, capture: { maxBytes: 1_000 } })).stdout.text
      .trim()
      .split(" ")
      .map(Number);

  test("SC-R9 a session that uses up inotify, pipes and message queues of its uid takes nothing from another one", async () => {
    const [a, b] = await Promise.all([bench.open(), bench.open()]);
    const alone = await used(b);
    assert.ok(alone.every((count) => count > 0) && (alone[0] ?? 0) < 1_000, `each has a limit: ${alone}`);
    const end = new AbortController();
    let said = "";
    const argv = ["python3", "-c", exhaust, "keep"];
    const onOutput = ({ text }: { text: string }) => {
      said += text;
    };
    const keeping = a.proc.run({ argv, capture: { maxBytes: 1_000 }, signal: end.signal, onOutput });
    await until(() => said.includes("\n"), "A to have taken all");
    const again = (await bash(a, `python3 -c 'import ctypes; print(ctypes.CDLL(None).inotify_init())'`)).stdout.text.trim();
    assert.equal(again, "-1", "A has nothing left");
    assert.deepEqual(await used(b), alone);
    end.abort();
    await keeping;
  });

  test("SC-R3 four busy loops get the one core that a world may have, and another world answers meanwhile", async () => {
    const [a, b] = await Promise.all([bench.open(), bench.open()]);
    // the time beside the count and by the shell itself: a world that is held back waits before it starts another program
    const cpu = `read -r at _ < /proc/uptime; f=/sys/fs/cgroup
      if read -r used 2>/dev/null < $f/cpuacct/cpuacct.usage; then used=$((used / 1000)); else read -r _ used < $f/cpu.stat; fi; echo $at $used`;
    const end = new AbortController();
    const loops = bash(a, "for i in 1 2 3 4; do (while :; do :; done) & done; wait", { timeoutMs: 240_000, signal: end.signal });
    await until(async () => Number(await say(a, "pgrep -c bash")) >= 5, "the loops");
    /** Seconds of the clock, and of a core. */
    const look = async () => {
      const [at = 0, used = 0] = (await say(a, cpu)).split(" ").map(Number);
      return { at, used: used / 1e6 };
    };
    const before = await look();
    const begun = performance.now();
    let answers = 0;
    for (let ms = 0; ms < 4_000 || (answers < 5 && ms < 60_000); ms = performance.now() - begun)
      if ((await say(b, "echo here")) === "here") answers += 1;
    const after = await look();
    end.abort();
    await loops;
    const cores = (after.used - before.used) / (after.at - before.at);
    assert.ok(cores > 0 && cores < 1.1, `${cores.toFixed(2)} cores`);
    assert.ok(answers > 4, `${answers} answers`);
  });

  for (const mode of ["workspace-write", "danger-full-access"] satisfies SandboxMode[])
    test(`CP-41 from a ${mode} sandbox there is no engine, no broker, no metadata address, no peer, no Postgres and no Redis`, async (t) => {
      const [a, b] = await Promise.all([bench.open({ mode }), bench.open({ mode })]);
      const stores = createServer().listen(0, "0.0.0.0");
      await new Promise((resolve) => stores.once("listening", resolve));
      t.after(() => stores.close());
      const { port } = stores.address() as { port: number };
      const listener = `require("node:net").createServer().listen(7200, "0.0.0.0", () => console.log("up"))`;
      const end = new AbortController();
      const peer = b.proc.run({ argv: ["node", "-e", listener], capture: { maxBytes: 100 }, signal: end.signal });
      await until(async () => (await say(b, "grep -c ' 0A ' /proc/net/tcp")) === "1", "the peer's listener");
      const services = [process.env.DATABASE_URL, process.env.REDIS_URL].flatMap((url) => (url ? [`127.0.0.1 ${new URL(url).port}`] : []));
      const hosts = ["127.0.0.1", "172.17.0.1", "host.docker.internal", "169.254.169.254"];
      const ports = [22, 80, 2375, 2376, 5432, 6379, 7200, port];
      const sockets = ["/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock", bench.socketPath];
      const targets = [...services, ...hosts.flatMap((host) => ports.map((each) => `${host} ${each}`)), ...sockets];
      const result = await a.proc.run({ argv: ["node", "-e", reach, ...targets], timeoutMs: 120_000, capture: { maxBytes: 4_000 } });
      assert.deepEqual([result.exitCode, result.stdout.text], [0, ""]);
      assert.equal(await say(a, "find / -type s -not -path '/proc/*' 2>/dev/null"), "");
      end.abort();
      await peer;
    });
});
