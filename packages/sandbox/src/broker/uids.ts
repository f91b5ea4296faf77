import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { agentGid, firstUid, lastUid } from "./limits.ts";
import { KeyedQueue } from "./shell.ts";

/**
 * Gives each session its own uid and keeps it for the session's later worlds, so that its files stay its own. With the uid come the passwd
 * and group files that the container shows. Kept in a small file of the data folder.
 */
export class Uids {
  private readonly dir: string;
  private readonly queue = new KeyedQueue();
  private bySession: Map<string, number> | null = null;

  constructor(dataDir: string) {
    this.dir = join(dataDir, "run", "ids");
  }

  /** `owner`: the session, or the world of an import. Uids of `inUse` are never handed out twice. */
  assign(owner: string, inUse: ReadonlySet<number>): Promise<{ uid: number; passwdFile: string; groupFile: string }> {
    return this.queue.run("uids", async () => {
      const known = await this.load();
      let uid = known.get(owner);
      if (uid === undefined) {
        uid = nextFree(known, inUse);
        known.delete(owner);
        known.set(owner, uid);
        await this.save(known);
      }
      return { uid, ...(await this.files(uid)) };
    });
  }

  private async load(): Promise<Map<string, number>> {
    if (this.bySession) return this.bySession;
    const text = await readFile(join(this.dir, "uids.json"), "utf8").catch(() => "[]");
    this.bySession = new Map(JSON.parse(text) as [string, number][]);
    return this.bySession;
  }

  private async save(known: Map<string, number>): Promise<void> {
    await mkdir(this.dir, { recursive: true, mode: 0o755 });
    await replaceFile(join(this.dir, "uids.json"), JSON.stringify([...known]));
  }

  private async files(uid: number): Promise<{ passwdFile: string; groupFile: string }> {
    const passwdFile = join(this.dir, `passwd-${uid}`);
    const groupFile = join(this.dir, "group");
    const system = "root:x:0:0:root:/root:/usr/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n";
    await writeOnce(passwdFile, `${system}agent:x:${uid}:${agentGid}:agent:/home/agent:/bin/bash\n`);
    await writeOnce(groupFile, `root:x:0:\nnogroup:x:65534:\nagent:x:${agentGid}:\n`);
    return { passwdFile, groupFile };
  }
}

/** The first uid never used, else the longest unused one. @throws RangeError when all are in use at once */
function nextFree(known: Map<string, number>, inUse: ReadonlySet<number>): number {
  const taken = new Set([...known.values(), ...inUse]);
  if (taken.size <= lastUid - firstUid) {
    for (let uid = firstUid; uid <= lastUid; uid += 1) if (!taken.has(uid)) return uid;
  }
  for (const [owner, uid] of known) {
    if (inUse.has(uid)) continue;
    known.delete(owner);
    return uid;
  }
  throw new RangeError("every uid for agents is in use");
}

async function writeOnce(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: "wx", mode: 0o644 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.tmp`, text, { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}
