import { isEvent, type SessionEvent, type SessionEventOf } from "@gantry/contracts";
import type { SandboxFs } from "@gantry/sandbox";
import { withinBudget } from "./budget.ts";
import type { InstructionFile } from "./frame.ts";
import type { Memory } from "./memory.ts";
import { type Found, isInstructionFile, readFolders } from "./read-files.ts";

const rootFolder = "/workspace";
/** The user's own, which every project's are more specific than. */
const homeFolder = "/home/agent";

type Known = { readonly [path: string]: string };
/** Folders without instructions so far that are looked into again at a new turn: each costs eight requests to the world, so all of a large tree would take seconds. */
const maxAgain = 20;
/** in the place of a digest: the file is there, and the model was told that it cannot be read */
const cannotRead = "unreadable";
export type Said = {
  readonly kind: "baseline" | "update";
  readonly files: readonly InstructionFile[];
  readonly removed: readonly string[];
  readonly notices: readonly string[];
  /** path → digest of all that the model has been told and that still holds */
  readonly known: Known;
};
type Options = {
  maxBytes: number;
  waitMs: number;
  isNewTurn: boolean;
  isWorldUp: boolean;
  memory: Memory;
  warn: (error: unknown) => void;
};

/** What one agent has been told, and where to look for more. */
export class InstructionState {
  /** null: no baseline is in front of the model */
  private known: Known | null = null;
  private baselineSeq = -1;
  /** folders to be looked into next */
  private readonly fresh = new Set<string>();
  /** folders that were looked into, the last touched last */
  private readonly looked = new Set<string>();
  /** folders that had instructions, now or before */
  private readonly telling = new Set<string>([homeFolder, rootFolder]);
  /** what was looked into may have changed since */
  private isStale = true;

  static of(events: readonly SessionEvent[], plugin: string): InstructionState {
    const state = new InstructionState();
    for (const event of events) if (isEvent(event, "user/message")) state.follow(event, plugin);
    return state;
  }

  /** Reads a message as it enters the log: what was said, and a replacement that hid it (INS-4). */
  follow({ seq, data, surfaceOp, sourceEventSeqs = [] }: SessionEventOf<"user/message">, plugin: string): void {
    if (typeof surfaceOp === "object" && sourceEventSeqs.includes(this.baselineSeq)) {
      this.known = null;
      this.isStale = true;
    }
    const { source } = data;
    if (source.kind !== "plugin" || source.plugin !== plugin) return;
    const said = source.data as { kind?: unknown; known?: unknown } | undefined;
    if (typeof said?.known !== "object" || said.known === null) return;
    this.known = said.known as Known;
    if (said.kind === "baseline") this.baselineSeq = seq;
    for (const path of Object.keys(this.known)) this.telling.add(parentOf(path));
  }

  /** A file tool has seen `path`: its folders up to the workspace may have instructions, or it is one of them itself. */
  touch(path: string): void {
    if (!path.startsWith(`${rootFolder}/`)) return;
    if (isInstructionFile(path)) this.fresh.add(parentOf(path));
    for (let folder = parentOf(path); folder.length > rootFolder.length; folder = parentOf(folder)) {
      if (this.looked.delete(folder)) {
        this.looked.add(folder);
        break;
      }
      this.fresh.add(folder);
    }
  }

  /**
   * News for the model, or null. A folder is looked into when a file tool was in it first; at each new turn, and once a summary hid the baseline, those
   * that had instructions and some of the others are looked into again. A world that is still starting is waited for only when nothing is known of the
   * workspace: else what was known is said, and the files are read at the next step.
   */
  async whatToSay(open: () => SandboxFs, options: Options): Promise<Said | null> {
    const { memory, isWorldUp, maxBytes } = options;
    this.isStale ||= options.isNewTurn;
    if (!this.isStale && this.fresh.size === 0) return null;
    if (!isWorldUp && this.known !== null) return null;
    if (!isWorldUp && memory.found) return baseline(memory.found, maxBytes);
    const limit = AbortSignal.timeout(options.waitMs);
    const folders = this.due();
    try {
      const found = await within(limit, readFolders(open(), folders, limit));
      this.isStale = false;
      for (const folder of folders) {
        this.fresh.delete(folder);
        this.looked.add(folder);
      }
      if (folders.join() === [homeFolder, rootFolder].join()) memory.found = found;
      return this.known === null ? baseline(found, maxBytes) : update(this.known, { ...found, folders }, maxBytes);
    } catch (error) {
      if (!limit.aborted) options.warn(error);
      return null; // tried again at the next step
    }
  }

  /** The outermost first. */
  private due(): string[] {
    const again = this.isStale ? [...this.telling, ...[...this.looked].slice(-maxAgain)] : [];
    return [...new Set([...again, ...this.fresh])].sort(
      (a, b) => Number(b === homeFolder) - Number(a === homeFolder) || a.length - b.length || (a < b ? -1 : 1),
    );
  }
}

function baseline(found: Found, maxBytes: number): Said | null {
  const { files, unreadable } = found;
  if (files.length === 0 && unreadable.length === 0) return null;
  const notices = unreadable.map(({ path, problem }) => `${path} could not be read: ${problem}`);
  return { kind: "baseline", files: withinBudget(files, maxBytes), removed: [], notices, known: knownOf(found) };
}

/** New, changed, gone, and what cannot be read (any more); each is said once (INS-3). */
function update(known: Known, found: Found & { readonly folders: readonly string[] }, maxBytes: number): Said | null {
  const changed = found.files.filter(({ path, digest }) => known[path] !== digest);
  const elsewhere = Object.entries(known).filter(([path]) => !found.folders.includes(parentOf(path)));
  const here = { ...Object.fromEntries(elsewhere), ...knownOf(found) };
  const removed = Object.keys(known).filter((path) => !(path in here) && known[path] !== cannotRead);
  const lost = found.unreadable.filter(({ path }) => known[path] !== cannotRead);
  if (changed.length + removed.length + lost.length === 0) return null;
  const notices = lost.map(({ path, problem }) => {
    const before = path in known ? "; what was said of it before may no longer hold" : "";
    return `${path} could not be read: ${problem}${before}`;
  });
  return { kind: "update", files: withinBudget(changed, maxBytes), removed, notices, known: here };
}

const knownOf = ({ files, unreadable }: Found): Known =>
  Object.fromEntries([...files.map(({ path, digest }) => [path, digest]), ...unreadable.map(({ path }) => [path, cannotRead])]);
const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 0));

/** The world may be long in coming, and its start is shared: waiting for it ends here, the start goes on. @throws the signal's reason */
function within<T>(limit: AbortSignal, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const onAbort = () => late.reject(limit.reason);
  limit.addEventListener("abort", onAbort, { once: true });
  return Promise.race([work, late.promise]).finally(() => limit.removeEventListener("abort", onAbort));
}
