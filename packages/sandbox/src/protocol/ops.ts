import type { z } from "zod";
import type { ArchiveFormat, EditChange, FsTarget, WindowRequest, WriteIntent } from "../types.ts";
import type { results } from "./results.ts";

/** What each operation of sandboxd takes. Requests come from the worker, whom sandboxd trusts. */
export type OpArgs = {
  "fs.resolve": { path: string; cwd: string };
  "fs.stat": { target: FsTarget };
  "fs.readText": { target: FsTarget; maxBytes: number };
  "fs.readWindow": { target: FsTarget; window: WindowRequest };
  "fs.readBytes": { target: FsTarget; maxBytes: number };
  "fs.listDir": { target: FsTarget; limit: number };
  "fs.writeText": { target: FsTarget; content: string; intent: WriteIntent | null };
  "fs.editText": { target: FsTarget; change: EditChange; intent: WriteIntent | null };
  "proc.run": RunArgs;
  "archive.open": { format: ArchiveFormat; maxBytes: number; maxEntries: number };
  "archive.data": { importId: string; data: string };
  "archive.end": { importId: string };
  "archive.abort": { importId: string };
  /** Opens the way out of this world for as long as the worker stays; it is asked of the worker for each connection. */
  "egress.open": Record<string, never>;
  ping: Record<string, never>;
};
export type RunArgs = {
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | null>>;
  timeoutMs: number | null;
  graceMs: number;
  maxBytes: number;
  spillMaxBytes: number;
  stream: boolean;
  key: string | null;
  /** only join the run of this key; never start one */
  join: boolean;
};
export type Op = keyof OpArgs;
/** What each operation answers; the worker parses it, as everything that leaves a container is untrusted. */
export type OpResult<O extends Op> = z.infer<(typeof results)[O]>;
