import { lookup } from "node:dns/promises";
import { connect, isIP, type Socket } from "node:net";
import { canonicalHost } from "@gantry/platform/net/host-name";
import { type EgressPolicy, type Refusal, type Rule, refusalOf, refusalOfAddresses } from "./policy.ts";

export type Resolver = (host: string) => Promise<readonly string[]>;
/** `failed`: allowed, but the host is not to be found or reached. */
export type Dialed =
  | { verdict: "allowed"; socket: Socket }
  | { verdict: "refused"; reason: Refusal }
  | { verdict: "failed"; reason: "not-found" | "unreachable" | "timeout" | "aborted" };
export type DialOptions = {
  rules: readonly Rule[];
  policy: Partial<EgressPolicy>;
  resolve: Resolver;
  signal: AbortSignal;
  limitMs: number;
};

/** Addresses of a name that are tried, one after the other. */
const maxAddresses = 4;

export const systemResolver: Resolver = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Connects to a host that the policy allows. The name is looked up once, all its addresses are judged, and the connection goes to one of
 * exactly those: a second answer of a name server cannot change where it leads (SC-N8). Never rejects.
 */
export async function dial(host: string, port: number, options: DialOptions): Promise<Dialed> {
  const refusal = refusalOf(options.rules, host, port, options.policy);
  if (refusal) return { verdict: "refused", reason: refusal };
  const limit = AbortSignal.any([options.signal, AbortSignal.timeout(options.limitMs)]);
  const late = () => ({ verdict: "failed", reason: options.signal.aborted ? "aborted" : "timeout" }) as const;
  const addresses = await within(options.resolve(canonicalHost(host)), limit);
  if (limit.aborted) return late();
  // an answer that is no address would be looked up again by the connection
  if (addresses === null || addresses.length === 0 || !addresses.every(isIP)) return { verdict: "failed", reason: "not-found" };
  const inside = refusalOfAddresses(addresses, options.policy);
  if (inside) return { verdict: "refused", reason: inside };
  for (const address of addresses.slice(0, maxAddresses)) {
    const socket = await connectTo(address, port, limit);
    if (socket) return { verdict: "allowed", socket };
    if (limit.aborted) return late();
  }
  return { verdict: "failed", reason: "unreachable" };
}

/** Null when the work fails or the limit comes first. */
function within<T>(work: Promise<T>, limit: AbortSignal): Promise<T | null> {
  return new Promise((resolve) => {
    limit.addEventListener("abort", () => resolve(null), { once: true });
    work.then(resolve, () => resolve(null));
    if (limit.aborted) resolve(null);
  });
}

function connectTo(address: string, port: number, limit: AbortSignal): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, allowHalfOpen: true, noDelay: true });
    const fail = () => {
      socket.destroy();
      resolve(null);
    };
    limit.addEventListener("abort", fail, { once: true });
    socket.once("error", fail);
    socket.once("connect", () => {
      limit.removeEventListener("abort", fail);
      socket.off("error", fail);
      socket.on("error", () => {}); // the tunnel hears of it by its own listener; between the two nothing may throw
      resolve(socket);
    });
  });
}
