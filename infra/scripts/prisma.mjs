// The Prisma CLI with our schema engine: `npm run prisma -- <command>`, for example
//   npm run prisma -- generate
//   npm run prisma -- migrate dev --create-only --name add-webhooks
// Connection: MIGRATION_DATABASE_URL (owner of the tables).
import { spawn } from "node:child_process";
import { root } from "./lib/paths.mjs";
import { prismaCommand, prismaEnv } from "./lib/prisma.mjs";

const [file, ...args] = prismaCommand(process.argv.slice(2));
const child = spawn(file, args, { cwd: root, env: prismaEnv(), stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.once("exit", (code) => process.exit(code ?? 1));
