import { z } from "zod";
import { fileEnvelope } from "./envelope.ts";

/** A window of a text file. `capped` says that the byte limit, not the line limit, ended it. */
export const ReadValue = z.object({
  path: z.string(),
  offset: z.number(),
  lines: z.array(z.object({ number: z.number(), text: z.string() })),
  totalLines: z.number(),
  capped: z.boolean(),
  lang: z.string().optional(),
});
export type ReadValue = z.infer<typeof ReadValue>;

export function renderRead(value: ReadValue): string {
  const footer = footerOf(value);
  const rows = value.lines.map(({ number, text }) => `${number}: ${text}`);
  return fileEnvelope(value.path, rows.length === 0 ? footer : `${rows.join("\n")}\n\n${footer}`);
}

function footerOf({ offset, lines, totalLines, capped }: ReadValue): string {
  const last = offset + lines.length - 1;
  const next = `Use offset=${last + 1} to continue.`;
  if (capped) return `(Output capped. Showing lines ${offset}-${last}. ${next})`;
  if (last < totalLines) return `(Showing lines ${offset}-${last} of ${totalLines}. ${next})`;
  return `(End of file - total ${totalLines} lines)`;
}
