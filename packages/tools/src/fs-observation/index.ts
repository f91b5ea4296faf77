import { isDeepStrictEqual } from "node:util";
import type { SessionEvent } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import { FsError, type FsTarget, type WriteIntent } from "@gantry/sandbox/seams";
import { z } from "zod";
import type { ToolAgent } from "../agent.ts";
import type { Observation } from "../fs/events.ts";

export const name = "fs-observation-policy";
export const inject: string[] = [];
export const Config = z.strictObject({});

/**
 * Read before overwrite (tools §8.2): a session may replace or edit only the version it has seen. What it has seen is in its log, so the
 * next holder knows it too (POL-4); a file that a command changed has another version and must be read again. A fork has seen nothing yet,
 * whatever its source had (EX-312).
 */
export function apply(ctx: Context): void {
  const tables = new WeakMap<object, Map<string, Observation>>();
  const seen = (agent: ToolAgent): Map<string, Observation> => {
    const table = tables.get(agent.scope) ?? replay(agent.history().slice(agent.seedLength));
    tables.set(agent.scope, table);
    return table;
  };
  ctx.on("fs/observed", (agent, { targetKey }, observation) => {
    const known = seen(agent).get(targetKey);
    if (known && isDeepStrictEqual(known, observation)) return;
    seen(agent).set(targetKey, observation);
    agent.append({ type: "fs/observed", data: { target: targetKey, ...observation } });
  });
  ctx.on("fs/write-intent", (agent, { targetKey }) => writeIntent(seen(agent).get(targetKey)));
  ctx.on("fs/edit-intent", (agent, target) => editIntent(seen(agent).get(target.targetKey), target));
}

function replay(events: readonly SessionEvent[]): Map<string, Observation> {
  const table = new Map<string, Observation>();
  for (const event of events) {
    if (event.type !== "fs/observed") continue;
    const { target, state, version } = event.data;
    table.set(target, state === "present" && version !== undefined ? { state, version } : { state: "absent" });
  }
  return table;
}

function writeIntent(observation: Observation | undefined): WriteIntent {
  return observation?.state === "present" ? { kind: "replaceIfVersion", version: observation.version } : { kind: "createIfAbsent" };
}

function editIntent(observation: Observation | undefined, target: FsTarget): WriteIntent {
  if (observation === undefined) throw new FsError("FS_NOT_OBSERVED", `${target.displayPath} has not been read in this session`);
  if (observation.state === "absent") throw new FsError("FS_NOT_FOUND", `${target.displayPath} does not exist`);
  return { kind: "replaceIfVersion", version: observation.version };
}
