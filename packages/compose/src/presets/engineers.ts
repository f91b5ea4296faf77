import type { Row } from "../rows/row.ts";
import { compaction, delegation, goalTools, managingTools, personTools, planning, present, skillTools, workingTools } from "./parts.ts";
import { engineer } from "./persona.ts";

const persona: Row = { id: "persona", name: "persona", config: { prefix: engineer } };

/** `standard`, revision 2: every plugin it will have, those without code included; what runs today is what revision 1 runs. */
export const standard2: readonly Row[] = [
  persona,
  ...workingTools,
  ...skillTools,
  ...goalTools,
  planning,
  compaction,
  delegation({ workflows: true }),
  ...personTools,
  present,
  ...managingTools,
];

/** `ptc`, revision 1: the tools as functions of one program; that program takes the place of workflows. */
export const ptc1: readonly Row[] = [
  persona,
  ...workingTools,
  ...skillTools,
  ...goalTools,
  planning,
  compaction,
  delegation({ workflows: false }),
  ...personTools,
  { id: "tool-presentation", name: "tool-presentation", config: { mode: "ptc" } },
  present,
  ...managingTools,
];

/** `cordis`, revision 1: an engineer who can look into the harness and extend it. */
export const cordis1: readonly Row[] = [
  persona,
  ...workingTools,
  ...goalTools,
  planning,
  compaction,
  delegation({ workflows: true }),
  ...personTools,
  { id: "tool-cordis", name: "tool-cordis" },
  ...skillTools,
  present,
  ...managingTools,
];
