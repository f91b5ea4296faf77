import type { Scoped } from "@gantry/kernel";
import type { FsTarget, WriteIntent } from "@gantry/sandbox/seams";
import type { ToolAgent } from "../agent.ts";

/** What a session knows of a file: its version when seen, or that it was not there. */
export type Observation = { readonly state: "present"; readonly version: string } | { readonly state: "absent" };

declare module "@gantry/kernel" {
  interface Events {
    /** A file tool has seen a file, or its absence. Reads by search, shell or presenters do not count. @mode parallel */
    "fs/observed"(this: Scoped, agent: ToolAgent, target: FsTarget, observation: Observation): void | Promise<void>;
    /** What a whole-file write may do. The first listener that answers decides; a throw refuses. @mode serial */
    "fs/write-intent"(this: Scoped, agent: ToolAgent, target: FsTarget): WriteIntent | undefined;
    /** As `fs/write-intent`, for an edit in place. @mode serial */
    "fs/edit-intent"(this: Scoped, agent: ToolAgent, target: FsTarget): WriteIntent | undefined;
  }
}
