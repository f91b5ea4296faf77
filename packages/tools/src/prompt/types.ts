import type { ToolSchema } from "@gantry/contracts";

/** Whom an assembly is for. Without a scope only unscoped registrations count. */
export type AssemblyRequest = { readonly scope?: object; readonly signal?: AbortSignal };

/** A text, or a function that is asked at each assembly. Empty text leaves the entry out. */
export type PromptText = string | ((request: AssemblyRequest) => string | Promise<string>);

/** A part of the system prompt. `complete`: it alone becomes the whole prompt (P-5). `{{name}}` is replaced by a variable (P-7). */
export type PromptSection = { readonly name: string; readonly order: number; readonly text: PromptText; readonly complete?: boolean };

/** A part of the runtime snapshot, which travels as a user-role message so that changing facts do not touch the cached prefix (CTX-1). */
export type PromptContext = { readonly name: string; readonly order: number; readonly text: PromptText };

/** Gives a variable's value; `undefined` means it has none here, which fails a text that refers to it. */
export type VariableProvider = (request: AssemblyRequest) => string | undefined | Promise<string | undefined>;

/** Tools for the model. `known` also names those hidden from this scope, so that a configured order may mention them (P-8). */
export type ToolProvider = (request: AssemblyRequest) => { readonly schemas: readonly ToolSchema[]; readonly known: readonly string[] };

export type AssembledSection = { readonly name: string; readonly text: string; readonly complete?: boolean };
export type AssembledContext = { readonly name: string; readonly text: string };

/** What the `system-prompt/assemble` waterfall passes on; a listener returns it, changed or not. */
export type Assembly = {
  readonly sections: readonly AssembledSection[];
  readonly contexts: readonly AssembledContext[];
  readonly tools: readonly ToolSchema[];
};

/** The prompt of one step: system text, runtime contexts in order, tool schemas in order. */
export type SystemPromptResult = { readonly system: string; readonly contexts: readonly AssembledContext[]; readonly tools: ToolSchema[] };
