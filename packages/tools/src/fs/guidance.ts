export const readGuidance =
  "Looking at files: use `read` to look into a file, not `cat`, `head` or `sed` in a shell. Several reads can go out in one step.";

export const writeGuidance =
  "Writing files: use `write` for new files and full rewrites. Read a file that already exists before you replace it.";

export const editGuidance =
  "Changing files: use `edit` for changes inside a file you have read. After a command may have changed the file, read it again first.";
