import type { EventDraft, SessionEvent } from "@gantry/contracts";
import type { SandboxMode, World, WorldOwner } from "@gantry/sandbox/seams";

/**
 * What the pipeline and the tool bodies know of the calling agent. A body takes tenant facts from here and never from ambient
 * state (T-25). The agent's `scope` is the key of what it sees (C-1); one object per live agent.
 */
export interface ToolAgent extends WorldOwner {
  readonly scope: object;
  readonly userId: string;
  /** What it was given to talk to; the log's last request header says what it talks to now. */
  readonly route?: { readonly provider: string; readonly model: string };
  /** The session workspace inside its world. */
  readonly cwd: string;
  /** How many events of the log a fork copied from its source; absent or 0: none. */
  readonly seedLength?: number;
  /** The session's log so far. */
  history(): readonly SessionEvent[];
  /** Appends to the session's log, inside the open turn. */
  append(draft: EventDraft): SessionEvent;
  /** A second world on the same files in a wider mode, for one call that a person allowed (ESC-2). Whoever opens it ends it. */
  openSibling(mode: SandboxMode, signal?: AbortSignal): Promise<SiblingWorld>;
}

export type SiblingWorld = { readonly world: World; end(): Promise<void> };
