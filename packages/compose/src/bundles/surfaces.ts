import type { Bundle } from "./bundle.ts";
import { rowsNamed } from "./rows.ts";

/** What the browser adds: people who read along, give feedback, point at files and other sessions. */
export const web: Bundle = {
  name: "web",
  version: 1,
  patches: [
    rowsNamed(
      "subagent-model-selection",
      "message-feedback",
      "session-reference",
      "file-reference",
      "schedule",
      "cordis-inspect",
      "harness-dev-context",
      "office-to-pdf",
      "workspace-changes",
    ),
    // for those who work on Gantry itself
    { id: "harness-dev-context", disabled: true },
  ],
};

/** Nobody is there to be asked: a question would wait for ever. */
export const headless: Bundle = { name: "headless", version: 1, patches: [{ id: "user-questions", disabled: true }] };

/** A program asks, answers and names its sessions itself. */
export const sdk: Bundle = {
  name: "sdk",
  version: 1,
  patches: [
    { id: "session-title-fallback", disabled: true },
    { id: "session-title-llm", disabled: true },
  ],
};
