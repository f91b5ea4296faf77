import { FsError, type FsStat, type FsTarget, type SandboxFs } from "@gantry/sandbox/seams";
import type { ToolAgent } from "../agent.ts";
import type { Observed } from "./observed.ts";

type Asked = { readonly files: SandboxFs; readonly observed: Observed; readonly agent: ToolAgent; readonly signal: AbortSignal };

/** The regular file that a path names, by exactly one stat; a missing one is noted as absent. @throws FsError FS_NOT_FOUND, FS_NOT_REGULAR_FILE */
export async function regularFile(path: string, asked: Asked): Promise<{ target: FsTarget; stat: FsStat }> {
  const target = await asked.files.resolve(path, asked.agent.cwd, { signal: asked.signal });
  return { target, stat: await regularStat(target, asked) };
}

/** As {@link regularFile}, for a path that is resolved already. */
export async function regularStat(target: FsTarget, { files, observed, agent, signal }: Asked): Promise<FsStat> {
  const stat = await files.stat(target, { signal });
  if (stat === null) {
    await observed.absent(agent, target);
    throw new FsError("FS_NOT_FOUND", `${target.displayPath} does not exist`);
  }
  if (stat.type !== "file") throw new FsError("FS_NOT_REGULAR_FILE", `${target.displayPath} is not a regular file`);
  return stat;
}
