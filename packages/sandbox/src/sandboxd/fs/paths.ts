import { lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { FsTarget, SandboxMode } from "../../types.ts";
import { coded, Failure } from "../failure.ts";
import { homeDir, tempDir, workspaceDir } from "../settings.ts";

/** Kernel file systems: their files are not the agent's, and a read may never end. */
const closedRoots = ["/proc", "/sys", "/dev"];
const writableRoots = [workspaceDir, tempDir, homeDir];
const closedDevices = new Set(closedRoots.map((root) => statSync(root, { throwIfNoEntry: false })?.dev));

/** @throws Failure FS_NOT_DIRECTORY for a file used as a directory, FS_IO_ERROR for a blank path */
export function resolveTarget(path: string, cwd: string): FsTarget {
  if (path.trim() === "") throw new Failure("FS_IO_ERROR", "the path is blank");
  if (path.includes("\0") || cwd.includes("\0")) throw new Failure("FS_NOT_FOUND", "a path cannot contain NUL");
  const displayPath = walk(isAbsolute(path) ? "/" : resolve(workspaceDir, cwd), path);
  return { targetKey: identify(displayPath), displayPath };
}

/** What follows a link goes up from where the link leads, as the kernel and the shell see it (EX-170). */
function walk(from: string, path: string): string {
  return path.split("/").reduce((at, part) => {
    if (part === "" || part === ".") return at;
    return part === ".." ? dirname(identify(at)) : join(at, part);
  }, from);
}

/** The real path; for a missing file that of its nearest existing ancestor with the rest appended, so creation does not change it (EX-140). */
export function identify(path: string): string {
  return coded(path, () => {
    const missing: string[] = [];
    for (let at = path; ; at = dirname(at)) {
      try {
        return join(realpathSync.native(at), ...missing);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT" || at === "/") throw error;
        missing.unshift(basename(at));
      }
    }
  });
}

/** The identity a target has now; a link that was swapped since `resolve` is judged by where it leads today. */
export function freshKey(target: FsTarget): string {
  const key = identify(target.targetKey);
  if (closedRoots.some((root) => isInside(key, root)))
    throw new Failure("FS_PERMISSION_DENIED", `${target.displayPath}: files of the kernel are not read through this tool`);
  return key;
}

/** As `freshKey`, for writing. @throws Failure FS_SANDBOX_DENIED outside what the mode opens, with nothing created (EX-153) */
export function writableKey(target: FsTarget, mode: SandboxMode): string {
  const key = freshKey(target);
  if (mode !== "danger-full-access" && !writableRoots.some((root) => isInside(key, root)))
    throw new Failure("FS_SANDBOX_DENIED", `${target.displayPath}: writing there is denied in ${mode} mode`);
  return key;
}

/** True for a file that came from a kernel file system after all, through a link swapped in the meantime. */
export function isKernelFile(device: number | bigint): boolean {
  return closedDevices.has(Number(device));
}

export function isDanglingLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}
