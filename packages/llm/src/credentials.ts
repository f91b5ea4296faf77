/**
 * Kernel service `credentials`: gives the key of a provider at the moment of a request, so that an edited key is used by the
 * next one (DSK-8). The worker provides it. Null means that the provider has no key stored.
 * A key is for the address that it was entered for: an adapter that was made for another one gets none.
 */
export interface Credentials {
  /** @throws AppError CONFLICT when the provider has another address by now, or is gone */
  resolve(providerId: string, baseUrl: string): Promise<string | null>;
}

declare module "@gantry/kernel" {
  interface Context {
    credentials: Credentials;
  }
}
