import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureClient, migrate } from "./prisma.mjs";
import { ensureSandboxImage } from "./sandbox-image.mjs";
import { demoAccount, seed } from "./seed.mjs";
import { startServices, stopEverything } from "./services.mjs";
import { startStack } from "./stack.mjs";
import { createSupervisor } from "./supervisor.mjs";
import { freePort } from "./wait.mjs";
import { ensureWebBuild } from "./web-build.mjs";

/**
 * Services over a throw-away data folder, made when a level first needs them and gone after `close`.
 * Everything is remembered: asking twice makes nothing twice.
 * @param {{ durable?: boolean }} [options] `durable`: the database flushes its commits, as an installation's does
 */
export function createBench({ durable = false } = {}) {
  const dataDir = mkdtempSync(path.join(tmpdir(), "gantry-test-"));
  const supervisor = createSupervisor({ dataDir });
  const made = new Map();
  const bench = {
    dataDir,
    env: { ...process.env, NODE_ENV: "test", LOG_LEVEL: process.env.LOG_LEVEL ?? "error" },
    docker: null,
    withoutSandbox: null,
  };

  async function services() {
    const port = await freePort();
    const { env, docker } = await startServices({ dataDir, url: `http://localhost:${port}`, ephemeral: true, durable });
    const demo = demoAccount(dataDir);
    Object.assign(bench.env, env, { E2E_BASE_URL: env.NEXTAUTH_URL, E2E_DEMO_EMAIL: demo.email, E2E_DEMO_PASSWORD: demo.password });
    Object.assign(bench, { port, docker, demo, serviceEnv: env });
  }

  const makers = {
    client: ensureClient,
    services,
    database: async () => {
      await need("services");
      await migrate(bench.env);
    },
    image: async () => {
      await need("services");
      const image = await ensureSandboxImage(bench);
      bench.withoutSandbox = [bench.docker, image].find((part) => !part.available)?.remark ?? null;
    },
    build: () => ensureWebBuild(bench.env),
    stack: () => stack(),
    worker: () => stack({ web: false }),
  };

  async function stack(parts = {}) {
    await seed(bench.env, bench.demo);
    // the scripted model of the tests listens on 127.0.0.1
    const env = { ...bench.serviceEnv, GANTRY_ALLOW_PRIVATE_HOSTS: "1" };
    await startStack({ supervisor, env, port: bench.port, host: "127.0.0.1", ...parts });
  }

  function need(name) {
    if (!made.has(name)) made.set(name, makers[name]());
    return made.get(name);
  }

  async function close() {
    supervisor.release();
    await stopEverything(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }

  return { bench, need, close };
}
