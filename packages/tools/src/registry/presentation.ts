import type { ScopedLayers } from "@gantry/kernel";
import type { ToolLayer } from "./layer.ts";
import type { ToolDefinition } from "./types.ts";

/**
 * How a scope's tools reach its model (T-23, PTC-1). `native`: each tool by its schema. `ptc`: only the transport, whose programs call
 * the tools. `both`: schemas and transport.
 */
export type ToolPresentation = "native" | "ptc" | "both";

/** One declaration of a layer; an object of its own, so that a warning about it is given once. */
export type Declaration = { readonly mode: ToolPresentation };

/** `effective` is `native` while there is no transport: a model without tools is useless. */
export type PresentationView = {
  readonly declaration: Declaration;
  readonly effective: ToolPresentation;
  /** The tool that stands for the others, when it is on the wire. */
  readonly transport: ToolDefinition | undefined;
};

const native: Declaration = { mode: "native" };

/** The nearest declaration decides; of transports the farthest, so that no scope puts its own in the place of the platform's (T-2). */
export function presentationOf(layers: ScopedLayers<ToolLayer>, key: object | undefined): PresentationView {
  const declaration = layers.named(key, (layer) => layer.presentation).get("mode") ?? native;
  const [transport] = layers.chain(key).flatMap((layer) => [...layer.transports].map(([, definition]) => definition));
  if (declaration.mode === "native" || !transport) return { declaration, effective: "native", transport: undefined };
  return { declaration, effective: declaration.mode, transport };
}

/** What the system prompt says of a presentation; empty where there is nothing to say. The runtime describes the tools themselves. */
export function presentationText({ effective, transport }: PresentationView): string {
  if (!transport || effective === "native") return "";
  if (effective === "both") return `You may call tools one by one, or from a program that you give to ${transport.name}.`;
  return `Your only tool is ${transport.name}. All others are called from inside the program that you give to it; calling one of them directly is refused.`;
}
