/** Texts of choosing a preset in a session; they load with its menu. */
export const presetChoice = {
  label: "Preset {name}, revision {n}",
  olderWhy: "Revision {n} of this preset is used for new sessions; this one keeps the revision it has.",
  open: "Open the preset",
  openRevision: "Show revision {n}",
  switchTo: "Run this session on",
  fixed: "The preset is fixed, because the session has begun.",
  readOnly: "This session is read-only",
  readOnlyTodo:
    "Its log stays readable, and what you have written waits. Choose another preset to go on; the switch is written to the log.",
  choose: "Go on with this preset",
  agent: "What this agent has",
  agentNone: "The model has not been asked anything yet. Its tools and its instructions are shown here from the first message on.",
  agentSince: "As it is sent to the model, since",
  agentTools: "Tools ({n})",
  agentSystem: "Instructions (system prompt)",
  queueDown: "The queue of this installation does not answer",
  noWorker: "No worker of this installation reports",
  queueText:
    "Your message is stored and nothing is lost. The agent begins by itself as soon as this is repaired; an operator may have to look.",
  failed: "The preset was not changed.",
};
