export const globGuidance = "Finding files: use `glob` to find files by name or path, not `find` or `ls -R` in a shell.";

export const grepGuidance =
  "Searching text: use `grep` to search file contents, not shell `grep` or `rg`. Start narrow, with `path` or `include`, in large trees.";
