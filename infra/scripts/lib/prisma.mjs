import path from "node:path";
import { Failure } from "./failure.mjs";
import { inRoot, projectNode, root } from "./paths.mjs";
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
