import type { KernelLogger } from "./logger.ts";
import type { RawContext, RawFiber, RawHook, RawImpl } from "./raw.ts";
import type { LabelledRealms } from "./repairs/isolate.ts";

/** What the host says about a root when it makes it. */
export interface RootMeta {
  /** Names the root in log lines, for instance the org id and the composition hash. */
  readonly name: string;
  readonly logger: KernelLogger;
  /** Checks every scope-filtered dispatch (C-11). Default true; a production worker turns it off. */
  readonly checks?: boolean;
  /** Called once, when something of the root would not come to rest; the worker then drains and is replaced (13.5). */
  readonly onTaint?: (reason: string) => void;
}

/** Names the subject in the arguments of a scope-filtered event, so that a check can compare it with the carrier's key. */
export type SubjectOf = (...args: never[]) => object | undefined;

/** What a dispatch needs. The table has no prototype, so that any string is an event name (D5, K-32). */
export interface EventBus {
  readonly hooks: Record<string, RawHook[]>;
  readonly scopedEvents: Map<string, SubjectOf | null>;
  readonly checks: boolean;
}

/** Told of each service at the moment it is provided, with the realm it lives in. */
export type ServiceWatcher = (impl: RawImpl, realm: symbol) => void;

export interface RootState {
  readonly meta: RootMeta;
  readonly ctx: RawContext;
  phase: "open" | "closing" | "sealed";
  taint: string | null;
  /** Every fiber that has not come to its final rest. */
  readonly fibers: Set<RawFiber>;
  /** The row that a fiber was mounted for, named in reports (F-1). */
  readonly rows: WeakMap<RawFiber, string>;
  readonly bus: EventBus;
  readonly serviceWatchers: Set<ServiceWatcher>;
  servicesProvided: number;
  readonly labelledRealms: LabelledRealms;
  /** What to do when a fiber that starts is active. */
  readonly whenActive: Map<RawFiber, Set<() => void>>;
  /** Contained errors by code (F-1). */
  readonly errorCounts: Map<string, number>;
  closing?: Promise<void>;
}

export function taintRoot(root: RootState, reason: string): void {
  if (root.taint !== null) return;
  root.taint = reason;
  const { name, logger, onTaint } = root.meta;
  quietly(() => logger.error({ root: name, reason }, "root is tainted: replace this worker"));
  quietly(() => onTaint?.(reason));
}

function quietly(tell: () => void): void {
  try {
    tell();
  } catch {
    // A logger or a host that fails must not hide it: the other still has to know, and so has whoever waits for the rest.
  }
}
