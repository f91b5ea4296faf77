import { AppError } from "@gantry/contracts";
import { canonicalHost, kindOfHost } from "@gantry/platform/net/host-name";
import { isMetadataAddress, isPublicAddress } from "@gantry/platform/net/public-address";

export type EgressPolicy = {
  /** `host`, `host:port`, or `*.suffix` for every name below a suffix. Ports other than 443 and addresses need `allowPrivate`. */
  hosts: readonly string[];
  /** For an installation with hosts of its own, and for tests: lifts the rule of public addresses, never the list. */
  allowPrivate?: boolean;
};
export type Refusal = "not-a-host" | "address" | "not-listed" | "port" | "private-address";
export type Rule = { suffix: boolean; host: string; port: number };

const httpsPort = 443;

/** The rules of a policy. @throws AppError BAD_REQUEST for an entry that is no host, or a port or an address without `allowPrivate` */
export function parseRules({ hosts, allowPrivate = false }: EgressPolicy): Rule[] {
  return hosts.map((entry) => {
    const [, star, name, port] = /^(\*\.)?(\[[0-9a-f:.]+\]|[^:[\]*]+?)(?::(\d{1,5}))?$/i.exec(entry.trim()) ?? [];
    const kind = name === undefined ? "invalid" : kindOfHost(name);
    const rule = { suffix: star !== undefined, host: canonicalHost(name ?? ""), port: port === undefined ? httpsPort : Number(port) };
    const isWhole = kind === "name" && (!rule.suffix || rule.host.includes(".")); // never all names below a top-level domain
    const isPossible = isWhole || (kind === "address" && allowPrivate && !rule.suffix);
    if (!isPossible || rule.port < 1 || rule.port > 65_535 || (rule.port !== httpsPort && !allowPrivate))
      throw new AppError("BAD_REQUEST", "A host of the network policy cannot be used. Name it like host.example or *.host.example.");
    return rule;
  });
}

/** Why a sandbox may not connect there, before any name is looked up; null when the list has it. (SC-N6) */
export function refusalOf(
  rules: readonly Rule[],
  host: string,
  port: number,
  { allowPrivate = false }: Partial<EgressPolicy>,
): Refusal | null {
  const kind = kindOfHost(host);
  if (kind === "invalid") return "not-a-host";
  if (kind === "address" && !allowPrivate) return "address";
  const name = canonicalHost(host);
  const fitting = rules.filter((rule) => (rule.suffix ? name.endsWith(`.${rule.host}`) : name === rule.host));
  if (fitting.length === 0) return "not-listed";
  return fitting.some((rule) => rule.port === port) ? null : "port";
}

/** All addresses of a name must be public, or with `allowPrivate` no metadata service: one among them refuses the name (SC-N5, SC-N6, SC-N8). */
export function refusalOfAddresses(addresses: readonly string[], { allowPrivate = false }: Partial<EgressPolicy>): Refusal | null {
  const isAllowed = allowPrivate ? (address: string) => !isMetadataAddress(address) : isPublicAddress;
  return addresses.every(isAllowed) ? null : "private-address";
}
