import type { ScopedLayers } from "@gantry/kernel";
import type { ToolLayer } from "./layer.ts";
import { presentationOf } from "./presentation.ts";
import type { ToolDefinition } from "./types.ts";

/**
 * The tools a scope sees (T-4): what it inherits, filtered by every restriction on its chain, under what it registered itself, which
 * no restriction removes; the transport last. Without a key: the global layer.
 */
export function visibleTools(layers: ScopedLayers<ToolLayer>, key: object | undefined): Map<string, ToolDefinition> {
  const visible = ordinaryTools(layers, key);
  const { transport } = presentationOf(layers, key);
  if (transport) visible.set(transport.name, transport);
  return visible;
}

/** What the model is offered of the visible tools: under `ptc` the transport alone (T-23). */
export function offeredTools(layers: ScopedLayers<ToolLayer>, key: object | undefined): ToolDefinition[] {
  const { effective, transport } = presentationOf(layers, key);
  return effective === "ptc" && transport ? [transport] : [...visibleTools(layers, key).values()];
}

/** Global tools under those of every ancestor, nearest last; without the scope's own. */
export function inheritedTools(layers: ScopedLayers<ToolLayer>, key: object): Map<string, ToolDefinition> {
  const own = layers.peek(key);
  return new Map(layers.chain(key).flatMap((layer) => (layer === own ? [] : [...layer.tools])));
}

function ordinaryTools(layers: ScopedLayers<ToolLayer>, key: object | undefined): Map<string, ToolDefinition> {
  if (key === undefined) return layers.named(undefined, (layer) => layer.tools);
  const admits = layers.anonymous(key, (layer) => layer.restrictions);
  const visible = new Map([...inheritedTools(layers, key)].filter(([name]) => admits.every((restriction) => restriction(name))));
  for (const [name, definition] of layers.peek(key)?.tools ?? []) visible.set(name, definition);
  return visible;
}
