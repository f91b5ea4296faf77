import { BlockList, isIP, isIPv6 } from "node:net";

const refused = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  refused.addSubnet(network, prefix, "ipv4");

/** IPv6 is an allow-list: global unicast without the ranges that carry an IPv4 address inside (Teredo, 6to4) or document. */
const global = new BlockList();
global.addSubnet("2000::", 3, "ipv6");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  refused.addSubnet(network, prefix, "ipv6");

/**
 * Whether an IP address (no brackets, no zone) belongs to the public internet: not private, loopback, link-local, metadata or reserved,
 * and no IPv6 form that carries an IPv4 address (SC-N5, SC-N7). What is no address is not public. The one home of this rule.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  if (!isIPv6(address)) return !refused.check(address, "ipv4");
  return global.check(address, "ipv6") && !refused.check(address, "ipv6");
}

const metadata = new BlockList();
metadata.addSubnet("169.254.0.0", 16, "ipv4");
metadata.addSubnet("fe80::", 10, "ipv6");
metadata.addSubnet("fd00:ec2::", 32, "ipv6");

/**
 * Whether an IP address is link-local or a cloud's metadata service, which hands out the host's own credentials: nobody's server is there, also where private
 * networks are allowed (SC-N5).
 */
export const isMetadataAddress = (address: string): boolean => {
  const [bare = ""] = address.split("%");
  return isIP(bare) !== 0 && metadata.check(bare, isIPv6(bare) ? "ipv6" : "ipv4");
};
