import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { AppError } from "@gantry/contracts";
import { isPublicAddress } from "@gantry/platform/net/public-address";

const lookupLimitMs = 4_000;

type Policy = {
  /** lets an operator (and the tests) clone over plain http and from private networks */
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
  if (url.protocol !== "https:" && !(policy.allowPrivate && url.protocol === "http:"))
    throw refused("Only https addresses can be cloned. Use the repository's https address.");
  if (url.username || url.password) throw refused("The address contains credentials, which would end up in the workspace. Remove them.");
  if (url.search || url.hash) throw refused("The address has a query or a fragment, which no git address has. Remove it.");
  if (url.pathname === "/") throw refused("The address names a host but no repository.");
  return url;
}

async function assertPublicHost(hostname: string): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) ? [host] : await resolve(host);
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
