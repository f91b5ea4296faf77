import { execFile } from "node:child_process";
import { promisify } from "node:util";

const exec = promisify(execFile);

/** Runs one of the host's own tools. @throws Error with what it printed */
export async function hostTool(command: string, args: readonly string[], timeoutMs = 30_000): Promise<string> {
  const { stdout } = await exec(command, [...args], { timeout: timeoutMs, env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" } });
  return stdout;
}

/** Lets one piece of work for a key run at a time, in the order asked. */
export class KeyedQueue {
  private readonly tails = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.tails.get(key) === mine) this.tails.delete(key);
    }
  }
}
