/**
 * The variables every command gets on top of the world's allow-listed base (tools §4.4). Nothing here comes from this process's own
 * environment, and no value names anything of the control plane. The log is not in the container, so there is no path to it.
 */
export function managedEnvironment(sessionId: string, home: string): Record<string, string> {
  return {
    NO_COLOR: "1",
    TERM: "dumb",
    PAGER: "cat",
    GIT_PAGER: "cat",
    DSH_HOME: home,
    DSH_SHELL: "1",
    DSH_SESSION_ID: sessionId,
  };
}
