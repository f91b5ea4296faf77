/** One line a fact: `log.info({ sessionId }, "turn ended")`. The shape of pino. */
export type LogMethod = (fields: object, message?: string) => void;

/** Where a root writes (D10, F-1); the host binds the org id into it. */
export interface KernelLogger {
  debug: LogMethod;
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
}

/** `ctx.logger`: adds the plugin's name to each line. A lone Error is reported with its code, and counted. */
export interface PluginLogger {
  debug: LogMethod;
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
}
