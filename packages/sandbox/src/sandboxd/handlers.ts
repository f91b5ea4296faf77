import { Imports } from "./archive/imports.ts";
import type { Connection } from "./connection.ts";
import { ConnectProxy } from "./egress/connect-proxy.ts";
import { Failure } from "./failure.ts";
import { editText } from "./fs/edit.ts";
import { resolveTarget } from "./fs/paths.ts";
import { listDir, readBytes, readText } from "./fs/read.ts";
import { readWindow } from "./fs/read-window.ts";
import { statTarget } from "./fs/stat.ts";
import { writeText } from "./fs/write.ts";
import type { Runs } from "./proc/runs.ts";
import type { CallContext, Handlers } from "./server.ts";
import type { Settings } from "./settings.ts";

/** Every operation that a worker can ask for. */
export function createHandlers(runs: Runs, { mode }: Settings): Handlers {
  const imports = new Imports();
  return {
    "fs.resolve": ({ path, cwd }) => resolveTarget(path, cwd),
    "fs.stat": ({ target }) => statTarget(target),
    "fs.readText": ({ target, maxBytes }) => readText(target, maxBytes),
    "fs.readWindow": ({ target, window }, call) => readWindow(target, window, call.isCancelled),
    "fs.readBytes": ({ target, maxBytes }) => {
      const { bytes, size, version } = readBytes(target, maxBytes);
      return { data: bytes.toString("base64"), size, version };
    },
    "fs.listDir": ({ target, limit }) => listDir(target, limit),
    "fs.writeText": ({ target, content, intent }, call) => {
      refuseCancelled(call);
      return writeText(target, content, intent, mode);
    },
    "fs.editText": ({ target, change, intent }, call) => {
      refuseCancelled(call);
      return editText(target, change, intent, mode);
    },
    "proc.run": (args, call) => runs.run(args, args.stream ? call.sendOutput : null, call.onCancel),
    "archive.open": (args) => ({ importId: imports.open(args) }),
    "archive.data": ({ importId, data }) => imports.add(importId, Buffer.from(data, "base64")),
    "archive.end": ({ importId }) => imports.finish(importId),
    "archive.abort": ({ importId }) => imports.abort(importId),
    "egress.open": async (_args, { connection }) => ({ port: (await connection.openEgress(listenForEgress)).port }),
    ping: () => ({}),
  };
}

function listenForEgress(connection: Connection): Promise<ConnectProxy> {
  return ConnectProxy.listen(
    (frame) => connection.send(frame),
    () => connection.silentForMs(),
  );
}

function refuseCancelled(call: CallContext): void {
  if (call.isCancelled()) throw new Failure("FS_ABORTED", "cancelled before anything was written");
}
