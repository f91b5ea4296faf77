const labelled = (label, text) => `  ${label.padEnd(9)}  ${text.trim().replaceAll("\n", `\n${" ".repeat(13)}`)}`;

const levels = {
  runc: "plain containers (runc); the engine does not remap users",
  userns: "containers with remapped users",
  gvisor: "containers under gVisor",
  unknown: "unknown",
};

/**
 * What a newcomer needs: where to go, how to get in, how well agents are fenced in, what is missing.
 * @param {{ url: string, env: Record<string, string>, demo: { email: string, password: string }, missing: string[] }} options
 */
export async function banner({ url, env, demo, missing }) {
  const { line, problems } = await isolation(env.GANTRY_BROKER_SOCKET);
  const lines = ["", `  Gantry is ready: ${url}`, "", labelled("Sign in", `${demo.email} / ${demo.password}`), labelled("Isolation", line)];
  for (const remark of missing) lines.push(labelled("Missing", remark));
  for (const problem of problems) lines.push(labelled("Note", problem));
  lines.push(`  Data       ${env.GANTRY_DATA_DIR} (logs in logs/)`, "  Stop       Ctrl-C", "");
  return lines.join("\n");
}

/** The broker's own report, not what we hope to have set up. */
async function isolation(socketPath) {
  const { createSandboxClient } = await import("@gantry/sandbox");
  const status = await createSandboxClient({ socketPath }).status();
  const seccomp = status.seccomp ? "system calls filtered" : "system calls NOT filtered";
  const quota = status.quotaEnforced ? "disk quotas enforced" : "disk quotas NOT enforced";
  return { line: `${levels[status.isolation]}, ${seccomp}, ${quota}`, problems: status.problems };
}
