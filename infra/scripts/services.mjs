// Postgres, Redis and Docker for development and tests.
//   node infra/scripts/services.mjs up   [--data DIR] [--write-env FILE] [--no-docker]
//   node infra/scripts/services.mjs down [--data DIR]
import path from "node:path";
import { parseArgs } from "node:util";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { Failure, reportFailure } from "./lib/failure.mjs";
import { defaultDataDir } from "./lib/paths.mjs";
import { useProjectNode } from "./lib/project-node.mjs";
import { startServices, stopEverything } from "./lib/services.mjs";
import { writeEnvFile } from "./lib/services-env.mjs";

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { data: { type: "string" }, "write-env": { type: "string" }, "no-docker": { type: "boolean", default: false } },
  });
  const dataDir = path.resolve(values.data ?? defaultDataDir());
  if (positionals[0] === "up") await up({ dataDir, envFile: values["write-env"], docker: !values["no-docker"] });
  else if (positionals[0] === "down") await stopEverything(dataDir, { kept: true });
  else throw new Failure("Say `up` or `down`.");
} catch (error) {
  reportFailure(error);
}

async function up({ dataDir, envFile = path.join(dataDir, "services.env"), docker }) {
  await ensureDependencies();
  await useProjectNode(import.meta.url);
  const { env } = await startServices({ dataDir, url: "http://localhost:3000", keep: true, docker });
  writeEnvFile(envFile, env);
  process.stdout.write(`\nThe variables are in ${envFile}. Stop with: node infra/scripts/services.mjs down --data ${dataDir}\n`);
}
