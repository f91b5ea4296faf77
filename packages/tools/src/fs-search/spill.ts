import type { PostToolDecision, SettledCall, ToolExecution } from "../registry/types.ts";
import type { SpillSeam, Stored } from "../spill/seam.ts";
import type { SearchConfig } from "./config.ts";
import { GlobValue, renderGlob } from "./glob-value.ts";
import { GrepValue, renderGrep } from "./grep-value.ts";

/**
 * Saves the complete result of an over-cap search and puts its place into the footer. Only for a direct, accepted call whose result
 * no other policy replaced; without a store, or when saving fails, the text stays as it is.
 */
export async function spillSearch(
  call: { execution: ToolExecution; settled: SettledCall; decision: PostToolDecision },
  spill: SpillSeam | undefined,
  config: SearchConfig,
): Promise<PostToolDecision> {
  const { execution, settled, decision } = call;
  const { agent, callId, name } = execution;
  if (!spill || !agent || execution.parentToken !== undefined || settled.isError) return decision;
  if (decision.kind !== "accept" || decision.content !== undefined || decision.value !== undefined) return decision;
  const over = overCap(name, settled.value, config);
  if (!over) return decision;
  const source = { toolName: name, callId, label: name };
  const stored = await spill
    .saveText({ owner: agent, source, suggestedName: `${name}-results.txt`, content: over.full })
    .catch(() => undefined); // the footer already says that the rest could not be saved
  return stored === undefined ? decision : { ...decision, content: [{ type: "text", text: over.text(stored) }] };
}

function overCap(name: string, value: unknown, config: SearchConfig): { full: string; text(stored: Stored): string } | undefined {
  if (name === "glob") {
    const { data } = GlobValue.safeParse(value);
    if (!data || data.paths.length <= config.maxPaths) return undefined;
    return { full: data.paths.join("\n"), text: (stored) => renderGlob(data, config, stored) };
  }
  const { data } = GrepValue.safeParse(value);
  if (!data || data.total <= config.maxMatches) return undefined;
  return { full: renderGrep(data, data.total), text: (stored) => renderGrep(data, config.maxMatches, stored) };
}
