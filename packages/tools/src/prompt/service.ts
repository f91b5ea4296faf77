import {
  AnonymousEntries,
  type Context,
  type Disposer,
  declareScopedEvent,
  NamedEntries,
  ScopedLayers,
  Service,
  scopeTarget,
} from "@gantry/kernel";
import { collect, conclude, inOrder, type PromptView } from "./assemble.ts";
import type { AssemblyRequest, PromptContext, PromptSection, SystemPromptResult, ToolProvider, VariableProvider } from "./types.ts";

type PromptLayer = {
  readonly sections: NamedEntries<PromptSection>;
  readonly contexts: NamedEntries<PromptContext>;
  readonly variables: NamedEntries<VariableProvider>;
  readonly toolProviders: NamedEntries<ToolProvider>;
  readonly suppressions: AnonymousEntries<true>;
};

/**
 * `ctx.systemPrompt`: what a model is told besides the conversation (kernel §6). Registrations land in the caller's scope and go with
 * the caller's plugin; of one name the nearest wins.
 */
export class SystemPrompt extends Service {
  private readonly own: Context;
  private readonly layers: ScopedLayers<PromptLayer>;
  private readonly viewOf: (scope?: object) => PromptView;

  constructor(ctx: Context, options: { toolOrder: readonly string[] }) {
    super(ctx, "systemPrompt");
    this.own = ctx;
    const layers = new ScopedLayers<PromptLayer>({
      create: () => ({
        sections: new NamedEntries(),
        contexts: new NamedEntries(),
        variables: new NamedEntries(),
        toolProviders: new NamedEntries(),
        suppressions: new AnonymousEntries(),
      }),
      changed: () => ctx.emit("system-prompt/change"),
    });
    this.layers = layers;
    this.viewOf = layers.cached((scope) => view(layers, scope, options.toolOrder));
    declareScopedEvent(ctx, "system-prompt/assemble", (request) => request.scope);
  }

  /** @throws KernelError NAME_TAKEN; TypeError for an order that is not finite */
  section(section: PromptSection): Disposer {
    requireOrder(section);
    return this.layers.register(this.ctx, `systemPrompt.section(${section.name})`, (layer) => layer.sections.add(section.name, section));
  }

  /** @throws KernelError NAME_TAKEN; TypeError for an order that is not finite */
  context(context: PromptContext): Disposer {
    requireOrder(context);
    return this.layers.register(this.ctx, `systemPrompt.context(${context.name})`, (layer) => layer.contexts.add(context.name, context));
  }

  /** @throws KernelError NAME_TAKEN; TypeError for a name no text could refer to */
  variable(name: string, provider: VariableProvider): Disposer {
    if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new TypeError(`"${name}" is no name for a prompt variable`);
    return this.layers.register(this.ctx, `systemPrompt.variable(${name})`, (layer) => layer.variables.add(name, provider));
  }

  /** @throws KernelError NAME_TAKEN */
  tools(name: string, provider: ToolProvider): Disposer {
    return this.layers.register(this.ctx, `systemPrompt.tools(${name})`, (layer) => layer.toolProviders.add(name, provider));
  }

  /** Empties the runtime contexts of the caller's scope, those of listeners included (P-6, CTX-4). */
  suppressRuntimeContext(): Disposer {
    return this.layers.register(this.ctx, "systemPrompt.suppressRuntimeContext()", (layer) => layer.suppressions.add(true));
  }

  /** The prompt of one step for a scope. @throws Error naming the section or tool order that does not work out (P-5, P-7, P-8) */
  async assemble(request: AssemblyRequest = {}): Promise<SystemPromptResult> {
    const view = this.viewOf(request.scope);
    const collected = await collect(view, request);
    const assembled = await this.own.waterfall(scopeTarget(request.scope), "system-prompt/assemble", request, () =>
      Promise.resolve(collected),
    );
    return conclude(assembled, view);
  }
}

function view(layers: ScopedLayers<PromptLayer>, scope: object | undefined, toolOrder: readonly string[]): PromptView {
  return {
    sections: inOrder([...layers.named(scope, (layer) => layer.sections).values()]),
    contexts: inOrder([...layers.named(scope, (layer) => layer.contexts).values()]),
    variables: layers.named(scope, (layer) => layer.variables),
    toolProviders: [...layers.named(scope, (layer) => layer.toolProviders).values()],
    contextsSuppressed: layers.anonymous(scope, (layer) => layer.suppressions).length > 0,
    toolOrder,
  };
}

function requireOrder({ name, order }: { name: string; order: number }): void {
  if (!Number.isFinite(order)) throw new TypeError(`the order of "${name}" must be a finite number`);
}
