import { z } from "zod";

/** Stands where the middle of a result was. */
export const marker = "\n\n[the middle of this result was left out to make room; run the call again if you need it]\n\n";

const chars = z.number().int().positive();

/** Lengths in code points. */
export const Config = z
  .strictObject({ thresholdChars: chars.default(8_192), headChars: chars.default(4_096), tailChars: chars.default(1_024) })
  .refine(
    ({ thresholdChars, headChars, tailChars }) => headChars + tailChars + [...marker].length <= thresholdChars,
    "head, tail and the mark between them must fit into the threshold, or a pruned result would be pruned again",
  );
export type PrunerConfig = z.infer<typeof Config>;
