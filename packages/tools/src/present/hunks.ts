import type { Json } from "@gantry/contracts";
import { z } from "zod";

const Meta = z.object({
  path: z.string(),
  hunks: z.array(z.object({ startLine: z.number().int().nonnegative(), oldText: z.string(), newText: z.string() })).min(1),
});

/** One diff per changed stretch from a mutation's card data, or null when there are none or the data is not what we wrote. */
export function diffsOf(meta: Json | undefined) {
  const { data } = Meta.safeParse(meta);
  if (!data) return null;
  return data.hunks.map(({ startLine, oldText, newText }) => ({ path: data.path, oldText, newText, startLine }));
}
