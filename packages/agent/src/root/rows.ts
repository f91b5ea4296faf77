import type { JsonObject, ProviderId } from "@gantry/contracts";
import { z } from "zod";

/** One plugin of a composition: `name` is resolved through the catalogue, `id` is unique within it. */
export const Row = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/),
  name: z.string(),
  config: z.record(z.string(), z.json()).optional(),
});
export type Row = { readonly id: string; readonly name: string; readonly config?: JsonObject };

/** A model provider of the org, as its row needs it; the key is resolved at each request and is not part of this. */
export type ProviderRow = {
  id: ProviderId;
  slug: string;
  kind: "openai_compatible" | "anthropic" | "demo";
  baseUrl: string;
  models: string[];
};

const providerPlugin = { openai_compatible: "llm-openai-compatible", anthropic: "llm-anthropic", demo: "llm-demo" } as const;

/** What every agent of an org stands on, whatever its preset. Order has no meaning: services decide when a row starts. */
export function hostRows(providers: readonly ProviderRow[], { allowInsecure }: { allowInsecure: boolean }): Row[] {
  const names = [
    "agents",
    "agent-loop",
    "fs-sandbox",
    "llm",
    "llm-retry",
    "sandbox-policy",
    "sandbox-prewarm",
    "session-title-fallback",
    "subprocess-sandbox",
    "system-prompt",
    "tools",
  ];
  return [...names.map((name) => ({ id: name, name })), ...providers.map((provider) => providerRow(provider, allowInsecure))];
}

function providerRow({ id, slug, kind, baseUrl, models }: ProviderRow, allowInsecure: boolean): Row {
  const config: JsonObject = kind === "demo" ? { slug } : { providerId: id, slug, baseUrl, models, allowInsecure };
  return { id: `provider-${id}`, name: providerPlugin[kind], config };
}
