/** Files that come with a message. */
export const attachmentTexts = {
  list: "Attached files",
  image: "image",
  pasted: "pasted text.txt",
  enlarge: "Show it large",
  openTab: "Open in a new tab",
  attach: "Attach images or text files",
  cut: "The model got the first {shown} of {of} characters",
  detach: "Remove {name}",
  failed: "The file could not be uploaded. Try again.",
};
