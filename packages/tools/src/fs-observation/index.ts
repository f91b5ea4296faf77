import type { Context } from "@gantry/kernel";
import { FsError, type FsTarget, type WriteIntent } from "@gantry/sandbox/seams";
import { z } from "zod";
import type { ToolAgent } from "../agent.ts";
import type { Observation } from "../fs/events.ts";

export const name = "fs-observation-policy";
export const inject: string[] = [];
export const Config = z.strictObject({});

/**
 * Read before overwrite (tools §8.2): a session may replace or edit only the version it has seen. The table lives with the agent object
 * and nowhere else, so a resumed session starts empty, and a file that a command changed has another version and must be read again.
 */
export function apply(ctx: Context): void {
  const seen = new WeakMap<object, Map<string, Observation>>();
  const find = (agent: ToolAgent, target: FsTarget) => seen.get(agent.scope)?.get(target.targetKey);

  ctx.on("fs/observed", (agent, target, observation) => {
    const table = seen.get(agent.scope) ?? new Map<string, Observation>();
    seen.set(agent.scope, table.set(target.targetKey, observation));
  });
  ctx.on("fs/write-intent", (agent, target) => writeIntent(find(agent, target)));
  ctx.on("fs/edit-intent", (agent, target) => editIntent(find(agent, target), target));
}

function writeIntent(observation: Observation | undefined): WriteIntent {
  return observation?.state === "present" ? { kind: "replaceIfVersion", version: observation.version } : { kind: "createIfAbsent" };
}

function editIntent(observation: Observation | undefined, target: FsTarget): WriteIntent {
  if (observation === undefined) throw new FsError("FS_NOT_OBSERVED", `${target.displayPath} has not been read in this session`);
  if (observation.state === "absent") throw new FsError("FS_NOT_FOUND", `${target.displayPath} does not exist`);
  return { kind: "replaceIfVersion", version: observation.version };
}
