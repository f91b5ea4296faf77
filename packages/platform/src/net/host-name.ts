import { isIP } from "node:net";

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** A host as it is compared and looked up: lower case, no brackets around an IPv6 address, no dot at the end. */
export function canonicalHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
}

/** What a host is after every spelling that a resolver or a URL parser reads as an address (decimal, hex, octal, short) counts as one (SC-N6). */
export function kindOfHost(host: string): "address" | "name" | "invalid" {
  const canonical = canonicalHost(host);
  if (isIP(canonical) !== 0) return "address";
  if (canonical.length > 253 || !canonical.split(".").every((part) => label.test(part))) return "invalid";
  const read = URL.parse(`http://${canonical}/`)?.hostname;
  if (read === undefined) return "invalid";
  return isIP(read) === 0 ? "name" : "address";
}

/** True for names that only exist inside a network. An address is none; see `isPublicAddress`. */
export function isInsideName(name: string): boolean {
  const host = canonicalHost(name);
  return !host.includes(".") || /\.(localhost|local|internal|lan|home|intranet|test)$/.test(host);
}
