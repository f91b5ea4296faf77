import { type ComposedRow, canonicalJson, catalogData, type Facts } from "@gantry/compose";
import type { Tx } from "@gantry/db";
import { composeState } from "../composition/compose-state.ts";
import { type CompositionState, type LayerText, readRevision, readState } from "../composition/composition-state.ts";
import type { ServiceContext } from "../context.ts";

/** What an organisation's presets stand on: the composition that its sessions' root mounts. */
export type PresetGround = {
  readonly facts: Facts;
  readonly hostRows: readonly ComposedRow[];
  /** of that composition */
  readonly hash: string;
  /** of the organisation's layer in it, as messages name it; the hash does not know it */
  readonly label: string;
};

/** Of the profile that sessions run on; what serves for a composition that did not start is what counts (M-13). */
export async function readPresetGround(tx: Tx, ctx: Pick<ServiceContext, "orgId" | "env">): Promise<PresetGround> {
  const state = await readState(tx, ctx, "web");
  if (state.problem === null || state.previous === null) return groundOf(ctx, state, state.org);
  return groundOf(ctx, state, await readRevision(tx, ctx.orgId, state.profile, state.previous));
}

/** Enough for the organisations that a process serves in an hour; the oldest use goes first. */
const maxRemembered = 200;
const remembered = new Map<string, PresetGround>();

/** What presets would stand on with this layer. Composing is pure, so the answer is kept, per organisation (M-7). */
export function groundOf({ orgId }: Pick<ServiceContext, "orgId">, state: CompositionState, org: LayerText): PresetGround {
  const { facts, providers, plan } = state;
  const key = canonicalJson([orgId, catalogData.version, facts, providers, plan, [org.bundles, org.source], org.label]);
  const ground = remembered.get(key) ?? compose(state, org);
  remembered.delete(key);
  remembered.set(key, ground);
  const [oldest] = remembered.keys();
  if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
  return ground;
}

function compose(state: CompositionState, org: LayerText): PresetGround {
  const { rows, hash } = composeState(state, { org }).composition;
  return { facts: state.facts, hostRows: rows, hash, label: org.label };
}
