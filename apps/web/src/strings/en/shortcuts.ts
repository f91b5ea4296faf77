/** Texts of the list of keyboard shortcuts; they load with it. */
export const shortcutTexts = {
  n: "New session",
  help: "This list",
  w: "Go to workspaces (G, then W)",
  s: "Go to settings (G, then S)",
  a: "Go to system status (G, then A)",
  enter: "Send the message",
  shiftEnter: "New line in the message",
  escEsc: "Stop what runs (twice)",
  slash: "Write a message",
  question: "Go to what the agent asks",
};
