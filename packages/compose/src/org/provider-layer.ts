import type { JsonObject, ProviderId } from "@gantry/contracts";
import type { Layer } from "../layers/layer.ts";
import type { Row } from "../rows/row.ts";

/** A model provider of the org, as its row needs it; the key is resolved at each request and is not part of this. */
export type ProviderRow = {
  id: ProviderId;
  slug: string;
  kind: "openai_compatible" | "anthropic" | "demo";
  baseUrl: string;
  models: string[];
};

const plugins = { openai_compatible: "llm-openai-compatible", anthropic: "llm-anthropic", demo: "llm-demo" } as const;

/** The rows that an org's providers insert. */
export const providerLayer = (providers: readonly ProviderRow[]): Layer => ({
  label: "org",
  kind: "org",
  patches: providers.length > 0 ? [{ insert: providers.map(providerRow) }] : [],
});

function providerRow({ id, slug, kind, baseUrl, models }: ProviderRow): Row {
  const allowInsecure = { $fact: "platform.privateHosts", default: false };
  const config: JsonObject = kind === "demo" ? { slug } : { providerId: id, slug, baseUrl, models, allowInsecure };
  return { id: `provider-${id}`, name: plugins[kind], config };
}
