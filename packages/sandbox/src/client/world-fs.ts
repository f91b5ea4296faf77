import { FsError } from "../errors.ts";
import type { Op, OpArgs, OpResult } from "../protocol/ops.ts";
import type { CallOptions, SandboxFs } from "../types.ts";
import type { Channel } from "./channel.ts";

const defaultTextBytes = 10 * 1024 * 1024;
const defaultEntries = 10_000;

export function createWorldFs(channel: Channel): SandboxFs {
  async function call<O extends Op>(op: O, args: OpArgs[O], { signal }: CallOptions = {}): Promise<OpResult<O>> {
    if (signal?.aborted) throw new FsError("FS_ABORTED", "cancelled before it began");
    return await channel.request(op, args, { signal });
  }
  return {
    resolve: (path, cwd = "/workspace", options) => call("fs.resolve", { path, cwd }, options),
    stat: (target, options) => call("fs.stat", { target }, options).then((found) => found && withoutUndefined(found)),
    readText: (target, { maxBytes = defaultTextBytes, ...options } = {}) => call("fs.readText", { target, maxBytes }, options),
    readWindow: (target, window, options) => call("fs.readWindow", { target, window }, options),
    async readBytes(target, maxBytes, options) {
      const { data, size, version } = await call("fs.readBytes", { target, maxBytes }, options);
      return { bytes: Buffer.from(data, "base64"), size, version };
    },
    listDir: (target, { limit = defaultEntries, ...options } = {}) => call("fs.listDir", { target, limit }, options),
    async writeText(target, content, intent, options) {
      const outcome = await call("fs.writeText", { target, content, intent: intent ?? null }, options);
      return { ...outcome, after: content.replaceAll("\r\n", "\n") };
    },
    editText: (target, change, intent, options) => call("fs.editText", { target, change, intent: intent ?? null }, options),
  };
}

function withoutUndefined<T extends { size?: number | undefined }>({ size, ...rest }: T): Omit<T, "size"> & { size?: number } {
  return size === undefined ? rest : { ...rest, size };
}
