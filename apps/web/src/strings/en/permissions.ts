/** Texts of what a session may touch; they load with its choice. */
export const permissionTexts = {
  label: "Permissions",
  names: {
    "read-only": "Read only",
    "workspace-write": "Workspace write",
    "danger-full-access": "Full access",
  },
  custom: "Custom",
  hints: {
    "read-only": "Reads the workspace, changes nothing, no network",
    "workspace-write": "Changes files of the workspace, asks for more",
    "danger-full-access": "Network and the whole container, asks nobody",
  },
  forOneCall: "{name}, for this one call: {why}",
  dangerTitle: "Give the agent full access?",
  dangerText:
    "It may then use the network and everything in its container, and nobody is asked any more. What it reads may leave this installation. Use it only with files and keys that may be seen by others.",
  danger: "Give full access",
  failed: "The permissions were not changed.",
};
