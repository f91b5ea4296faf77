import { z } from "zod";
import { Hunk } from "./hunks.ts";

/** What a write or an edit came to. `hunks` are there when the change is worth and small enough to show. */
export const MutationValue = z.object({
  path: z.string(),
  operation: z.enum(["create", "update"]),
  replacements: z.number().optional(),
  hunks: z.array(Hunk).optional(),
});
export type MutationValue = z.infer<typeof MutationValue>;
