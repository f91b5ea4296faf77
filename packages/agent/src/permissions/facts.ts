import { type ApprovalPolicy, type PermissionPreset, permissionTableProblems } from "@gantry/contracts";
import type { Agent } from "../loop/agent.ts";

/** Whether people are asked in this session: its last word, else what goes with its mode (PRM-1). */
export function policyOf(agent: Agent): ApprovalPolicy {
  return agent.log.last("approval/policy")?.data.policy ?? (agent.defaultMode === "danger-full-access" ? "never" : "ask");
}

/** The table as it may be used. @throws TypeError for one that cannot be (PRM-2) */
export function checkedTable(table: readonly PermissionPreset[]): readonly PermissionPreset[] {
  const problems = permissionTableProblems(table);
  if (problems.length > 0) throw new TypeError(problems.join("; "));
  return table;
}

/** The preset that a session is on: the recorded one while it still says what holds, else the first that does, else `custom`, which is never recorded (PRM-2). */
export function currentPreset(agent: Agent, table: readonly PermissionPreset[]): string {
  const [mode, policy] = [agent.sandboxMode(), policyOf(agent)];
  const fits = table.filter((row) => row.mode === mode && row.policy === policy);
  const recorded = agent.log.last("permission/preset")?.data.preset;
  return (fits.find(({ name }) => name === recorded) ?? fits[0])?.name ?? "custom";
}
