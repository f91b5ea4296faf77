import { isAppError } from "@gantry/contracts";
import type { z } from "zod";
import { type Engine, engineMessage } from "./engine.ts";
import type { StatusView } from "./schema.ts";
import type { Volumes } from "./volumes.ts";
import type { Worlds } from "./worlds.ts";

type Status = z.infer<typeof StatusView>;
type Parts = { engine: Engine; volumes: Volumes; worlds: Worlds; image: string; allowUnquoted: boolean };

/** What the engine is and enforces. An engine that is down is an answer, not an error. */
export async function status({ engine, volumes, worlds, image, allowUnquoted }: Parts): Promise<Status> {
  const problems: string[] = [];
  const quotaEnforced = await volumes.canBound();
  if (!quotaEnforced) {
    const effect = allowUnquoted ? "workspaces may fill the disk of this host" : "no sandbox will start";
    problems.push(`Disk quotas cannot be enforced here (loop mounts need root): ${effect}.`);
  }
  const down = { engineVersion: null, isolation: "unknown" as const, seccomp: false, imagePresent: false };
  const facts = await engineFacts(engine, image).catch((error: unknown) => {
    problems.push(isAppError(error) ? error.message : `The container engine answered with an error: ${engineMessage(error)}`);
    return down;
  });
  if (facts !== down && !facts.imagePresent) problems.push(`The image ${image} is missing. Build it: node infra/sandbox/build.mjs`);
  if (facts !== down && !facts.seccomp) problems.push("The engine has no seccomp support: system calls of sandboxes are not filtered.");
  if (facts.isolation === "runc")
    problems.push("Sandboxes share the host's user ids. For more distance, turn on userns-remap or use gVisor.");
  const ok = facts !== down && facts.imagePresent && (quotaEnforced || allowUnquoted);
  return { ok, ...facts, quotaEnforced, worlds: worlds.live().length, problems };
}

async function engineFacts(engine: Engine, image: string) {
  const [info, imagePresent] = await engine.call(5_000, (docker) =>
    Promise.all([
      docker.info(),
      docker
        .getImage(image)
        .inspect()
        .then(() => true)
        .catch((error: { statusCode?: number }) => {
          if (error.statusCode === 404) return false;
          throw error;
        }),
    ]),
  );
  const security = (info.SecurityOptions ?? []) as string[];
  const isolation: Status["isolation"] = security.some((option) => option.includes("name=userns"))
    ? "userns"
    : /runsc/.test(info.DefaultRuntime ?? "")
      ? "gvisor"
      : "runc";
  const seccomp = security.some((option) => option.includes("name=seccomp"));
  return { engineVersion: String(info.ServerVersion), isolation, seccomp, imagePresent };
}
