import type { Row } from "../rows/row.ts";
import { offWindows, plainCompaction } from "./parts.ts";

const prefix = "You are a careful software engineer with a shell in a Linux container; the team's code is in /workspace.";
/** For one command, ms: there is no background here to move a long one to. */
const timeoutMs = 300_000;

/**
 * `minimal`, revision 1: one tool, a shell, and a prompt that says nothing else. It is to be a terminal that keeps its state; those plugins have no code yet, so
 * `tool-bash`, which begins each command afresh, stands in for them and leaves with the revision that brings them.
 */
export const minimal1: readonly Row[] = [
  { id: "persona", name: "persona", config: { prefix, complete: true, includeRuntimeContext: false } },
  { id: "tool-bash", name: "tool-bash", config: { timeoutMs } },
  // files are read and written with the shell; this row is there for images, once the tool can read them
  { id: "tool-fs", name: "tool-fs", config: { read: false, write: false, edit: false } },
  plainCompaction,
  {
    id: "persistent-shell",
    name: "cordis:group",
    group: true,
    isolate: { terminals: true },
    config: [
      { id: "pty", name: "terminal" },
      { id: "terminal-bash", name: "terminal-bash", config: { timeoutMs } },
      { id: "persistent-bash", name: "tool-bash-persistent", config: { timeoutMs } },
      { id: "terminal-pwsh", name: "terminal-bash", disabled: offWindows, config: { shellDialect: "pwsh", timeoutMs } },
      { id: "persistent-pwsh", name: "tool-pwsh-persistent", disabled: offWindows, config: { timeoutMs } },
    ],
  },
];
