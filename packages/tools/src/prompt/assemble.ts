import type { ToolSchema } from "@gantry/contracts";
import { interpolate } from "./interpolate.ts";
import { byCodeUnits, orderTools } from "./tool-order.ts";
import type {
  AssembledContext,
  AssembledSection,
  Assembly,
  AssemblyRequest,
  PromptContext,
  PromptSection,
  PromptText,
  SystemPromptResult,
  ToolProvider,
  VariableProvider,
} from "./types.ts";

/** What one scope sees of the four registries. */
export type PromptView = {
  /** in their order */
  readonly sections: readonly PromptSection[];
  readonly contexts: readonly PromptContext[];
  readonly variables: ReadonlyMap<string, VariableProvider>;
  readonly toolProviders: readonly ToolProvider[];
  readonly contextsSuppressed: boolean;
  readonly toolOrder: readonly string[];
};

/** Evaluates a view for one request: order, texts, variables; of one name the nearest, and empty texts are left out (P-4, SYS-1). Suppressed contexts are not even asked. @throws Error naming the section */
export async function collect(view: PromptView, request: AssemblyRequest): Promise<Assembly> {
  const values = new Map<string, Promise<string | undefined>>();
  const variable = (name: string) => {
    const provider = view.variables.get(name);
    if (!provider) return undefined;
    const pending = values.get(name) ?? Promise.resolve(provider(request));
    values.set(name, pending);
    return pending;
  };
  const sections: AssembledSection[] = [];
  for (const { name, text, complete } of view.sections) {
    const filled = await interpolate(await evaluate(text, request), name, variable);
    if (filled !== "") sections.push({ name, text: filled, ...(complete === true ? { complete } : {}) });
  }
  return { sections, contexts: view.contextsSuppressed ? [] : await texts(view.contexts, request), tools: toolsOf(view, request) };
}

/** Makes the prompt of what the waterfall returned. A complete section stands alone, whatever listeners added (P-5, SYS-3). @throws Error when there are two */
export function conclude({ sections, contexts, tools }: Assembly, view: Pick<PromptView, "contextsSuppressed">): SystemPromptResult {
  const complete = sections.filter((section) => section.complete);
  if (complete.length > 1) {
    throw new Error(`more than one prompt section is complete: ${complete.map(({ name }) => `"${name}"`).join(", ")}`);
  }
  const effective = complete.length === 1 ? complete : sections;
  const system = effective
    .map(({ text }) => text)
    .filter((text) => text !== "")
    .join("\n\n");
  return { system, contexts: view.contextsSuppressed ? [] : contexts, tools: [...tools] };
}

async function texts(contexts: readonly PromptContext[], request: AssemblyRequest): Promise<AssembledContext[]> {
  const found: AssembledContext[] = [];
  for (const { name, text } of contexts) {
    const evaluated = await evaluate(text, request);
    if (evaluated !== "") found.push({ name, text: evaluated });
  }
  return found;
}

function toolsOf(view: PromptView, request: AssemblyRequest): ToolSchema[] {
  const provided = view.toolProviders.map((provider) => provider(request));
  const byName = new Map(provided.flatMap(({ schemas }) => schemas.map((schema) => [schema.name, schema] as const)));
  const known = new Set(provided.flatMap((part) => [...part.known]));
  return orderTools([...byName.values()], known, view.toolOrder);
}

/** Lower places first, one place by code units of the name (P-4). */
export function inOrder<T extends { readonly order: number; readonly name: string }>(entries: readonly T[]): T[] {
  return [...entries].sort((a, b) => a.order - b.order || byCodeUnits(a.name, b.name));
}

async function evaluate(text: PromptText, request: AssemblyRequest): Promise<string> {
  request.signal?.throwIfAborted();
  return typeof text === "string" ? text : text(request);
}
