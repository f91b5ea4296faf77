import { type ToolSchema, toLosslessJson } from "@gantry/contracts";
import {
  type Context,
  type Disposer,
  declareScopedEvent,
  isForeignScope,
  isKernelError,
  KernelError,
  ScopedLayers,
  Service,
  scopeOf,
  scopeTarget,
} from "@gantry/kernel";
import type { ToolAgent } from "../agent.ts";
import { maxTimerMs } from "../max-timer.ts";
import { byCodeUnits } from "../prompt/tool-order.ts";
import { assertParameters, assertSchema, type JsonSchema } from "../schema/json-schema.ts";
import "./events.ts";
import { classify } from "./classify.ts";
import { createToolLayer, type ToolLayer } from "./layer.ts";
import { assertToolName, assertTransportName } from "./names.ts";
import type { PipelineHost } from "./pipeline/host.ts";
import { prepareCall } from "./pipeline/prepare.ts";
import { type Declaration, type PresentationView, presentationOf, type ToolPresentation } from "./presentation.ts";
import { compileRestriction, type ToolFilter } from "./restriction.ts";
import type {
  CallOptions,
  PostToolDecision,
  Prepared,
  PreToolDecision,
  ToolCall,
  ToolDefinition,
  ToolExecution,
  ToolGuard,
} from "./types.ts";
import { inheritedTools, offeredTools, visibleTools } from "./view.ts";

/**
 * `ctx.tools`: the tools of every scope, and the pipeline each call goes through (kernel §5). Registrations land in the caller's scope
 * and go with the caller's plugin.
 */
export class ToolRegistry extends Service {
  private readonly layers: ScopedLayers<ToolLayer>;
  private readonly visible: Readings["visible"];
  private readonly presented: Readings["presented"];
  private readonly offers: (scope?: object) => readonly ToolSchema[];
  private readonly host: PipelineHost;
  private readonly own: Context;
  /** Declarations without a transport that the log has been told of. */
  private readonly lamented = new WeakSet<Declaration>();

  constructor(ctx: Context) {
    super(ctx, "tools");
    this.own = ctx;
    const layers = new ScopedLayers<ToolLayer>({ create: createToolLayer, changed: () => ctx.emit("tools/change") });
    this.layers = layers;
    this.visible = layers.cached((key) => visibleTools(layers, key));
    this.presented = layers.cached((key) => presentationOf(layers, key));
    this.offers = layers.cached((key) => Object.freeze(offeredTools(layers, key).map(schemaOf).sort(byName)));
    this.host = pipelineHost(ctx, { layers, visible: this.visible, presented: this.presented });
    const subject = (execution: ToolExecution) => execution.agent?.scope;
    declareScopedEvent(ctx, "tools/pre-execute", subject);
    declareScopedEvent(ctx, "tools/execute", subject);
    declareScopedEvent(ctx, "tools/post-execute", subject);
    declareScopedEvent(ctx, "tools/result", subject);
  }

  /** Files a tool in the caller's layer, where its name is unique and shadows farther ones (T-1, TLS-3). @throws TypeError for a bad name or schema; KernelError NAME_TAKEN inside one layer */
  register(definition: ToolDefinition): Disposer {
    assertToolName(definition.name);
    const entry = checkedDefinition(definition);
    try {
      return this.layers.register(this.ctx, `tools.register(${definition.name})`, (layer) => layer.tools.add(entry.name, entry));
    } catch (error) {
      if (!isKernelError(error, "NAME_TAKEN") || scopeOf(this.ctx) !== undefined) throw error;
      const hint = "To give one agent or preset its own, register it through that scope's context.";
      throw new KernelError("NAME_TAKEN", `A tool "${definition.name}" is already registered for everyone. ${hint}`, { cause: error });
    }
  }

  /** Hides inherited tools from the caller's scope and those below (T-5). @throws KernelError RESTRICT_UNSCOPED, UNKNOWN_TOOL */
  restrict(filter: ToolFilter): Disposer {
    const key = scopeOf(this.ctx);
    if (key === undefined) throw new KernelError("RESTRICT_UNSCOPED", restrictUnscoped);
    const own = new Set([...(this.layers.peek(key)?.tools ?? [])].map(([name]) => name));
    const restriction = compileRestriction(filter, { inherited: new Set(inheritedTools(this.layers, key).keys()), own });
    return this.layers.register(this.ctx, "tools.restrict()", (layer) => layer.restrictions.add(restriction));
  }

  /** Adds a veto to the caller's layer that no listener can turn back (T-7, T-13). */
  guard(guard: ToolGuard): Disposer {
    return this.layers.register(this.ctx, "tools.guard()", (layer) => layer.guards.add(guard));
  }

  /** Says how the caller's scope and those below it are offered their tools; the nearest says it (T-23). @throws KernelError NAME_TAKEN inside one layer */
  presentAs(mode: ToolPresentation): Disposer {
    return this.layers.register(this.ctx, `tools.presentAs(${mode})`, (layer) => layer.presentation.add("mode", { mode }));
  }

  /**
   * For the runtime of a reserved tool alone: the one that stands for all others under `ptc` and `both`. No restriction reaches it and
   * no scope shadows it (T-2, T-4). @throws TypeError for another name or a bad schema; KernelError NAME_TAKEN where the scope has one
   */
  registerTransport(definition: ToolDefinition): Disposer {
    assertTransportName(definition.name);
    const entry = checkedDefinition(definition);
    if (this.layers.named(scopeOf(this.ctx), (layer) => layer.transports).size > 0) {
      throw new KernelError("NAME_TAKEN", "This scope has a transport already. Disable the row that provides it before mounting another.");
    }
    return this.layers.register(this.ctx, `tools.registerTransport(${entry.name})`, (layer) => layer.transports.add(entry.name, entry));
  }

  /** How a scope is offered its tools. A declaration that has no transport to stand on is told to the log, once. */
  presentation(scope?: object): PresentationView {
    const found = this.presented(scope);
    const { declaration, effective } = found;
    if (declaration.mode !== effective && !this.lamented.has(declaration)) {
      this.lamented.add(declaration);
      const fields = { code: "NO_TRANSPORT", declared: declaration.mode, effective };
      this.own.logger.warn(fields, "no runtime for run_code is mounted, so tools are offered one by one");
    }
    return found;
  }

  /** The tools a scope sees, by name; without a scope the global ones. */
  view(scope?: object): ReadonlyMap<string, ToolDefinition> {
    return this.visible(scope);
  }

  find(name: string, scope?: object): ToolDefinition | undefined {
    return this.view(scope).get(name);
  }

  /** What the model is sent for a scope: detached copies, by code units of the name (T-9). Asked at each step, so a change holds from the next on (TLS-6). */
  schemas(scope?: object): ToolSchema[] {
    return structuredClone(this.offered(scope)) as ToolSchema[];
  }

  /** The same, frozen, and the same objects while nothing changes; for whoever asks at each step. */
  offered(scope?: object): readonly ToolSchema[] {
    return this.offers(scope);
  }

  /** Every name on a scope's chain, those hidden from it included. */
  knownNames(scope?: object): string[] {
    const { transport } = this.presented(scope);
    return [...this.layers.named(scope, (layer) => layer.tools).keys(), ...(transport ? [transport.name] : [])];
  }

  /** `parallel` only where the tool says so for these arguments (T-20); asked anew before each start. */
  executionMode(call: ToolCall, agent?: ToolAgent): "parallel" | "exclusive" {
    return classify(this.find(call.name, agent?.scope), call);
  }

  /** First third of a call: policy. The result carries on with `run`, then `commit`. Never throws for anything a call may do (T-17). */
  prepare(call: ToolCall, options: CallOptions): Promise<Prepared> {
    return prepareCall(this.host, call, options);
  }
}

/** Word for word what plugin authors know (TLS-4). */
const restrictUnscoped =
  "tools.restrict() requires a scoped context (agent.ctx): a context-global restriction would mask every agent — deny the tool for the intended agent instead";

/** A frozen copy of what the model is told: later changes of the caller's object must not reach it. @throws TypeError for a bad schema or budget */
function checkedDefinition(definition: ToolDefinition): ToolDefinition {
  const { timeoutMs } = definition;
  assertParameters(definition.parameters);
  assertSchema(definition.output?.schema, "output");
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= maxTimerMs))
    throw new TypeError(`the tool "${definition.name}" needs a timeoutMs above 0 and up to ${maxTimerMs}`);
  return { ...definition, parameters: toLosslessJson(definition.parameters) as JsonSchema };
}

/** Its parameters are frozen all the way down. */
const schemaOf = ({ name, description, parameters }: ToolDefinition): ToolSchema =>
  Object.freeze({ name, description, parameters: parameters as ToolSchema["parameters"] });
const byName = (a: ToolSchema, b: ToolSchema): number => byCodeUnits(a.name, b.name);

/** What a scope sees, as it is now. */
type Readings = {
  readonly layers: ScopedLayers<ToolLayer>;
  readonly visible: (scope?: object) => ReadonlyMap<string, ToolDefinition>;
  readonly presented: (scope?: object) => PresentationView;
};

/** The pipeline dispatches through the registry's own context, never through a caller's view of it (K-23). */
function pipelineHost(ctx: Context, { layers, visible, presented }: Readings): PipelineHost {
  const carrier = (execution: ToolExecution) => scopeTarget(execution.agent?.scope);
  const allow = async (): Promise<PreToolDecision> => ({ kind: "allow" });
  const accept = async (): Promise<PostToolDecision> => ({ kind: "accept" });
  return {
    find: (name, { agent }) => visible(agent?.scope).get(name),
    guards: ({ agent }) => layers.anonymous(agent?.scope, (layer) => layer.guards),
    approval: () => ctx.get("approval"),
    presentation: ({ agent }) => presented(agent?.scope),
    isForeign: (agent) => isForeignScope(ctx, agent.scope) || (ctx.get("tenant")?.orgId ?? agent.orgId) !== agent.orgId,
    report: (error) => ctx.logger.error(error),
    preExecute: (execution) => ctx.waterfall(carrier(execution), "tools/pre-execute", execution, allow),
    execute: (execution, dispatch, body) => ctx.waterfall(carrier(execution), "tools/execute", execution, dispatch, body),
    postExecute: (execution, settled) => ctx.waterfall(carrier(execution), "tools/post-execute", execution, settled, accept),
    announce: (execution, outcome) => ctx.emit(carrier(execution), "tools/result", execution, outcome),
  };
}
