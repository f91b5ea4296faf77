/** Texts of choosing a preset in a session; they load with its menu. */
export const presetChoice = {
  label: "Preset {name}, revision {n}",
  olderWhy: "Revision {n} of this preset is in force for new sessions; this one keeps the revision it has.",
  open: "Open the preset",
  openRevision: "Show revision {n}",
  switchTo: "Run this session on",
  fixed: "The preset is fixed, because the session has begun.",
  readOnly: "This session is read-only",
  readOnlyTodo: "Its log stays readable. Choose another preset to go on; the switch is written to the log.",
  choose: "Choose another preset",
  failed: "The preset was not changed.",
} as const;
