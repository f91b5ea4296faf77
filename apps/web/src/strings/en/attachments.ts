/** Files that come with a message. */
export const attachmentTexts = {
  list: "Attached files",
  image: "image",
  pasted: "pasted text.txt",
  enlarge: "Show it large",
  openTab: "Open in a new tab",
  attach: "Attach images or text files",
  detach: "Remove {name}",
  failed: "The file could not be uploaded. Try again.",
};
