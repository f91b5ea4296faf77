import type { CallCard, Json, MessageSource, ResultCard, TextBlock, ToolContentBlock } from "@gantry/contracts";
import type { ToolAgent } from "../agent.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import type { ErrorInfo } from "./errors.ts";

/** A user-role notice that a call adds after its batch (TLS-11a). */
export type AdditionalContext = { readonly content: readonly ToolContentBlock[]; readonly source: MessageSource };

/** One call as the model wrote it. `arguments` is the raw string, valid JSON or not. */
export type ToolCall = { readonly callId: string; readonly name: string; readonly arguments: string };

/** Who calls, when, and how to stop it. Agent-less calls see only unscoped tools and listeners. */
export type CallOptions = {
  readonly agent?: ToolAgent;
  readonly signal: AbortSignal;
  readonly turn: number;
  readonly step: number;
  /** The execution that makes this nested call, for code mode (T-19). */
  readonly parent?: ToolExecution;
  /** The call was decided and started by a worker that died: policy is not asked again and the body only looks for what it had started. */
  readonly isRejoin?: boolean;
};

/** The frozen identity of one execution: what listeners, guards and bodies are shown. Arguments are frozen JSON and never rewritten. */
export interface ToolExecution {
  readonly token: symbol;
  readonly callId: string;
  /** The model-made call this execution belongs to; its own id unless nested. */
  readonly rootCallId: string;
  readonly parentToken?: symbol;
  readonly name: string;
  readonly arguments: Json;
  readonly agent?: ToolAgent;
  readonly orgId?: string;
  readonly sessionId?: string;
  readonly userId?: string;
  readonly turn: number;
  readonly step: number;
  /** The caller's signal, also after a wrapper gave the body another. */
  readonly signal: AbortSignal;
  readonly isRejoin: boolean;
}

/** What a body gets besides its arguments. */
export interface ToolRun {
  readonly execution: ToolExecution;
  readonly agent: ToolAgent | undefined;
  /** Fires with the caller's cancellation or with a wrapper's, whichever comes first. */
  readonly signal: AbortSignal;
  /** Adds a notice after the batch; it survives a later failure of this body. */
  defer(context: AdditionalContext): void;
  /** Makes the step the last one unless a block undoes it (TLS-12). */
  concludeTurn(): void;
}

/** The kinds of effects a tool may have, from none on. */
export type ToolRisk = "read" | "write" | "execute" | "network";

/** A tool as the registry holds it (TLS-1). Only `name`, `description` and `parameters` ever reach the model (T-3). */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly output: {
    readonly schema: JsonSchema;
    /** Pure: what the model reads. */
    render(value: Json, args: Json): ToolContentBlock[];
    /** Pure: the only extra data a result card gets, for top-level calls. */
    presentationMeta?(value: Json, args: Json): Json | undefined;
  };
  execute(args: Json, run: ToolRun): Promise<Json>;
  /** A declared budget; enforced only where the timeout policy is loaded. */
  readonly timeoutMs?: number;
  isConcurrencySafe?(args: Json): unknown;
  /** A call whose result was lost may be repeated: it only reads, or a repeat changes nothing more (REC-16). Absent: its effect has to be checked first. */
  readonly recovery?: "readonly" | "idempotent";
  /** What a call may do at most, for rules that speak of kinds of tools; absent: `execute`. */
  readonly risk?: ToolRisk;
  /** The body can take up a run that it started before its worker died, instead of starting another (`ToolRun.isRejoin`). */
  readonly canRejoin?: boolean;
  presentCall?(args: Json): CallCard | null;
  presentResult?(args: Json, result: { text: string; meta: Json | undefined; isError: boolean }): ResultCard | null;
  /** Runs exactly once for every outcome, failures included. */
  finalizeContent?(
    content: readonly ToolContentBlock[],
    outcome: { isError: boolean; execution: ToolExecution },
  ): readonly ToolContentBlock[];
}

/** Pre-dispatch decision (T-10, TLS-7). There is no way to rewrite arguments: they are already logged and shown. */
export type PreToolDecision =
  | { readonly kind: "allow" }
  | { readonly kind: "deny"; readonly reason: string; readonly info?: ErrorInfo }
  | { readonly kind: "cancel" }
  | { readonly kind: "ask"; readonly reason?: string; readonly displayReason?: { readonly en: string; readonly [locale: string]: string } };

/** A veto after the waterfall (T-13). It can only deny, so no order of plugins turns a denial back: what must hold is one, not a listener (T-14). */
export type ToolGuard = (execution: ToolExecution) => string | undefined;

/** What the body, or a wrapper in its place, came to. A fabricated value passes the same validation as a body's. */
export type Executed =
  | {
      readonly kind: "value";
      readonly value: unknown;
      readonly additionalContexts?: readonly AdditionalContext[];
      readonly concludesTurn?: boolean;
    }
  | {
      readonly kind: "failure";
      readonly message: string;
      readonly info?: ErrorInfo;
      readonly additionalContexts?: readonly AdditionalContext[];
    };

/** The one thing an execute wrapper may change: the body's signal. The caller's is always fused back in (T-15). */
export type Dispatch = { signal: AbortSignal };

/** A settled call as post-execute listeners see it. */
export type SettledCall = {
  readonly content: readonly ToolContentBlock[];
  readonly isError: boolean;
  readonly error?: ErrorInfo;
  readonly value?: Json;
  readonly meta?: Json;
};

/** Post-execute decision (T-16). `content` and `value` exclude each other; a replaced value is validated and rendered again. */
export type PostToolDecision =
  | {
      readonly kind: "accept";
      readonly content?: readonly ToolContentBlock[];
      readonly value?: unknown;
      readonly additionalContexts?: readonly AdditionalContext[];
    }
  | { readonly kind: "block"; readonly feedback: readonly TextBlock[]; readonly additionalContexts?: readonly AdditionalContext[] };

/** The final, frozen result of a call. A failure is always a result, never a throw (T-17, TLS-9). */
export type ToolOutcome = {
  readonly content: readonly ToolContentBlock[];
  readonly isError: boolean;
  readonly error?: ErrorInfo;
  readonly value?: Json;
  readonly meta?: Json;
  readonly additionalContexts: readonly AdditionalContext[];
  readonly concludesTurn: boolean;
};

/** After policy, before the body. */
export interface Prepared {
  readonly execution: ToolExecution;
  /** Whether the body will start; false when the result is already decided. */
  readonly admitted: boolean;
  /** A person has been asked and has not answered: do not run it, leave the step open, prepare it again after the answer. */
  readonly isParked: boolean;
  /** Runs the body under its wrappers; settles only when the body has. Call once. */
  run(): Promise<Ran>;
}

/** After the body, before the post stage. */
export interface Ran {
  /** The body waits for a person: there is nothing to commit, the call is prepared again after the answer. */
  readonly isParked?: boolean;
  /** Post policy, finalisation, freezing, `tools/result`. Call once, in model order. */
  commit(): Promise<ToolOutcome>;
}
