import type { Agent } from "@gantry/agent";
import { type CommandPayload, isAppError, type PresetId } from "@gantry/contracts";
import type { Logger } from "@gantry/platform";
import type { SessionRef } from "./compose.ts";
import { readPreset, type SessionHeader } from "./load-session.ts";
import type { Selection } from "./open-agent.ts";
import { groundOn } from "./org-grounds.ts";
import type { UsedRoot } from "./roots/root-generation.ts";

type Selecting = {
  readonly ref: SessionRef;
  readonly agent: Agent;
  readonly root: UsedRoot;
  readonly header: SessionHeader;
  readonly log: Logger;
};
type Command = Extract<CommandPayload, { kind: "select-preset" }>;

/**
 * Puts a live session on another revision while it has produced nothing (G-20). A refusal leaves it as it was and is only logged: whoever asked
 * was told at once by the same rules, and what changed since is seen in the session.
 */
export async function selectPreset({ ref, agent, root, header, log }: Selecting, command: Command): Promise<void> {
  const preset = await readPreset(ref, command, groundOn(header.ground, root.composition));
  if (!preset.ref) return log.warn({ ...ref, problem: preset.problem }, "a selected preset cannot be used");
  try {
    await root.switchPreset(agent, preset.ref);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return log.warn({ ...ref, err: error }, "a preset was not selected");
  }
  logSwitch(agent, { preset, commandIds: [] });
}

/** Records the revision that the agent is on now, in the log and on the session's row (G-19). Call it while no turn is open. */
export function logSwitch({ log }: Agent, { preset, commandIds }: Selection): void {
  if (!preset.ref) return;
  const { slug, revision, hash } = preset.ref;
  const presetId = preset.presetId as PresetId;
  log.append({ type: "agent-preset/selected", data: { presetId, revision, slug, hash } });
  log.show({ preset: { presetId, revision }, status: "idle", problem: null });
  for (const id of commandIds) log.consume(id);
}
