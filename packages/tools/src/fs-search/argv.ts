const versionControl = [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"];

/**
 * ripgrep's arguments for `glob`. Model values ride behind `=` or `--`, so a leading dash or a metacharacter is only text.
 * Each metadata folder is excluded twice: the second form still excludes when the search starts inside it.
 */
export function globArgv(rg: string, pattern: string, path: string | undefined): string[] {
  const excluded = versionControl.flatMap((folder) => [`--glob=!**/${folder}`, `--glob=!**/${folder}/**`]);
  const options = ["--files", `--glob=${pattern}`, "--sort=modified", "--no-ignore", "--hidden"];
  return [rg, "--no-config", ...options, ...excluded, ...pathArguments(path)];
}

/** ripgrep's arguments for `grep`: its own rules for ignored, hidden and binary files stay on. */
export function grepArgv(rg: string, pattern: string, options: { include?: string | undefined; path?: string | undefined }): string[] {
  const include = options.include === undefined ? [] : [`--glob=${options.include}`];
  return [rg, "--no-config", "--json", `--regexp=${pattern}`, ...include, ...pathArguments(options.path)];
}

function pathArguments(path: string | undefined): string[] {
  return path === undefined ? [] : ["--", path];
}
