import type { PluginLogger } from "./logger.ts";
import { fiberState, type RawFiber, rootKey } from "./raw.ts";
import { asError, codeOf } from "./thrown.ts";

export interface Contained {
  readonly error: unknown;
  readonly phase: "start" | "undo" | "listener" | "other";
  /** Which effect, or which event. */
  readonly label?: string;
}

/** Sends an error that stops nothing to the root's logger and counts it by code (F-1). Never throws. */
export function report(fiber: RawFiber, { error, phase, label }: Contained): void {
  const root = fiber.ctx[rootKey];
  const code = codeOf(error);
  root.errorCounts.set(code, (root.errorCounts.get(code) ?? 0) + 1);
  try {
    const row = root.rows.get(fiber);
    root.meta.logger.error({ root: root.meta.name, fiber: fiber.name, row, label, phase, code, err: asError(error) }, "contained error");
  } catch {
    // The logger itself failed; there is nowhere left to say so, and an unload must not stop for it.
  }
}

/** The logger of one plugin. Cordis reports start failures through it, as a lone error. */
export function pluginLogger(fiber: RawFiber): PluginLogger {
  const write = (level: keyof PluginLogger) => (fields: object, message?: string) => {
    if (level === "error" && message === undefined) {
      report(fiber, { error: fields, phase: fiber.state === fiberState.loading ? "start" : "other" });
      return;
    }
    fiber.ctx[rootKey].meta.logger[level]({ fiber: fiber.name, ...fields }, message);
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
