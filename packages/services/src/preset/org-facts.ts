import { type Facts, orgFacts } from "@gantry/compose";
import type { Tx } from "@gantry/db";
import { z } from "zod";
import type { ServiceContext } from "../context.ts";

const Flags = z.record(z.string(), z.boolean());

/** What conditions may ask about the organisation (E-6), as its worker will see it. */
export async function readOrgFacts(tx: Tx, ctx: Pick<ServiceContext, "orgId" | "env">): Promise<Facts> {
  const org = await tx.org.findUniqueOrThrow({
    where: { id: ctx.orgId },
    select: { planTier: true, planSeats: true, flags: true },
  });
  const plan = { tier: org.planTier, seats: org.planSeats, flags: Flags.parse(org.flags) };
  return orgFacts(plan, { os: process.platform, privateHosts: ctx.env.GANTRY_ALLOW_PRIVATE_HOSTS });
}
