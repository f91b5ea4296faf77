import type { ProviderKind } from "@gantry/contracts";

/** A model provider as people see it: whether it has a key, never the key. */
export type ProviderView = {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly kind: ProviderKind;
  readonly baseUrl: string;
  /** model ids in order; the first is the default */
  readonly models: string[];
  readonly hasKey: boolean;
  readonly updatedAt: Date;
};

export const providerColumns = {
  id: true,
  slug: true,
  name: true,
  kind: true,
  baseUrl: true,
  models: true,
  secretKek: true,
  updatedAt: true,
} as const;

type Row = Omit<ProviderView, "hasKey"> & { secretKek: string | null };

/** `secretKek` is set exactly when a sealed key is, so a list never reads the ciphertext. */
export function providerView({ secretKek, ...row }: Row): ProviderView {
  return { ...row, hasKey: secretKek !== null };
}
