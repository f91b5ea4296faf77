import type { Readable } from "node:stream";
import type { EgressOptions } from "./egress/gate.ts";

/** What a world may touch (architecture §7): each mode is a set of mounts, not a promise of the agent. */
export const sandboxModes = ["read-only", "workspace-write", "danger-full-access"] as const;
export type SandboxMode = (typeof sandboxModes)[number];

/** An identified file: `targetKey` is the resolved path inside the world and the identity for versions and locks; show `displayPath`. */
export type FsTarget = { readonly targetKey: string; readonly displayPath: string };
/** `size` in bytes, files only. `version` changes with every change of the content (EX-138). */
export type FsStat = { type: "file" | "directory" | "other"; size?: number; version: string };
export type FsEntry = { name: string; type: "file" | "directory" | "symlink" | "other" };
/** None is unconditional. `createIfAbsent` never replaces; `replaceIfVersion` never overwrites what changed. */
export type WriteIntent = { kind: "createIfAbsent" } | { kind: "replaceIfVersion"; version: string };
/** Texts are LF-normalised. `before` is null for a creation, for a prior content that is no text, and when a side is 10 MiB or more (EX-147). */
export type WriteOutcome = { operation: "create" | "update"; before: string | null; after: string; version: string };
export type EditChange = { oldString: string; newString: string; replaceAll?: boolean };

export type WindowRequest = {
  /** First line, from 1. */
  offset: number;
  /** Most lines to return. */
  limit: number;
  /** UTF-16 units kept of one line. */
  maxLineChars: number;
  /** UTF-8 bytes of all returned lines with their separators; a line is returned whole or not at all. */
  maxBytes: number;
  /** Bytes to count for the marker that the caller appends to a shortened line; default 0. */
  cutMarkerBytes?: number;
};
/** `cutLines` are indices into `lines` of those shortened to `maxLineChars`. `totalLines` is always exact. */
export type FileWindow = {
  lines: string[];
  cutLines: number[];
  totalLines: number;
  cappedByBytes: boolean;
  size: number;
  version: string;
};

export type CallOptions = { signal?: AbortSignal };

/**
 * Files of a world (specs/tools §8.1). Every failure is an `FsError`, except a lost world (AppError). Paths start at `/workspace`. Operations begin in
 * the order in which they were asked for.
 */
export interface SandboxFs {
  /** Follows links; stable across the creation of the file (EX-140). `cwd` defaults to `/workspace`. */
  resolve(path: string, cwd?: string, options?: CallOptions): Promise<FsTarget>;
  stat(target: FsTarget, options?: CallOptions): Promise<FsStat | null>;
  /** Whole text. `maxBytes` defaults to 10 MiB, beyond it FS_TOO_LARGE. */
  readText(target: FsTarget, options?: CallOptions & { maxBytes?: number }): Promise<{ text: string; size: number; version: string }>;
  /** A window of lines in bounded memory, whatever the file's size. */
  readWindow(target: FsTarget, window: WindowRequest, options?: CallOptions): Promise<FileWindow>;
  readBytes(target: FsTarget, maxBytes: number, options?: CallOptions): Promise<{ bytes: Buffer; size: number; version: string }>;
  /** Sorted by name in byte order; at most `limit` entries (default 10,000). */
  listDir(target: FsTarget, options?: CallOptions & { limit?: number }): Promise<{ entries: FsEntry[]; truncated: boolean }>;
  writeText(target: FsTarget, content: string, intent?: WriteIntent, options?: CallOptions): Promise<WriteOutcome>;
  editText(
    target: FsTarget,
    change: EditChange,
    intent?: WriteIntent,
    options?: CallOptions,
  ): Promise<WriteOutcome & { replacements: number }>;
}

/** `path` of the whole stream, readable inside the world, when it was kept. */
export type CapturedStream = { text: string; truncated: boolean; spillPath?: string };
export type RunOptions = {
  argv: readonly string[];
  /** Inside the world; default `/workspace`. */
  cwd?: string;
  /** Added to the world's own small environment; null removes a variable. */
  env?: Readonly<Record<string, string | null>>;
  /** Without it the process may run as long as its world. */
  timeoutMs?: number;
  /** Between TERM and KILL, and for draining pipes that a grandchild holds; default 3,000. */
  graceMs?: number;
  /** `maxBytes`: the exact tail kept of each stream. `spillMaxBytes` above 0: beyond the tail the whole stream goes to a file of at most so many bytes. */
  capture: { maxBytes: number; spillMaxBytes?: number };
  signal?: AbortSignal;
  /** Output as it comes. `lostBytes` counts what was skipped because the reader was too slow; the captured tail is not affected. */
  onOutput?: (piece: { stream: "stdout" | "stderr"; text: string; lostBytes: number }) => void;
  /** Names the run in its world: a repeat with the same key joins the run (or its kept result) instead of starting a second one. */
  key?: string;
  /** Only join the run of `key`, never start one. @throws RunUnknownError when this world knows no such run */
  join?: boolean;
};
/** `timedOut` and `aborted` exclude each other; a signal the process gave itself is neither. `outOfMemory`: the memory limit killed something during the run. */
export type RunResult = {
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  aborted: boolean;
  outOfMemory: boolean;
  stdout: CapturedStream;
  stderr: CapturedStream;
};
/** Processes of a world. A run that cannot start rejects with `SpawnError`; whatever happens after the start is a result. */
export interface SandboxProc {
  run(options: RunOptions): Promise<RunResult>;
}

export type ArchiveFormat = "tar" | "tar.gz" | "zip";
/** `maxBytes`: unpacked; `maxEntries` defaults to 100,000. */
export type ArchiveLimits = { maxBytes: number; maxEntries?: number };
export type ImportResult = { entries: number; bytes: number };

/** One life of a sandbox. */
export interface World {
  readonly id: string;
  readonly mode: SandboxMode;
  /** This life of the world has served a worker before, so what it does not know of was never started in it. */
  readonly isResumed: boolean;
  readonly fs: SandboxFs;
  readonly proc: SandboxProc;
  /** Unpacks into `/workspace`, a single top-level folder stripped. All or nothing. @throws ARCHIVE_REFUSED, QUOTA_EXCEEDED */
  importArchive(source: Readable, options: { format: ArchiveFormat; limits: ArchiveLimits; signal?: AbortSignal }): Promise<ImportResult>;
  /** Pushes the expiry on; a world that nobody renews is removed. */
  renew(ttlMs?: number): Promise<void>;
  /** False from the moment this connection ends: what is asked of it then is lost. */
  readonly isOpen: boolean;
  /** Settles once when this connection has ended and the broker was asked why, with the reason in plain words. Never rejects. */
  readonly closed: Promise<{ reason: string }>;
  /** Lets go of the world, which goes on: its processes run and are joined again by key. */
  detach(): void;
}

export type WorldSummary = {
  worldId: string;
  orgId: string;
  sessionId: string | null;
  workspaceId: string;
  mode: SandboxMode;
  epoch: number;
  state: "starting" | "running" | "gone";
  /** Epoch milliseconds. */
  expiresAt: number;
};
/** `problems`: what an operator should know or do, in plain words; empty when all is well. */
export type EngineStatus = {
  ok: boolean;
  engineVersion: string | null;
  isolation: "runc" | "userns" | "gvisor" | "unknown";
  seccomp: boolean;
  quotaEnforced: boolean;
  imagePresent: boolean;
  worlds: number;
  problems: string[];
};
export type OpenWorldOptions = {
  orgId: string;
  worldId: string;
  sessionId: string | null;
  workspaceId: string;
  /** The caller's lease epoch: lower ones are refused from then on (SANDBOX_FENCED). */
  epoch: number;
  mode: SandboxMode;
  /**
   * Hosts that processes of the world reach over https, through HTTPS_PROXY on loopback, while this connection lasts. The container has no
   * network either way, and without this no way out at all.
   */
  egress?: EgressOptions;
  signal?: AbortSignal;
  onPhase?: (phase: "creating" | "connecting" | "ready") => void;
};
export interface SandboxClient {
  /** Never throws: an engine or broker that does not answer is `ok: false` with its problem. */
  status(): Promise<EngineStatus>;
  /** Starts the world or joins the one with this id. @throws SANDBOX_START, ENGINE_DOWN, SANDBOX_FENCED */
  openWorld(options: OpenWorldOptions): Promise<World>;
  /** Ends the world and its processes; repeating it is harmless. */
  stopWorld(worldId: string): Promise<void>;
  listWorlds(): Promise<WorldSummary[]>;
  /** Deletes the files of a workspace for good. @throws WORKSPACE_BUSY while a world uses it */
  removeWorkspace(workspaceId: string): Promise<void>;
}
