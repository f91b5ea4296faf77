import { AppError, type InstallBundle } from "@gantry/contracts";
import { type Tx, withOrg } from "@gantry/db";
import { type CompositionState, readState, switchedTo } from "../composition/composition-state.ts";
import { changeTimeoutMs, lockState } from "../composition/lock-composition.ts";
import type { ServiceContext } from "../context.ts";
import { findBundle } from "./bundle-view.ts";
import { readSpec } from "./inspect-plugin.ts";
import { beginInstall, passVerdict } from "./install-locks.ts";
import { findInstall, isCancelled } from "./install-record.ts";
import { activate, cancelled, type OperationResult, type Refusal, refused, unchanged } from "./operation-result.ts";
import { withBundle } from "./select-bundle.ts";

/**
 * Adds an approved bundle, `name` or `name@version`, to the org in two steps: the composition with it is checked, then put in force; a failure of either
 * leaves the earlier revision. A repeat of `requestId` within a day is the same request: it gets the same result, also while the first still runs, and stores
 * nothing once the request was cancelled.
 * @throws REVISION_STALE, COMPOSITION_BUSY, CONFLICT when the id was used for something else, NOT_FOUND for an unknown profile
 */
export function installBundle(ctx: ServiceContext, input: InstallBundle): Promise<OperationResult> {
  const ref = { orgId: ctx.orgId, requestId: input.requestId };
  return withOrg(
    ctx.orgId,
    async (tx) => {
      await beginInstall(tx, ref);
      if (await isCancelled(tx, ref)) return refused(await readState(tx, ctx, input.profile), input.spec, cancelled);
      const earlier = await findInstall(tx, ref);
      if (!earlier) return install(tx, ctx, input, await lockState(tx, ctx, input));
      if (earlier.profile === input.profile && earlier.spec === input.spec) return earlier.result;
      throw new AppError("CONFLICT", "This request id was used for another installation. Use a new one.");
    },
    { timeoutMs: changeTimeoutMs },
  );
}

async function install(tx: Tx, ctx: ServiceContext, input: InstallBundle, state: CompositionState): Promise<OperationResult> {
  const { spec, requestId, reason, profile } = input;
  const selection = select(state, spec);
  if ("refused" in selection) return refused(state, spec, selection.refused);
  if ("already" in selection) return unchanged(state, spec, selection.already);
  const next = switchedTo(state.org.source, selection.bundles);
  return activate(tx, ctx, state, next, {
    action: "plugin.install",
    subject: requestId,
    target: spec,
    reason,
    force: input.force,
    mayStore: () => passVerdict(tx, { orgId: ctx.orgId, requestId }),
    record: (result) => ({ install: { profile, spec, result } }),
  });
}

function select(state: CompositionState, spec: string): ReturnType<typeof withBundle> {
  const wanted = readSpec(spec);
  if (!wanted) return { refused: invalidSpec };
  const bundle = findBundle(wanted.name);
  if (bundle && wanted.version !== null && wanted.version !== bundle.version) return { refused: otherVersion };
  return withBundle(state, wanted.name);
}

const invalidSpec: Refusal = { code: "BAD_REQUEST", message: "A bundle is named as name or name@version. Nothing else is installed." };
const otherVersion: Refusal = { code: "BUNDLE_UNKNOWN", message: "This release has another version of the bundle. Leave the version out." };
