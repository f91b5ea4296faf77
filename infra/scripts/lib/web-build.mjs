import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Failure } from "./failure.mjs";
import { whenChanged } from "./hash.mjs";
import { inRoot, projectNode } from "./paths.mjs";
import { step } from "./progress.mjs";
import { run } from "./run.mjs";

const web = inRoot("apps", "web");
const standalone = path.join(web, ".next", "standalone");
const buildId = path.join(web, ".next", "BUILD_ID");
const inputs = ["apps/web", "packages", "prisma/schema", "package-lock.json", "tsconfig.base.json"];

/** Builds the web app when a source of it has changed. */
export async function ensureWebBuild(env) {
  await step("Web app", async () => {
    const made = await whenChanged({ name: "web", inputs, output: path.join(standalone, "apps", "web", "server.js") }, () => build(env));
    return made ? "built" : "current";
  });
}

/**
 * Copies the built server with its static files into the data folder, so that a later build does not pull them from under a running server.
 * @returns path of server.js
 */
export function installWebBuild(dataDir) {
  const target = path.join(dataDir, "web");
  const stamp = path.join(dataDir, "web.build-id");
  const id = readFileSync(buildId, "utf8");
  const server = path.join(target, "apps", "web", "server.js");
  if (existsSync(server) && existsSync(stamp) && readFileSync(stamp, "utf8") === id) return server;
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  cpSync(standalone, target, { recursive: true, verbatimSymlinks: true });
  cpSync(path.join(web, ".next", "static"), path.join(target, "apps", "web", ".next", "static"), { recursive: true });
  if (existsSync(path.join(web, "public")))
    cpSync(path.join(web, "public"), path.join(target, "apps", "web", "public"), { recursive: true });
  writeFileSync(stamp, id);
  return server;
}

async function build(env) {
  const next = inRoot("node_modules", "next", "dist", "bin", "next");
  const result = await run(projectNode, [next, "build"], {
    cwd: web,
    env: { ...process.env, ...env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    limitMs: 600_000,
  });
  if (result.code !== 0) throw new Failure(`next build failed:\n${result.output.slice(-4000)}`);
}
