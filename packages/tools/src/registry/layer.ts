import { AnonymousEntries, NamedEntries } from "@gantry/kernel";
import type { Declaration } from "./presentation.ts";
import type { Restriction } from "./restriction.ts";
import type { ToolDefinition, ToolGuard } from "./types.ts";

/** What one scope, or the global layer, has registered. */
export type ToolLayer = {
  readonly tools: NamedEntries<ToolDefinition>;
  readonly restrictions: AnonymousEntries<Restriction>;
  readonly guards: AnonymousEntries<ToolGuard>;
  /** At most one entry, under the name `mode`. */
  readonly presentation: NamedEntries<Declaration>;
  readonly transports: NamedEntries<ToolDefinition>;
};

export function createToolLayer(): ToolLayer {
  return {
    tools: new NamedEntries(),
    restrictions: new AnonymousEntries(),
    guards: new AnonymousEntries(),
    presentation: new NamedEntries(),
    transports: new NamedEntries(),
  };
}
