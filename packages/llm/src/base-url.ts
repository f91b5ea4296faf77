import { canonicalHost, isInsideName, kindOfHost } from "@gantry/platform/net/host-name";
import { isMetadataAddress, isPublicAddress } from "@gantry/platform/net/public-address";
import { failure, LlmFailureError } from "./failure.ts";

export type ProviderKind = "openai-compatible" | "anthropic" | "openai" | "deepseek";

/** What a person may have copied along with the address. */
const endpointPaths: { readonly [K in ProviderKind]: RegExp } = {
  "openai-compatible": /\/chat\/completions$/,
  anthropic: /\/messages$/,
  openai: /\/(responses|chat\/completions)$/,
  deepseek: /\/chat\/completions$/,
};

/**
 * Checks and tidies the base URL of a provider. Plain http and addresses inside the own network are refused unless
 * `allowInsecure` (a self-hosted installation that talks to its own model server), metadata services always (SC-N5). A host name that resolves to an inside
 * address gets no further than the TLS handshake: it cannot show a certificate for the name.
 * @throws LlmFailureError INVALID_REQUEST with what to change
 */
export function parseBaseUrl(kind: ProviderKind, text: string, options: { allowInsecure: boolean }): URL {
  const url = URL.canParse(text.trim())
    ? new URL(text.trim())
    : refuse("The base URL is not a web address. Use one like https://api.example.com/v1.");
  if (url.protocol !== "https:" && url.protocol !== "http:") refuse("The base URL must start with https://.");
  if (url.username || url.password) refuse("The base URL must not contain a user name or password. Enter the key in its own field.");
  if (url.search || url.hash) refuse("The base URL must end with its path: remove what follows “?” or “#”.");
  if (isMetadataHost(url.hostname))
    refuse("The base URL is where a cloud keeps the credentials of its machines. No model server is there.");
  const inside = isPrivateHost(url.hostname);
  if (inside && !options.allowInsecure) refuse("The base URL points into a private network. Only public model servers can be used here.");
  if (url.protocol === "http:" && !inside) refuse("The base URL must use https, because the key is sent to it.");
  url.pathname = tidyPath(kind, url);
  return url;
}

function tidyPath(kind: ProviderKind, url: URL): string {
  const path = url.pathname.replace(/\/+$/, "").replace(endpointPaths[kind], "");
  const hasVersion = kind === "anthropic" || kind === "openai";
  return hasVersion && path === "" ? "/v1" : path || "/";
}

/** True for loopback, private, link-local and unique-local addresses and for names that only exist inside a network. */
export function isPrivateHost(hostname: string): boolean {
  const host = canonicalHost(hostname);
  return kindOfHost(host) === "address" ? !isPublicAddress(host) : isInsideName(host);
}

function isMetadataHost(hostname: string): boolean {
  const host = canonicalHost(hostname);
  return isMetadataAddress(host) || /^metadata(\.google\.internal)?$/.test(host);
}

function refuse(message: string): never {
  throw new LlmFailureError(failure("INVALID_REQUEST", message));
}

/** The same address with `path` below it, without doubled slashes. */
export function endpoint(base: URL, path: string): string {
  return `${base.toString().replace(/\/+$/, "")}${path}`;
}
