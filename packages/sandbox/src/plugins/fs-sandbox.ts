import type { Context } from "@gantry/kernel";
import { FsSeam, type WorldOwner } from "../seams.ts";
import type { SandboxFs } from "../types.ts";

/** Kernel service `fs` over the owner's world. The world is asked for at each operation: it starts with the first and is replaced when it was lost. */
class FsSandbox extends FsSeam {
  for(owner: WorldOwner): SandboxFs {
    const fs = async (options?: { signal?: AbortSignal }) => (await owner.world(options?.signal)).fs;
    return {
      resolve: async (path, cwd, options) => (await fs(options)).resolve(path, cwd, options),
      stat: async (target, options) => (await fs(options)).stat(target, options),
      readText: async (target, options) => (await fs(options)).readText(target, options),
      readWindow: async (target, window, options) => (await fs(options)).readWindow(target, window, options),
      readBytes: async (target, maxBytes, options) => (await fs(options)).readBytes(target, maxBytes, options),
      listDir: async (target, options) => (await fs(options)).listDir(target, options),
      writeText: async (target, content, intent, options) => (await fs(options)).writeText(target, content, intent, options),
      editText: async (target, change, intent, options) => (await fs(options)).editText(target, change, intent, options),
    };
  }
}

export const name = "fs-sandbox";
export function apply(ctx: Context): void {
  new FsSandbox(ctx);
}
