/**
 * Kernel service `credentials`: gives the key of a provider at the moment of a request, so that an edited key is used by the
 * next one (DSK-8). The worker provides it. Null means that the provider has no key stored.
 */
export interface Credentials {
  resolve(providerId: string): Promise<string | null>;
}

declare module "@gantry/kernel" {
  interface Context {
    credentials: Credentials;
  }
}
