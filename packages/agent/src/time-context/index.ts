import { isEvent, type Message, type SessionEvent } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import { newId } from "@gantry/platform";
import { z } from "zod";
import type { Agent } from "../loop/agent.ts";
import { isEntered, type PreStep } from "../loop/events.ts";
import { describeReading } from "./reading.ts";
import { TurnZones } from "./turn-zones.ts";

export const name = "time-context";
export const inject: string[] = [];
export const Config = z.strictObject({
  /** The least time between two readings, in ms; 0: one at every step. */
  refreshIntervalMs: z.number().int().nonnegative().max(86_400_000).default(0),
});
type Config = z.infer<typeof Config>;

/** Adds a reading of the clock to each entering step, after everybody else had their say (TIM-1). A rejected step leaves none (AG-086). */
export function apply(ctx: Context, config: Config): void {
  const zones = new WeakMap<Agent, TurnZones>();
  const readings: Readings = new WeakMap();
  ctx.on(
    "agent/pre-step",
    async (input, next) => {
      const decision = await next();
      if (!isEntered(input, decision)) return decision;
      const { agent } = input;
      const known = zones.get(agent) ?? new TurnZones();
      zones.set(agent, known);
      const zone = known.read(agent.log.events, decision.messages);
      const now = Date.now();
      if (!isDue(readings, agent, config, now)) return decision;
      const text = describeReading({ now, zone, elapsedMs: elapsed(input, now) });
      return { kind: "enter", messages: [...decision.messages, reading(text)] };
    },
    { prepend: true },
  );
}

const isReading = ({ source }: Message): boolean => source.kind === "plugin" && source.plugin === name;

/** When the newest reading of each log was taken, and up to where the log was looked at: no step walks through what earlier ones have seen. */
type Readings = WeakMap<Agent, { readUpTo: number; last: number | null }>;

/** Shadowed readings count too: the log decides, not what the model still sees (TIM-1). A clock that went backwards makes one due. */
function isDue(readings: Readings, agent: Agent, { refreshIntervalMs }: Config, now: number): boolean {
  if (refreshIntervalMs === 0) return true;
  const known = readings.get(agent) ?? { readUpTo: 0, last: null };
  readings.set(agent, known);
  const { events } = agent.log;
  for (; known.readUpTo < events.length; known.readUpTo += 1) {
    const event = events[known.readUpTo] as SessionEvent;
    if (isEvent(event, "user/message") && isReading(event.data)) known.last = event.time;
  }
  return known.last === null || now < known.last || now - known.last >= refreshIntervalMs;
}

/** Since the last message before this turn, or since the reading of the step before (TIM-3); null when there is none. What a compaction put in the place of others is no message of that moment. */
function elapsed({ agent, step }: PreStep, now: number): number | null {
  const before = agent.log.events.findLast((event) => {
    if (typeof event.surfaceOp === "object") return false;
    if (isEvent(event, "user/message")) return step === 1 || isReading(event.data);
    return step === 1 ? isEvent(event, "assistant/message") || isEvent(event, "tool/result") : isEvent(event, "turn/start");
  });
  return before && !isEvent(before, "turn/start") ? Math.max(0, now - before.time) : null;
}

const reading = (text: string): Message => ({
  id: newId(),
  role: "user",
  content: [{ type: "text", text }],
  source: { kind: "plugin", plugin: name, form: "snapshot", summary: "time" },
});
