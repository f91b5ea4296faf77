import { createReadStream } from "node:fs";
import { access, cp, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { dataDir, repoRoot, run, say, succeeds } from "./shell.mjs";

const packages = ["ca-certificates", "git", "procps", "python3-minimal", "libpython3-stdlib", "unzip", "libatomic1"];
const fallbackMirror = "http://deb.debian.org/debian";

/** The image without any registry: Debian packages, Node and npm from this machine, imported as one layer. The tarball is kept for the month. */
export async function imageFromDebian({ tag, inputs, label }) {
  const cache = join(process.env.GANTRY_DATA_DIR ?? dataDir, "cache");
  const tarball = join(cache, `sandbox-${new Date().toISOString().slice(0, 7)}-${inputs}.tar.gz`);
  await mkdir(cache, { recursive: true });
  if (!(await exists(tarball))) await makeTarball(tarball, cache);
  else say(`using ${tarball}`);
  const changes = [`LABEL ${label}=${inputs}`, "WORKDIR /workspace", 'CMD ["/bin/bash"]', "ENV PATH=/usr/local/bin:/usr/bin:/bin"];
  const args = ["import", ...changes.flatMap((change) => ["--change", change]), "-", tag];
  await run("docker", args, { input: createReadStream(tarball) });
}

async function makeTarball(tarball, cache) {
  await needDebootstrap();
  const work = await mkdtemp(join(cache, "rootfs-"));
  const root = join(work, "root");
  try {
    const { mirror, suite } = await aptSource();
    say(`debootstrap ${suite} from ${mirror} (about 40 s)`);
    const args = ["--variant=minbase", `--include=${packages.join(",")}`, suite, root, mirror];
    await run("debootstrap", args, { onLine: progress() });
    await trim(root);
    await addNode(root);
    await run("sh", [join(repoRoot, "infra/sandbox/finish.sh"), root]);
    say("packing");
    await run("tar", ["-C", root, "--numeric-owner", "-czf", `${tarball}.tmp`, "."], { env: { GZIP: "-3" } });
    await rename(`${tarball}.tmp`, tarball);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function needDebootstrap() {
  if (await succeeds("debootstrap", ["--version"])) return;
  if (process.getuid() !== 0) throw new Error("debootstrap is missing and only root can install it: apt-get install debootstrap");
  say("installing debootstrap");
  await run("apt-get", ["update"], { timeoutMs: 180_000 });
  await run("apt-get", ["install", "-y", "--no-install-recommends", "debootstrap"], { env: { DEBIAN_FRONTEND: "noninteractive" } });
}

/** The first plain Debian source of this machine, so that a local mirror keeps being used. */
async function aptSource() {
  const files = ["/etc/apt/sources.list"];
  const more = await readdir("/etc/apt/sources.list.d").catch(() => []);
  for (const name of more) files.push(`/etc/apt/sources.list.d/${name}`);
  for (const file of files) {
    const text = await readFile(file, "utf8").catch(() => "");
    const deb822 = /^URIs:\s*(\S+\/debian\/?)\s*\nSuites:\s*(\w+)/m.exec(text);
    const line = /^deb\s+(?:\[[^\]]*\]\s+)?(\S+\/debian\/?)\s+(\w+)\s/m.exec(text);
    const found = deb822 ?? line;
    if (found) return { mirror: found[1], suite: found[2] };
  }
  return { mirror: fallbackMirror, suite: "bookworm" };
}

async function trim(root) {
  for (const path of ["var/cache/apt", "var/lib/apt/lists", "usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/info"]) {
    await rm(join(root, path), { recursive: true, force: true });
    await mkdir(join(root, path), { recursive: true });
  }
}

async function addNode(root) {
  const require = createRequire(join(repoRoot, "package.json"));
  const node = join(dirname(require.resolve(`node-linux-${process.arch}/package.json`)), "bin/node");
  await cp(node, join(root, "usr/local/bin/node"));
  const npm = await npmFolder();
  await cp(npm, join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
  for (const name of ["npm", "npx"])
    await run("ln", ["-sf", `../lib/node_modules/npm/bin/${name}-cli.js`, join(root, "usr/local/bin", name)]);
}

async function npmFolder() {
  const candidates = [
    process.env.npm_execpath && resolve(dirname(process.env.npm_execpath), ".."),
    resolve(dirname(process.execPath), "../lib/node_modules/npm"),
  ];
  for (const folder of candidates) if (folder && (await exists(join(folder, "bin/npm-cli.js")))) return await realpath(folder);
  const globalRoot = await run("npm", ["root", "--global"]);
  return join(globalRoot, "npm");
}

function progress() {
  let last = 0;
  return (line) => {
    if (Date.now() - last < 4000 || !line.startsWith("I:")) return;
    last = Date.now();
    say(line.slice(3));
  };
}

const exists = (path) =>
  access(path).then(
    () => true,
    () => false,
  );
