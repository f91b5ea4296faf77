import { contextBreakdown } from "./context-breakdown.ts";
import { contextPressure, permissions, presetSelected, title, todos } from "./readings.ts";
import { sessionStats } from "./session-stats.ts";
import { tokenUsage } from "./token-usage.ts";
import { turnOutline } from "./turn-outline.ts";

/** Every unit of the kernel's own events; what a reader does not need it leaves out. */
export const sessionUnits = {
  sessionStats,
  turnOutline,
  todos,
  title,
  tokenUsage,
  contextPressure,
  contextBreakdown,
  permissions,
  presetSelected,
} as const;

export type { ContextBreakdown } from "./context-breakdown.ts";
export * from "./fold.ts";
export type * from "./readings.ts";
export type { SessionStats } from "./session-stats.ts";
export type { ModelUsage } from "./token-usage.ts";
export type { OutlineTurn } from "./turn-outline.ts";
export type * from "./unit.ts";
