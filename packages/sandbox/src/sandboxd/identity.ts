import type { Settings } from "./settings.ts";

export type Identity = { asRoot<T>(work: () => T): T };

/**
 * Puts sandboxd under the agent's uid for everything it does to files, while its real and saved uid stay 0: so the agent's processes can neither
 * signal nor trace it (SC-S6), and file permissions hold by themselves. `asRoot` is for spawning alone and must stay synchronous: no file
 * operation is ever in flight beside it, because sandboxd does all of its file work synchronously.
 */
export function takeIdentity({ uid, gid }: Settings): Identity {
  const { setgroups, setegid, seteuid } = process;
  if (!setgroups || !setegid || !seteuid) throw new Error("sandboxd runs on Linux only");
  process.umask(0o002); // sessions of a workspace share files through the group
  setgroups([]);
  setegid(gid);
  seteuid(uid);
  return {
    asRoot(work) {
      seteuid(0);
      try {
        return work();
      } finally {
        seteuid(uid);
      }
    },
  };
}
