import type { Found } from "./read-files.ts";

/** What the next session of a workspace may begin with, before its own world runs (INS-4). */
export type Memory = { found: Found | null };

const maxWorkspaces = 200;

/** The last reading of each workspace's own instructions; the longest unused are forgotten. */
export class WorkspaceMemory {
  private readonly byWorkspace = new Map<string, Memory>();

  of(workspaceId: string | undefined): Memory {
    if (workspaceId === undefined) return { found: null };
    const memory = this.byWorkspace.get(workspaceId) ?? { found: null };
    this.byWorkspace.delete(workspaceId);
    this.byWorkspace.set(workspaceId, memory);
    const oldest = this.byWorkspace.keys().next().value;
    if (this.byWorkspace.size > maxWorkspaces && oldest !== undefined) this.byWorkspace.delete(oldest);
    return memory;
  }
}
