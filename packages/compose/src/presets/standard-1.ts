import type { MountRow } from "../composition.ts";
import { engineer } from "./persona.ts";

/** The platform preset `standard`, revision 1: what an agent gets besides the host's rows. Stored as it stands, so it never changes. */
export const standardRows: readonly MountRow[] = [
  { id: "persona", name: "persona", config: { prefix: engineer } },
  { id: "fs-observation-policy", name: "fs-observation-policy" },
  { id: "tool-fs", name: "tool-fs" },
  { id: "tool-fs-search", name: "tool-fs-search", config: { sampleOverCapGlobResults: true } },
  { id: "tool-bash", name: "tool-bash" },
  { id: "tool-todo", name: "tool-todo", config: { allowParallelInProgress: true } },
  { id: "tool-timeout-policy", name: "tool-timeout-policy" },
];
