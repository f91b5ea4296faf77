import { homeDir, tempDir } from "../settings.ts";

/** All that a child inherits (specs/tools §4.4): an allow-list, so nothing of the control plane can be in it (EX-016). */
const base: Readonly<Record<string, string>> = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: homeDir,
  USER: "agent",
  LOGNAME: "agent",
  SHELL: "/bin/bash",
  LANG: "C.UTF-8",
  TMPDIR: tempDir,
  NO_COLOR: "1",
  TERM: "dumb",
  PAGER: "cat",
  GIT_PAGER: "cat",
};

/** The base with the caller's entries over it; null takes a variable away. */
export function childEnvironment(extra: Readonly<Record<string, string | null>>): Record<string, string> {
  const entries = Object.entries({ ...base, ...extra });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}
