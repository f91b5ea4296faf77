import type { Agent, AgentOptions } from "@gantry/agent";
import { type CommandId, isAppError, isEvent } from "@gantry/contracts";
import { pendingCommands, readOnly } from "@gantry/db";
import { markBroken, markMended } from "./broken-presets.ts";
import type { SessionRef } from "./compose.ts";
import { pinnedPreset, readPreset, type SessionHeader, type SessionPreset } from "./load-session.ts";
import { groundOn, type OrgGround } from "./org-grounds.ts";
import type { UsedRoot } from "./roots/root-generation.ts";

/** A switch that a person asked for and that the agent was made with; to be logged when no turn is open (G-19). */
export type Selection = { readonly preset: SessionPreset; readonly commandIds: readonly CommandId[] };
export type OpenedAgent =
  | { readonly agent: Agent; readonly selection: Selection | null }
  /** it cannot run: the reason, and the requests to select another preset that did not help */
  | { readonly agent: null; readonly problem: string; readonly commandIds: readonly CommandId[] };
type Opening = { readonly ref: SessionRef; readonly root: UsedRoot; readonly header: SessionHeader; readonly options: AgentOptions };

/**
 * The agent of a session on the revision it recorded last. When that cannot be mounted: on the one that a person selected since, else none
 * (G-19). @throws what is no fault of the preset, so that another try may help
 */
export async function openAgent(opening: Opening): Promise<OpenedAgent> {
  const { ref, header, root } = opening;
  const ground = groundOn(header.ground, root.composition);
  const current = pinnedPreset(header, ground);
  const pinned = await lastRecorded(opening, current, ground);
  const first = await tryPreset(opening, pinned);
  if (first.agent) {
    await markMended(ref.orgId, header);
    await retireOthers(opening);
    if (header.status === readOnly) first.agent.log.show({ status: "idle", problem: null });
    return { agent: first.agent, selection: null };
  }
  if (pinned === current && !first.isOutside) await markBroken(ref.orgId, header, root.composition.hash, first.problem);
  const wishes = (await pendingCommands(ref.orgId, ref.sessionId)).flatMap(({ id, payload }) =>
    payload.kind === "select-preset" ? [{ id, payload }] : [],
  );
  const commandIds = wishes.map(({ id }) => id);
  const last = wishes.at(-1); // it stands for the earlier ones
  if (!last) return { agent: null, problem: first.problem, commandIds };
  const preset = await readPreset(ref, last.payload, ground);
  const next = await tryPreset(opening, preset);
  return next.agent ? { agent: next.agent, selection: { preset, commandIds } } : { agent: null, problem: next.problem, commandIds };
}

/** The row may have been read before another holder switched; the log tells (G-19). */
async function lastRecorded({ ref, options }: Opening, current: SessionPreset, ground: OrgGround): Promise<SessionPreset> {
  const last = options.events.findLast((event) => isEvent(event, "agent-preset/selected"));
  if (!last || !isEvent(last, "agent-preset/selected")) return current;
  const { presetId, revision } = last.data;
  const isSame = current.presetId === presetId && current.revision === revision;
  return isSame ? current : readPreset(ref, { presetId, revision }, ground);
}

type Tried = { readonly agent: Agent } | { readonly agent: null; readonly problem: string; readonly isOutside: boolean };

async function tryPreset({ root, options }: Opening, preset: SessionPreset): Promise<Tried> {
  if (!preset.ref) return { agent: null, problem: preset.problem, isOutside: preset.isOutside };
  const { ref } = preset;
  try {
    return { agent: await root.createAgent(options, ref) };
  } catch (error) {
    if (!isAppError(error, "PRESET_BROKEN") && !isAppError(error, "PRESET_LEAK")) throw error;
    return { agent: null, problem: error.message, isOutside: false };
  }
}

/** What is no longer current of the session's preset goes with its last agent (G-17); a preset that is gone has nothing current. */
async function retireOthers({ root, header: { presetId: id, preset } }: Opening): Promise<void> {
  await root.retirePresets((presetId, revision) => presetId !== id || revision === (preset?.current ?? null));
}
