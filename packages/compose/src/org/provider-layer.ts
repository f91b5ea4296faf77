import type { JsonObject, ProviderId } from "@gantry/contracts";
import type { Layer } from "../layers/layer.ts";
import type { Row } from "../rows/row.ts";

/** A model provider of the org, as its row needs it; the key is resolved at each request and is not part of this. */
export type ProviderRow = {
  id: ProviderId;
  slug: string;
  kind: "openai_compatible" | "anthropic" | "openai" | "deepseek" | "demo";
  baseUrl: string;
  models: string[];
};

const plugins = {
  openai_compatible: "llm-openai-compatible",
  anthropic: "llm-anthropic",
  openai: "llm-openai",
  deepseek: "llm-deepseek",
  demo: "llm-demo",
} as const;

/**
 * The rows of an org's providers. The platform writes them out of the org's records, so they are a layer of the plan's kind; their plugins are locked, and
 * no layer from the org's on can change such a row or insert one of its own: the key goes nowhere but to the recorded address.
 */
export const providerLayer = (providers: readonly ProviderRow[]): Layer => ({
  label: "providers",
  kind: "plan",
  patches: providers.length > 0 ? [{ insert: providers.map(providerRow) }] : [],
});

function providerRow({ id, slug, kind, baseUrl, models }: ProviderRow): Row {
  const allowInsecure = { $fact: "platform.privateHosts", default: false };
  const config: JsonObject = kind === "demo" ? { slug } : { providerId: id, slug, baseUrl, models, allowInsecure };
  return { id: `provider-${id}`, name: plugins[kind], config };
}
