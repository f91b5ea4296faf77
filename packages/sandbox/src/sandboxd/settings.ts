import type { SandboxMode } from "../types.ts";

/** Where the agent's files are. */
export const workspaceDir = "/workspace";
export const homeDir = "/home/agent";
export const tempDir = "/tmp";
/** Whole outputs that did not fit their tail; a private folder outside the workspace. */
export const spillDir = "/tmp/gantry-spill";

export type Settings = { uid: number; gid: number; mode: SandboxMode };

/** What the broker gave the container. @throws Error, which stops the container at once */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const uid = Number(env.GANTRY_UID);
  const gid = Number(env.GANTRY_GID);
  const mode = env.GANTRY_MODE as SandboxMode;
  if (!(uid >= 10_000 && gid >= 10_000)) throw new Error("sandboxd needs GANTRY_UID and GANTRY_GID of 10000 or more");
  if (!["read-only", "workspace-write", "danger-full-access"].includes(mode)) throw new Error("sandboxd needs GANTRY_MODE");
  return { uid, gid, mode };
}
