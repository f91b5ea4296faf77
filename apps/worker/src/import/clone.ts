import { readFile } from "node:fs/promises";
import type { EgressDecision, RunResult, SandboxClient, World } from "@gantry/sandbox";
import { parseCloneUrl } from "@gantry/services/workspace/clone-url";
import { cloneFailure, nothingCloned } from "./clone-failure.ts";

export type CloneOptions = {
  worldId: string;
  orgId: string;
  workspaceId: string;
  url: string;
  /** Hosts inside private networks and other ports than 443: an installation that has its own, and tests. */
  allowPrivate: boolean;
  /** Of all that travels, in both directions; more cannot fit into the workspace. */
  maxBytes: number;
  /** PEM file whose certificates are believed beside those of the system (CP-57). */
  extraCaFile?: string | undefined;
  signal: AbortSignal;
  onDecision?: (decision: EgressDecision) => void;
};

const cloneMs = 8 * 60_000;
const tidyMs = 60_000;
const outputBytes = 16 * 1024;
/** Below so many bytes a second for so many seconds a transfer counts as dead. */
const [slowBytes, slowSeconds] = [200, 45];
const caFile = "/tmp/gantry-ca.pem";

/**
 * Clones a repository into a workspace, in a world of its own that reaches the repository's host and nothing else. All or nothing: git
 * works in a folder beside, and its result is moved into place at the end; a repeat first clears what an attempt that died left.
 * @throws AppError CLONE_REFUSED for what will not work, CLONE_FAILED for what may work later, QUOTA_EXCEEDED; and as `openWorld`
 */
export async function cloneRepository(client: SandboxClient, options: CloneOptions): Promise<void> {
  const { worldId, orgId, workspaceId, allowPrivate, maxBytes, signal } = options;
  const url = parseCloneUrl(options.url, { allowPrivate });
  const decisions: EgressDecision[] = [];
  const onDecision = (decision: EgressDecision) => {
    decisions.push(decision);
    options.onDecision?.(decision);
  };
  const egress = { hosts: [url.host], allowPrivate, maxBytes, onDecision };
  const place = { worldId, orgId, workspaceId, sessionId: null, epoch: 1, mode: "workspace-write" as const };
  const world = await client.openWorld({ ...place, egress, signal });
  const staging = `/workspace/.gantry-clone-${worldId}`;
  try {
    await clear(world, signal);
    const env = await certificates(world, options);
    const result = await runGit(world, [...gitSettings, "clone", "--no-recurse-submodules", "--", url.href, staging], { env, signal });
    signal.throwIfAborted();
    if (result.exitCode !== 0) throw cloneFailure(result, decisions);
    if (!(await hasRefs(world, staging, signal))) throw nothingCloned();
    await moveIntoPlace(world, staging, signal);
  } catch (error) {
    await clear(world).catch(() => {}); // a lost world clears nothing; the next attempt does, first of all
    throw error;
  } finally {
    world.detach();
    await client.stopWorld(worldId);
  }
}

/** git as in a machine that nobody has configured: no helper, no hook, no other transport, and no way to another host than the one judged. */
const gitSettings = [
  ...["credential.helper=", "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.askPass="],
  ...["protocol.allow=never", "protocol.https.allow=always", "http.followRedirects=false", "http.sslVerify=true"],
  ...[`http.lowSpeedLimit=${slowBytes}`, `http.lowSpeedTime=${slowSeconds}`],
].flatMap((setting) => ["-c", setting]);

function runGit(world: World, args: string[], { env, signal }: { env: Record<string, string>; signal: AbortSignal }): Promise<RunResult> {
  const own = { GIT_TERMINAL_PROMPT: "0", GIT_CONFIG_GLOBAL: "/dev/null", LC_ALL: "C" };
  return world.proc.run({
    argv: ["git", ...args],
    env: { ...own, ...env },
    timeoutMs: cloneMs,
    capture: { maxBytes: outputBytes },
    signal,
  });
}

async function hasRefs(world: World, staging: string, signal: AbortSignal): Promise<boolean> {
  const { exitCode, stdout } = await runGit(world, ["-C", staging, "for-each-ref", "--count=1"], { env: {}, signal });
  return exitCode === 0 && stdout.text.trim() !== "";
}

/** The workspace is still being imported: nothing in it can be anybody's work. */
async function clear(world: World, signal?: AbortSignal): Promise<void> {
  await shell(world, "find /workspace -mindepth 1 -delete", [], signal);
}

async function moveIntoPlace(world: World, staging: string, signal: AbortSignal): Promise<void> {
  await shell(world, 'find "$1" -mindepth 1 -maxdepth 1 -exec mv -t /workspace -- {} + && rmdir "$1"', [staging], signal);
}

async function certificates(world: World, { extraCaFile, signal }: CloneOptions): Promise<Record<string, string>> {
  if (extraCaFile === undefined) return {};
  const pem = await readFile(extraCaFile, "utf8");
  await shell(world, `{ cat /etc/ssl/certs/ca-certificates.crt && printf '%s\\n' "$1"; } > ${caFile}`, [pem], signal);
  return { GIT_SSL_CAINFO: caFile };
}

async function shell(world: World, script: string, args: string[], signal?: AbortSignal): Promise<void> {
  const argv = ["bash", "-c", script, "bash", ...args];
  const result = await world.proc.run({ argv, timeoutMs: tidyMs, capture: { maxBytes: 2_000 }, ...(signal ? { signal } : {}) });
  signal?.throwIfAborted();
  if (result.exitCode !== 0) throw cloneFailure(result, []);
}
