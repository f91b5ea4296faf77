import type { Row } from "../rows/row.ts";
import { cordis1, ptc1, standard2 } from "./engineers.ts";
import { minimal1 } from "./minimal.ts";
import { standardRows } from "./standard-1.ts";

export type PlatformPreset = {
  readonly slug: "standard" | "ptc" | "minimal" | "cordis";
  readonly name: string;
  readonly description: string;
  /** where it stands in lists */
  readonly position: number;
  readonly revision: number;
  readonly rows: readonly Row[];
};

const standard = { slug: "standard", name: "Standard", position: 1 } as const;

/** Every revision of a preset that was ever shipped, ascending by preset (G-2). Sessions are pinned to them: none of these ever changes. */
export const platformPresets: readonly PlatformPreset[] = [
  { ...standard, description: "", revision: 1, rows: standardRows },
  {
    ...standard,
    description: "For most work on code: reads, searches, changes and runs it, plans, hands parts over to other agents.",
    revision: 2,
    rows: standard2,
  },
  {
    slug: "ptc",
    name: "Code mode",
    description:
      "Like Standard, with the tools offered as functions of one program. This release has no runtime for such programs: until it has, sessions call the tools one by one, as in Standard.",
    position: 2,
    revision: 1,
    rows: ptc1,
  },
  {
    slug: "minimal",
    name: "Minimal",
    description: "A shell and a one-line prompt. Until terminals that keep their state are there, each command starts afresh.",
    position: 3,
    revision: 1,
    rows: minimal1,
  },
  {
    slug: "cordis",
    name: "Cordis",
    description: "For work on the harness itself: like Standard, and to come with tools that look into the agent's own plugins.",
    position: 4,
    revision: 1,
    rows: cordis1,
  },
];
