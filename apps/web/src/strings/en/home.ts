/** Texts of an organisation's first page and of the lists of sessions. */
export const homeTexts = {
  title: "What should be done?",
  prompt: "Task for the agent",
  placeholder: "Describe the task. Say how you would check that it is done.",
  workspace: "Workspace",
  model: "Model",
  preset: "Preset",
  presetBroken: "broken: {why}",
  presetBrokenShort: "broken",
  presetDraft: "not finished",
  start: "Start session",
  needWorkspace: "First, a workspace",
  needWorkspaceText:
    "A workspace holds the files that an agent works on. Start with an empty one, upload an archive, or clone a repository.",
  needModel: "First, a model",
  needModelText:
    "An agent needs a model to think with. Add a provider and its key, which stays encrypted and never enters a sandbox; the scripted demo needs none.",
  addModel: "Add a model provider",
  sessions: "Sessions",
  noSessions: "No sessions yet",
  noSessionsText:
    "Start one by describing a task. The agent works in a container of its own, and everybody in the organisation can follow it here.",
  importing: "importing",
  failedImport: "import failed",
  demo: 'Scripted demo: no real model answers. Write "ask for approval" or "ask me a question" to see how an agent asks people.',
  more: "Show more",
};
