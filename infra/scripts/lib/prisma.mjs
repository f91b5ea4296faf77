import path from "node:path";
import { Failure } from "./failure.mjs";
import { whenChanged } from "./hash.mjs";
import { inRoot, projectNode, root } from "./paths.mjs";
import { step } from "./progress.mjs";
import { run } from "./run.mjs";

/** The environment in which the Prisma CLI needs no download and tells nobody about it. */
export function prismaEnv(env = process.env) {
  return {
    ...env,
    PATH: [inRoot("node_modules", ".bin"), env.PATH].join(path.delimiter),
    PRISMA_SCHEMA_ENGINE_BINARY: inRoot("infra", "scripts", "schema-engine", "main.mjs"),
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    CHECKPOINT_DISABLE: "1",
  };
}

/** The CLI as a command line. */
export const prismaCommand = (args) => [projectNode, inRoot("node_modules", "prisma", "build", "index.js"), ...args];

/**
 * Runs one Prisma command.
 * @throws Failure with the command's output when it fails
 */
export async function prisma(args, { env = process.env, limitMs = 180_000 } = {}) {
  const [file, ...rest] = prismaCommand(args);
  const result = await run(file, rest, { cwd: root, env: prismaEnv(env), limitMs });
  if (result.code !== 0) throw new Failure(`prisma ${args.join(" ")} failed:\n${result.output.trim()}`);
  return result.output;
}

/** Generates the database client when the schema or Prisma has changed. */
export async function ensureClient() {
  await step("Database client", async () => {
    const output = inRoot("packages", "db", "src", "generated", "client.ts");
    const made = await whenChanged({ name: "prisma-client", inputs: ["prisma/schema", "packages/db/package.json"], output }, () =>
      prisma(["generate"]),
    );
    return made ? "generated" : "current";
  });
}

/** Old data may be much, and another deploy may be at it. */
const migrateLimitMs = 35 * 60_000;

/** Applies the migrations as the owner of the tables. */
export async function migrate(env) {
  await step("Migrations", async () => {
    const output = await prisma(["migrate", "deploy"], { env, limitMs: migrateLimitMs });
    const applied = output.match(/└─ \d{14}_/g)?.length ?? 0;
    return applied ? `${applied} applied` : "none pending";
  });
}
