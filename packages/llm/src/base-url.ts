import { failure, LlmFailureError } from "./failure.ts";

export type ProviderKind = "openai-compatible" | "anthropic";

/**
 * Checks and tidies the base URL of a provider. Plain http and addresses inside the own network are refused unless
 * `allowInsecure` (a self-hosted installation that talks to its own model server). A host name that resolves to an inside
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
  const inside = isPrivateHost(url.hostname);
  if (inside && !options.allowInsecure) refuse("The base URL points into a private network. Only public model servers can be used here.");
  if (url.protocol === "http:" && !inside) refuse("The base URL must use https, because the key is sent to it.");
  url.pathname = tidyPath(kind, url);
  return url;
}

function tidyPath(kind: ProviderKind, url: URL): string {
  const path = url.pathname.replace(/\/+$/, "").replace(kind === "anthropic" ? /\/messages$/ : /\/chat\/completions$/, "");
  return kind === "anthropic" && path === "" ? "/v1" : path || "/";
}

/** True for loopback, private, link-local and unique-local addresses and for names that only exist inside a network. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
  if (host.includes(":")) return isPrivateV6(host);
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return isPrivateV4(host);
  return host === "localhost" || !host.includes(".") || /\.(localhost|local|internal|lan|home|intranet|test)$/.test(host);
}

function isPrivateV4(host: string): boolean {
  const [a = 0, b = 0] = host.split(".").map(Number);
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true;
  return (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) || (a === 169 && b === 254) || (a === 100 && b >= 64 && b < 128);
}

function isPrivateV6(host: string): boolean {
  // global unicast is 2000::/3; mapped, translated and every other range counts as inside
  return !/^[23]/.test(host) || /^(2002|2001:0?0?0?0?:):/.test(host);
}

function refuse(message: string): never {
  throw new LlmFailureError(failure("INVALID_REQUEST", message));
}

/** The same address with `path` below it, without doubled slashes. */
export function endpoint(base: URL, path: string): string {
  return `${base.toString().replace(/\/+$/, "")}${path}`;
}
