import type { ProviderKind } from "@gantry/contracts";

export type ProviderCheckInput = {
  readonly kind: ProviderKind;
  readonly baseUrl: string;
  readonly models: readonly string[];
  /** the key in clear, for this one call */
  readonly key: string | null;
  readonly signal?: AbortSignal;
};

/** Tries a provider once. Its address is held to the provider address policy. @throws PROVIDER_CHECK_FAILED with what the provider said */
export type ProviderCheck = (input: ProviderCheckInput) => Promise<void>;
