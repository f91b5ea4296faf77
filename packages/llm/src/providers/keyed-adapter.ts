import type { LlmAdapter } from "../adapter.ts";
import { type ProviderKind, parseBaseUrl } from "../base-url.ts";
import type { StreamChunk } from "../chunks.ts";
import type { Credentials } from "../credentials.ts";
import { checkKey } from "../key.ts";
import { chosenEffort, describeModel, type ProviderConfig } from "../provider-config.ts";
import type { AdapterRequest } from "../request.ts";
import { scrubber } from "../secret-text.ts";

/** What one attempt goes out with; address and key as they are now, so that an edit holds for the next request (DSK-8). */
export type Outgoing = {
  readonly url: URL;
  readonly key: string;
  /** the thinking effort that was asked for; undefined: the provider's default */
  readonly effort: string | undefined;
  readonly scrub: (text: string) => string;
};
type Wire = {
  readonly kind: ProviderKind;
  readonly efforts: readonly string[];
  attempt(config: ProviderConfig, request: AdapterRequest, outgoing: Outgoing): AsyncIterable<StreamChunk>;
};

/** An adapter for a provider that always wants a key. */
export function keyedAdapter(config: ProviderConfig, credentials: Credentials, { kind, efforts, attempt }: Wire): LlmAdapter {
  async function* stream(request: AdapterRequest): AsyncGenerator<StreamChunk, void, undefined> {
    const url = parseBaseUrl(kind, config.baseUrl, config);
    const effort = chosenEffort(request, efforts);
    const key = checkKey(await credentials.resolve(config.providerId, config.baseUrl), { required: true }) ?? "";
    yield* attempt(config, request, { url, key, effort, scrub: scrubber(key) });
  }
  return { slug: config.slug, models: config.models, resolve: (model) => describeModel(config, model, efforts), stream };
}
