import type { JsonObject } from "@gantry/contracts";
import { z } from "zod";

/** One plugin of a preset revision, as it is stored: `name` is resolved through the catalogue, `id` is unique within the preset. */
export const Row = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/),
  name: z.string(),
  config: z.record(z.string(), z.json()).optional(),
});
export type Row = { readonly id: string; readonly name: string; readonly config?: JsonObject };
