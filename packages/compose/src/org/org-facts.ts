import type { Facts } from "../conditions/facts.ts";

export type OrgPlanFacts = { readonly tier: string; readonly seats: number; readonly flags: Readonly<Record<string, boolean>> };
export type PlatformFacts = {
  readonly os: string;
  /** whether model servers may stand inside the network */
  readonly privateHosts: boolean;
  readonly release?: string;
  readonly region?: string;
};

/** Everything that conditions may ask about an org (E-6). Flags whose names are not kebab-case have no fact. */
export function orgFacts({ tier, seats, flags }: OrgPlanFacts, { os, privateHosts, release, region }: PlatformFacts): Facts {
  const named = Object.entries(flags).filter(([name]) => /^[a-z0-9][a-z0-9-]{0,63}$/.test(name));
  return {
    ...Object.fromEntries(named.map(([name, on]) => [`org.flag.${name}`, on === true])),
    "plan.seats": seats,
    "plan.tier": tier,
    "platform.os": os,
    "platform.privateHosts": privateHosts,
    ...(release === undefined ? {} : { "platform.release": release }),
    ...(region === undefined ? {} : { "platform.region": region }),
  };
}
