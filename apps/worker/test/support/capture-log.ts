import { createLogger, type Logger } from "@gantry/platform";

export type Line = { readonly level: string; readonly text: string; readonly about: Record<string, unknown> };

/** A logger whose lines, with what its children add, are kept instead of written. */
export function captureLog(lines: Line[], bound: Record<string, unknown> = {}): Logger {
  const log = createLogger("test");
  for (const level of ["debug", "info", "warn", "error"] as const) {
    log[level] = ((about: Record<string, unknown>, text: string) => lines.push({ level, text, about: { ...bound, ...about } })) as never;
  }
  log.child = ((more: Record<string, unknown>) => captureLog(lines, { ...bound, ...more })) as never;
  return log;
}
