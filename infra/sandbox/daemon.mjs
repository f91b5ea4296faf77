import { chmod, copyFile, mkdir, rename, stat, utimes, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { dataDir, repoRoot, say } from "./shell.mjs";

const require = createRequire(join(repoRoot, "packages/sandbox/package.json"));

/** The folder that every world mounts read-only: sandboxd in one file, its own Node, ripgrep. Files are replaced by rename. */
export async function buildDaemon() {
  const dir = process.env.GANTRY_SANDBOXD_DIR ?? join(dataDir, "sandboxd");
  await mkdir(dir, { recursive: true });
  await chmod(dir, 0o755);
  await copyWhenNewer(nodeBinary(), join(dir, "node"));
  await copyWhenNewer(require("@vscode/ripgrep").rgPath, join(dir, "rg"));
  const { build } = require("esbuild");
  const { outputFiles } = await build({
    entryPoints: [join(repoRoot, "packages/sandbox/src/sandboxd/main.ts")],
    bundle: true,
    write: false,
    minify: true,
    keepNames: true,
    platform: "node",
    target: "node24",
    format: "cjs",
    logLevel: "warning",
  });
  await replace(join(dir, "sandboxd.cjs"), (path) => writeFile(path, outputFiles[0].contents, { mode: 0o644 }));
  say(`daemon in ${dir} (${Math.round(outputFiles[0].contents.length / 1024)} kB)`);
}

function nodeBinary() {
  try {
    return join(dirname(require.resolve(`node-linux-${process.arch}/package.json`)), "bin/node");
  } catch {
    return process.execPath; // no such package for this machine: the Node that runs us
  }
}

async function copyWhenNewer(from, to) {
  const [source, target] = [await stat(from), await stat(to).catch(() => null)];
  if (target && target.size === source.size && Math.abs(target.mtimeMs - source.mtimeMs) < 2) return;
  await replace(to, async (path) => {
    await copyFile(from, path);
    await chmod(path, 0o755);
    await utimes(path, source.atime, source.mtime);
  });
}

async function replace(path, write) {
  const temporary = `${path}.${process.pid}.tmp`;
  await write(temporary);
  await rename(temporary, path);
}
