import { AppError, type OrgId } from "@gantry/contracts";
import type { KernelLogger } from "@gantry/kernel";
import { currentOrg } from "./org-context.ts";

/** Told of each crossing, after its log line. */
export type OnMismatch = (capability: string) => void;
type Tripwire = { readonly orgId: OrgId; readonly logger: KernelLogger; readonly onMismatch: OnMismatch };

/** What an alarm looks for in log lines of level error (M-10). */
const alarm = "tenant_mismatch";

/**
 * A frozen copy of a capability's methods, each of which works only inside the work of its own org; what is not a method is left out.
 * Work of no org is refused too: all of a worker's work for an org is wrapped, so a call from nowhere has lost track of whose it is.
 */
export function guarded<T extends object>(wire: Tripwire, name: string, capability: T): Readonly<T> {
  const methods = Object.entries(capability).flatMap(([key, value]) => {
    if (typeof value !== "function") return [];
    const call = (...args: unknown[]): unknown => {
      if (currentOrg() !== wire.orgId) throw mismatch(wire, `${name}.${key}`);
      return Reflect.apply(value, capability, args);
    };
    return [[key, call]];
  });
  return Object.freeze(Object.fromEntries(methods)) as Readonly<T>;
}

/**
 * The org's logger. A line from another org's work is written all the same, with the alarm's field: the kernel reports contained errors here,
 * and throwing would hide them. Work of no org may log, since sockets and process events fail outside of any.
 */
export function guardedLogger(wire: Tripwire): KernelLogger {
  const level = (write: keyof KernelLogger) => (about: object, text?: string) => {
    const caller = currentOrg();
    if (caller !== undefined && caller !== wire.orgId) report(wire, "logger");
    wire.logger[write](about, text);
  };
  return Object.freeze({ debug: level("debug"), info: level("info"), warn: level("warn"), error: level("error") });
}

function mismatch(wire: Tripwire, capability: string): AppError {
  report(wire, capability);
  return new AppError(
    "TENANT_MISMATCH",
    "Something of one organisation was used in the work of another. Nothing was done; operators are told.",
  );
}

function report({ orgId, logger, onMismatch }: Tripwire, capability: string): void {
  const caller = currentOrg() ?? null;
  logger.error({ alarm, owner: orgId, caller, capability }, "a host capability was called in the work of another org");
  onMismatch(capability);
}
