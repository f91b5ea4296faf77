import { lookup } from "node:dns/promises";
import { AppError } from "@gantry/contracts";
import { canonicalHost, kindOfHost } from "@gantry/platform/net/host-name";
import { isPublicAddress } from "@gantry/platform/net/public-address";

const lookupLimitMs = 4_000;

type Policy = {
  /** lets an operator (and the tests) clone from private networks, by address, and on other ports than 443 */
  readonly allowPrivate: boolean;
};

/**
 * The canonical form of a repository address that may be cloned: https, no credentials, a host whose addresses are all public (CP-38, SC-N7).
 * The worker that clones checks the address it connects to again; this is the early and readable answer.
 * @throws CLONE_REFUSED for a forbidden address, CLONE_FAILED when the host cannot be looked up
 */
export async function checkCloneUrl(input: string, policy: Policy): Promise<string> {
  const url = parseCloneUrl(input, policy);
  if (!policy.allowPrivate) await assertPublicHost(url.hostname);
  return url.href;
}

/** The part of the check that needs no network. @throws CLONE_REFUSED */
export function parseCloneUrl(input: string, policy: Policy): URL {
  const url = URL.parse(input.trim());
  if (!url) throw refused("This is not a web address. Enter one like https://host/owner/repository.git.");
  if (url.protocol !== "https:") throw refused("Only https addresses can be cloned. Use the repository's https address.");
  if (url.username || url.password) throw refused("The address contains credentials, which would end up in the workspace. Remove them.");
  if (url.search || url.hash) throw refused("The address has a query or a fragment, which no git address has. Remove it.");
  if (url.port && !policy.allowPrivate)
    throw refused("Repositories are cloned from the usual https port (443) only. Use an address without a port.");
  if (kindOfHost(url.hostname) !== "name" && !policy.allowPrivate)
    throw refused("Repositories are cloned from hosts with a name, not from an IP address. Use the host's name.");
  if (url.pathname === "/") throw refused("The address names a host but no repository.");
  return url;
}

async function assertPublicHost(hostname: string): Promise<void> {
  const addresses = await resolve(canonicalHost(hostname));
  if (!addresses.every(isPublicAddress))
    throw refused("The host is not on the public internet. Clone from a public host, or upload an archive.");
}

async function resolve(host: string): Promise<string[]> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("lookup timed out")), lookupLimitMs);
  try {
    const found = await Promise.race([lookup(host, { all: true }), late.promise]);
    return found.map((entry) => entry.address);
  } catch (cause) {
    throw new AppError("CLONE_FAILED", "The host of the repository cannot be found. Check the address and try again.", { cause });
  } finally {
    clearTimeout(timer);
  }
}

function refused(message: string): AppError {
  return new AppError("CLONE_REFUSED", message, { data: { field: "url" } });
}
