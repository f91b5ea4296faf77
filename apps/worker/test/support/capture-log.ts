import { createLogger, type Logger } from "@gantry/platform";

export type Line = { readonly level: string; readonly text: string; readonly about: Record<string, unknown> };

/** A logger whose lines, with what its children add, are kept instead of written. */
export const captureLog = (lines: Line[]): Logger => capture(createLogger("test"), lines, {});

function capture(base: Logger, lines: Line[], bound: Record<string, unknown>): Logger {
  const write = (level: string) => (about: Record<string, unknown>, text: string) =>
    void lines.push({ level, text, about: { ...bound, ...about } });
  const child = (more: Record<string, unknown>) => capture(base, lines, { ...bound, ...more });
  const own = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error"), child };
  return Object.assign(Object.create(base) as Logger, own);
}
