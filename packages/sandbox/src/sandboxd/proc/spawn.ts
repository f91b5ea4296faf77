import { type ChildProcess, spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { RunArgs } from "../../protocol/ops.ts";
import { Failure } from "../failure.ts";
import type { Identity } from "../identity.ts";
import type { Settings } from "../settings.ts";
import { childEnvironment } from "./environment.ts";
import type { openOomScore } from "./oom.ts";

export type Spawner = (args: RunArgs) => Promise<ChildProcess & { pid: number }>;
const closedRoots = ["/proc", "/sys", "/dev"];

/** Starts children under the agent's uid in a session of their own, with nothing to read and no environment but the allow-list. */
export function createSpawner(identity: Identity, { uid, gid }: Settings, oomScore: ReturnType<typeof openOomScore>): Spawner {
  return async (args) => {
    const [program, ...rest] = args.argv;
    if (!program) throw new Failure("SPAWN_FAILED", "there is no program to start");
    const options = { uid, gid, detached: true, env: childEnvironment(args.env), stdio: ["ignore", "pipe", "pipe"] as const };
    const child = inDirectory(args.cwd, () => {
      oomScore.forChildren();
      try {
        return identity.asRoot(() => spawn(program, rest, { ...options, stdio: [...options.stdio] }));
      } catch (error) {
        throw startFailure(error as NodeJS.ErrnoException, program, args.cwd); // some failures are thrown, the others told
      } finally {
        oomScore.forSelf();
      }
    });
    if (child.pid !== undefined) return child as ChildProcess & { pid: number };
    throw startFailure(await toldError(child), program, args.cwd);
  };
}

const isClosed = (path: string) => closedRoots.some((root) => path === root || path.startsWith(`${root}/`));

/** Enters the directory as the agent and lets the child inherit it: a root without capabilities could not enter a private one. */
function inDirectory<T>(cwd: string, work: () => T): T {
  try {
    if (isClosed(resolve(cwd))) throw new Error("a kernel directory");
    process.chdir(realpathSync.native(cwd));
    if (isClosed(process.cwd())) throw new Error("a kernel directory"); // asked of the kernel again, for a link swapped in between (SC-S5)
  } catch (error) {
    process.chdir("/");
    const code = (error as NodeJS.ErrnoException).code;
    const reasons: Record<string, string> = { ENOENT: "does not exist", ENOTDIR: "is not a directory", EACCES: "may not be entered" };
    throw new Failure("SPAWN_FAILED", `the working directory ${cwd} ${reasons[code ?? ""] ?? "cannot be used"}`);
  }
  try {
    return work();
  } finally {
    process.chdir("/");
  }
}

/** What the child says about its failed start; an error without a code when it says nothing in time. */
function toldError(child: ChildProcess): Promise<NodeJS.ErrnoException> {
  const told = new Promise<NodeJS.ErrnoException>((tell) => child.once("error", tell));
  return Promise.race([told, wait(2000, new Error("no reason given"))]);
}

/** No process can be started because the world has as many as it may have. */
export class WorldFull extends Failure {
  constructor(remedy: string) {
    super("SPAWN_FAILED", `the sandbox has as many processes as it may have; ${remedy}`);
  }
}

function startFailure(error: NodeJS.ErrnoException, program: string, cwd: string): Failure {
  if (error.code === "EAGAIN") return new WorldFull("wait until a running command has ended");
  const reasons: Record<string, string> = {
    ENOENT: `${program} was not found`,
    EACCES: `${program} may not be executed`,
    ENOMEM: "the sandbox is out of memory",
    E2BIG: "the command is too long for one argument; write it into a file and run that",
  };
  return new Failure("SPAWN_FAILED", reasons[error.code ?? ""] ?? `${program} could not be started in ${cwd}: ${error.message}`);
}
