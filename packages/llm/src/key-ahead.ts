import type { Credentials } from "./credentials.ts";
import type { ProviderConfig } from "./provider-config.ts";

/** A key that was asked for so long ago is asked for again: an edit holds for the next request (DSK-8). In ms. */
const maxAgeMs = 1_000;

export type KeyAhead = {
  /** Asks for the key now, while what stands before the request is still under way. */
  ask(): void;
  /** The key of one request: an answer that was asked for ahead, or a new one. @throws what the credentials throw */
  take(): Promise<string | null>;
};

type KeyPlace = Pick<ProviderConfig, "providerId" | "baseUrl">;

/** The key of a provider for requests that are announced a moment before they are made; each answer serves one request. */
export function keyAhead(credentials: Credentials, { providerId, baseUrl }: KeyPlace): KeyAhead {
  const asked: { readonly at: number; readonly key: Promise<string | null> }[] = [];
  const forgetOld = (now: number): void => {
    while (asked[0] && now - asked[0].at > maxAgeMs) asked.shift();
  };
  return {
    ask() {
      const now = performance.now();
      forgetOld(now);
      const key = credentials.resolve(providerId, baseUrl);
      key.catch(() => {}); // told to the request that takes it
      asked.push({ at: now, key });
    },
    take() {
      forgetOld(performance.now());
      return asked.shift()?.key ?? credentials.resolve(providerId, baseUrl);
    },
  };
}
