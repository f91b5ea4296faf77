import {
  type ContextBreakdown,
  type ContextPressure,
  listCost,
  type ModelUsage,
  type OutlineTurn,
  type PermissionsReading,
  pricesAsOf,
  type SelectedPreset,
  type SessionProjectionsInput,
  type SessionStats,
  type TitleReading,
  type Todo,
} from "@gantry/contracts";
import type { ServiceContext } from "../../context.ts";
import { readProjection } from "./read-projection.ts";

/** What a session's log says in sum. Null: nothing of the kind was logged, or the reading could not be made. */
export type SessionProjections = {
  /** position of the last event that is in it; -1 for an empty log */
  readonly asOfSeq: number;
  readonly stats: SessionStats | null;
  /** the newest turns, ascending; `hasMore`: ask again with `beforeTurn` = the first turn here */
  readonly outline: { readonly turns: readonly OutlineTurn[]; readonly hasMore: boolean };
  /** by model; `listCostUsd` null: this release knows no price for the model */
  readonly usage: readonly (ModelUsage & { readonly listCostUsd: number | null })[];
  /** dollars at list prices of a day; `isComplete` false: models without a known price are left out of the sum */
  readonly cost: { readonly listCostUsd: number; readonly isComplete: boolean; readonly pricesAsOf: string };
  readonly context: ContextPressure | null;
  readonly contextBreakdown: ContextBreakdown | null;
  readonly todos: readonly Todo[] | null;
  readonly title: TitleReading | null;
  readonly permissions: PermissionsReading | null;
  readonly presetSelected: SelectedPreset | null;
};

const defaultTurns = 50;

/** Statistics, outline, usage with cost, and the last word on todos, title, permissions and preset (PRJ-3 … PRJ-5). @throws NOT_FOUND, SESSION_CORRUPT */
export async function getProjections(ctx: Pick<ServiceContext, "orgId">, input: SessionProjectionsInput): Promise<SessionProjections> {
  const { asOfSeq, values } = await readProjection(ctx, input.sessionId);
  const { sessionStats: stats, turnOutline, tokenUsage, contextPressure: context, ...last } = values;
  const usage = (tokenUsage ?? []).map((model) => ({ ...model, listCostUsd: listCost(model) }));
  const listCostUsd = usage.reduce((sum, model) => sum + (model.listCostUsd ?? 0), 0);
  const cost = { listCostUsd, isComplete: usage.every((model) => model.listCostUsd !== null), pricesAsOf };
  return { asOfSeq, stats, outline: pageOf(turnOutline ?? [], input), usage, cost, context, ...last };
}

function pageOf(all: readonly OutlineTurn[], { beforeTurn = Infinity, limit = defaultTurns }: SessionProjectionsInput) {
  const before = all.filter(({ turn }) => turn < beforeTurn);
  return { turns: before.slice(-limit), hasMore: before.length > limit };
}
