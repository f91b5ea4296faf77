// `npm start`: everything Gantry needs on this machine, then the app. Safe to repeat; Ctrl-C stops all of it.
//   PORT (3000) · HOST (127.0.0.1) · GANTRY_DATA_DIR (.gantry) · and every variable of .env.example, also from a file .env
import { existsSync } from "node:fs";
import { banner } from "./lib/banner.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { reportFailure } from "./lib/failure.mjs";
import { claimPort, lockInstance } from "./lib/instance-lock.mjs";
import { defaultDataDir, inRoot } from "./lib/paths.mjs";
import { ensureClient, migrate } from "./lib/prisma.mjs";
import { useProjectNode } from "./lib/project-node.mjs";
import { ensureSandboxImage } from "./lib/sandbox-image.mjs";
import { demoAccount, seed } from "./lib/seed.mjs";
import { keepServices, startServices, stopEverything, stopLeftProcesses } from "./lib/services.mjs";
import { publishEnv } from "./lib/services-env.mjs";
import { onStopSignal } from "./lib/shutdown.mjs";
import { startStack } from "./lib/stack.mjs";
import { createSupervisor } from "./lib/supervisor.mjs";
import { ensureWebBuild } from "./lib/web-build.mjs";

if (existsSync(inRoot(".env"))) process.loadEnvFile(inRoot(".env"));
const port = Number(process.env.PORT || 3000);
const host = process.env.HOST || "127.0.0.1";
const url = process.env.NEXTAUTH_URL || `http://localhost:${port}`;
const dataDir = defaultDataDir();

try {
  await ensureDependencies();
  await useProjectNode(import.meta.url);
  await start();
} catch (error) {
  reportFailure(error);
  process.exit(1);
}

async function start() {
  const unlock = lockInstance({ dataDir, url });
  const supervisor = createSupervisor({ dataDir });
  const atStop = [];
  const stop = async () => {
    supervisor.release();
    for (const undo of atStop) await undo();
    await stopEverything(dataDir);
    unlock();
  };
  onStopSignal(stop);
  try {
    await stopLeftProcesses(dataDir);
    await claimPort(port, host);
    const demo = demoAccount(dataDir);
    const { env, docker } = await startServices({ dataDir, url });
    const services = keepServices({ dataDir });
    atStop.push(() => services.stop(), publishEnv(env));
    const [image] = await Promise.all([ensureSandboxImage({ env, docker }), prepareApp(env, demo)]);
    await startStack({ supervisor, env, port, host });
    const missing = [docker, image].filter((part) => !part.available).map((part) => part.remark);
    process.stdout.write(`${await banner({ url, env, demo, missing })}\n`);
  } catch (error) {
    await stop();
    throw error;
  }
  setInterval(() => {}, 2 ** 30); // the daemons do not keep this process; it stays to look after them
}

async function prepareApp(env, demo) {
  await ensureClient();
  await migrate(env);
  await seed(env, demo);
  await ensureWebBuild(env);
}
