import { chmod, chown, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "@gantry/contracts";
import { agentGid } from "./limits.ts";
import { hostTool, KeyedQueue } from "./shell.ts";
import { steadyNow } from "./steady-now.ts";

export type VolumeSettings = { dataDir: string; quotaMb: number; allowUnquoted: boolean };
export type Volume = { workspaceDir: string; homeDir: string };

/**
 * One ext4 image per workspace, loop-mounted on the host: size and number of files are bounded by the file system itself. The broker touches
 * only the two top folders, before any tenant can; everything below is the containers' affair. Both folders belong to the agents' group with
 * the setgid bit, since sessions of a workspace run under different uids.
 */
export class Volumes {
  /** Whether this host can bound a workspace; null until probed. */
  quotaEnforced: boolean | null = null;
  private readonly settings: VolumeSettings;
  private readonly queue = new KeyedQueue();
  private readonly lastUsed = new Map<string, number>();

  constructor(settings: VolumeSettings) {
    this.settings = settings;
  }

  /** Where a workspace's folders are, before they are mounted: the engine wants a mount's source to exist when the container is created. */
  async place(workspaceId: string): Promise<Volume> {
    const mount = this.mountPoint(workspaceId);
    const volume = { workspaceDir: join(mount, "workspace"), homeDir: join(mount, "home") };
    for (const path of Object.values(volume)) await mkdir(path, { recursive: true, mode: 0o755 });
    return volume;
  }

  /** Mounts a workspace, made when missing; again after a reboot. No container may start before this. @throws AppError SANDBOX_START */
  open(workspaceId: string): Promise<void> {
    this.lastUsed.set(workspaceId, steadyNow());
    return this.queue.run(workspaceId, async () => {
      const mount = this.mountPoint(workspaceId);
      if (!(await this.canBound())) await this.unquoted(mount);
      else if (!(await isMounted(mount))) await this.mount(workspaceId, mount);
    });
  }

  /** Deletes a workspace's files for good. The caller knows that no world uses it. */
  remove(workspaceId: string): Promise<void> {
    return this.queue.run(workspaceId, async () => {
      await this.unmount(workspaceId);
      await rm(this.image(workspaceId), { force: true });
      await rm(this.mountPoint(workspaceId), { recursive: true, force: true });
      this.lastUsed.delete(workspaceId);
    });
  }

  /** Unmounts what no world has used for `idleMs`, after giving freed blocks back to the host. */
  async release(inUse: ReadonlySet<string>, idleMs: number): Promise<void> {
    for (const workspaceId of await this.mounted()) {
      if (!this.lastUsed.has(workspaceId)) this.lastUsed.set(workspaceId, steadyNow()); // mounted by the broker before us
    }
    for (const [workspaceId, at] of this.lastUsed) {
      if (inUse.has(workspaceId)) this.lastUsed.set(workspaceId, steadyNow());
      else if (steadyNow() - at > idleMs) {
        await this.queue.run(workspaceId, () => this.unmount(workspaceId));
        this.lastUsed.delete(workspaceId);
      }
    }
  }

  /** The workspaces whose volumes are mounted on this host now. */
  private async mounted(): Promise<string[]> {
    const prefix = `${this.mountPoint("")}/`;
    return (await mountPoints()).filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  }

  /**
   * Tries a small image. A yes stays; a no may pass, as with a full disk, and is asked again, but for a host whose operator accepted it: files of its
   * workspaces would be hidden by a volume that is mounted over them later.
   */
  async canBound(): Promise<boolean> {
    if (this.quotaEnforced === false && !this.settings.allowUnquoted) this.quotaEnforced = null;
    this.quotaEnforced ??= await this.queue.run("probe", async () => {
      const probe = join(this.settings.dataDir, "volumes", `probe-${process.pid}`);
      try {
        await mkdir(probe, { recursive: true });
        await makeImage(`${probe}.img`, 8);
        await hostTool("mount", ["-o", "loop,nosuid,nodev", `${probe}.img`, probe]);
        await hostTool("umount", [probe]);
        return true;
      } catch {
        return false; // not root, or no loop devices: the status page says so
      } finally {
        await rm(`${probe}.img`, { force: true });
        await rm(probe, { recursive: true, force: true });
      }
    });
    return this.quotaEnforced;
  }

  private async mount(workspaceId: string, mount: string): Promise<void> {
    const image = this.image(workspaceId);
    await mkdir(mount, { recursive: true, mode: 0o755 });
    if (!(await exists(image))) await makeImage(image, this.settings.quotaMb);
    await hostTool("mount", ["-o", "loop,nosuid,nodev,noatime", image, mount]);
    await makeFolders(mount);
  }

  private async unquoted(mount: string): Promise<void> {
    if (!this.settings.allowUnquoted) {
      const why = "This host cannot bound the disk use of a workspace (loop mounts need root)";
      throw new AppError("SANDBOX_START", `${why}. Run the broker as root, or accept it with GANTRY_ALLOW_UNQUOTED=1.`);
    }
    await mkdir(mount, { recursive: true, mode: 0o755 });
    await makeFolders(mount);
  }

  private async unmount(workspaceId: string): Promise<void> {
    const mount = this.mountPoint(workspaceId);
    if (!(await isMounted(mount))) return;
    await hostTool("fstrim", [mount]).catch(() => {}); // the host's file system may not know holes; then the image stays large
    await unmountSoon(mount);
  }

  private image(workspaceId: string): string {
    return join(this.settings.dataDir, "volumes", `${workspaceId}.img`);
  }

  private mountPoint(workspaceId: string): string {
    return join(this.settings.dataDir, "volumes", "mounted", workspaceId).replace(/\/$/, "");
  }
}

/**
 * Sparse, so it takes the host's disk only as it fills; complete before it gets its name. The two folders are in it from the start: a container
 * is made while its volume is being mounted, and must find them before and after.
 */
async function makeImage(path: string, sizeMb: number): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  const content = `${temporary}.d`;
  const file = await open(temporary, "w", 0o600);
  await file.truncate(sizeMb * 1024 * 1024);
  await file.close();
  await makeFolders(content);
  const inodes = Math.max(2000, sizeMb * 64);
  const lazy = "lazy_itable_init=1,lazy_journal_init=1,nodiscard";
  const settings = ["-m", "0", "-N", String(inodes), "-O", "^resize_inode", "-E", lazy];
  await hostTool("mkfs.ext4", ["-q", "-F", ...settings, "-d", content, temporary]);
  await rm(content, { recursive: true });
  await rename(temporary, path);
}

async function makeFolders(below: string): Promise<void> {
  for (const name of ["workspace", "home"]) {
    const path = join(below, name);
    await mkdir(path, { recursive: true, mode: 0o755 });
    if (((await stat(path)).mode & 0o7777) === 0o2775) continue; // done before; what tenants put in there is not ours
    await chown(path, 0, agentGid).catch(() => {}); // an unprivileged development broker keeps its own group
    await chmod(path, 0o2775);
  }
}

/** The engine lets go of a removed container's mounts a moment after it says so. */
async function unmountSoon(mount: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await hostTool("umount", [mount]);
      return;
    } catch (error) {
      if (attempt === 20) throw error;
      await wait(100);
    }
  }
}

async function isMounted(path: string): Promise<boolean> {
  return (await mountPoints()).includes(path);
}

async function mountPoints(): Promise<string[]> {
  const lines = (await readFile("/proc/self/mountinfo", "utf8")).split("\n");
  return lines.map((line) => (line.split(" ")[4] ?? "").replaceAll("\\040", " "));
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
