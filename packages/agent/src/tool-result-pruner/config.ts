import { z } from "zod";

/** Stands where the middle of a result was; the model keys on it (tools §19.4). */
export const marker = "\n\n[... tool result middle pruned ...]\n\n";

const chars = z.number().int().positive();

/** Lengths in code points. */
export const Config = z
  .strictObject({ thresholdChars: chars.default(8_192), headChars: chars.default(4_096), tailChars: chars.default(1_024) })
  .refine(
    ({ thresholdChars, headChars, tailChars }) => headChars + tailChars + [...marker].length <= thresholdChars,
    "head, tail and the mark between them must fit into the threshold, or a pruned result would be pruned again",
  );
export type PrunerConfig = z.infer<typeof Config>;
