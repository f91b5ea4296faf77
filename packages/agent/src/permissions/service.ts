import { AppError, isWider, type Message, type PermissionPreset } from "@gantry/contracts";
import { type Context, Service } from "@gantry/kernel";
import { newId } from "@gantry/platform";
import type { Agent } from "../loop/agent.ts";
import { checkedTable, currentPreset, policyOf } from "./facts.ts";

declare module "@gantry/kernel" {
  interface Context {
    permissions: Permissions;
  }
}

/** Kernel service `permissions`: named pairs of sandbox mode and approval policy, as facts of each session's log (PRM-1 … PRM-5). */
export class Permissions extends Service {
  private readonly table: readonly PermissionPreset[];

  /** @throws TypeError for a table that cannot be (PRM-2) */
  constructor(ctx: Context, table: readonly PermissionPreset[]) {
    super(ctx, "permissions");
    this.table = checkedTable(table);
  }

  /** What a session may be put on. */
  names(): string[] {
    return this.table.map(({ name }) => name);
  }

  current(agent: Agent): string {
    return currentPreset(agent, this.table);
  }

  /**
   * Puts a session on a preset: only what changes is logged, and facts that drifted away from the preset are put right (PRM-3). It holds for the
   * next policy decision; bodies that run keep their sandbox (PRM-5).
   * @throws AppError INPUT_REFUSED for a name that is not in the table; nothing is logged then
   */
  set(agent: Agent, name: string): void {
    const preset = this.find(name);
    const { log } = agent;
    const policy = policyOf(agent);
    if (log.last("permission/preset")?.data.preset !== name) log.append({ type: "permission/preset", data: { preset: name } });
    if (agent.sandboxMode() !== preset.mode) log.append({ type: "sandbox/mode", data: { mode: preset.mode } });
    if (policy !== preset.policy) {
      log.append({ type: "approval/policy", data: { policy: preset.policy } });
      if (log.last("request/header")) agent.inbox.push("next-step", notice(preset.policy));
    }
    log.show({ permission: name });
  }

  /**
   * Writes down what a session is to keep, whatever becomes of the defaults: only facts that its log does not have yet (PRM-4). A default that
   * the table does not have gives way to the narrowest that it has, so that an org's table bounds its new sessions.
   */
  pin(agent: Agent, name: string): void {
    const { log } = agent;
    if (log.last("sandbox/mode") && log.last("approval/policy")) return;
    const preset = this.table.find((row) => row.name === name) ?? narrowest(this.table);
    const isBare = !log.last("sandbox/mode") && !log.last("approval/policy") && !log.last("permission/preset");
    if (isBare) log.append({ type: "permission/preset", data: { preset: preset.name } });
    if (isBare && preset.name !== name) log.show({ permission: preset.name });
    if (!log.last("sandbox/mode")) log.append({ type: "sandbox/mode", data: { mode: preset.mode } });
    if (!log.last("approval/policy")) log.append({ type: "approval/policy", data: { policy: preset.policy } });
  }

  private find(name: string): PermissionPreset {
    const preset = this.table.find((row) => row.name === name);
    if (preset) return preset;
    throw new AppError("INPUT_REFUSED", `There is no permission preset of this name. Known ones: ${this.names().join(", ")}.`);
  }
}

/** The first of those that let a session touch least. */
function narrowest(table: readonly PermissionPreset[]): PermissionPreset {
  return table.reduce((least, row) => (isWider(least.mode, row.mode) ? row : least));
}

/** The change itself is in the facts of the next step; this is for the model to notice it (PRM-5). */
function notice(policy: PermissionPreset["policy"]): Message {
  const text =
    policy === "never"
      ? "The user changed the approval policy to never: from now on nobody is asked, and calls that need a permission are refused."
      : "The user changed the approval policy to ask: calls that need a permission are put to the user from now on.";
  const source = { kind: "plugin", plugin: "permission-presets", form: "notice", summary: "Approval policy changed" } as const;
  return { id: newId(), role: "user", content: [{ type: "text", text }], source };
}
