import { z } from "zod";

export const Config = z.strictObject({
  /** How long a person has to answer, in hours. */
  expiresAfterHours: z.number().int().positive().max(2_160).default(168),
});
export type ApprovalConfig = z.infer<typeof Config>;
