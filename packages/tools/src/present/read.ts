import type { CallCard, Json, ResultCard } from "@gantry/contracts";
import { z } from "zod";
import type { PresentedResult } from "./types.ts";

const Arguments = z.object({ file_path: z.string(), offset: z.number().optional(), limit: z.number().optional() });
const Meta = z.object({
  path: z.string(),
  offset: z.number().int().positive(),
  lines: z.array(z.object({ number: z.number().int(), text: z.string() })),
  totalLines: z.number().int().nonnegative(),
  lang: z.string().optional(),
});
const envelope = /^<path>[^\n]*<\/path>\n<type>file<\/type>\n<content>\n/;

export function presentReadCall(args: Json): CallCard | null {
  const { data } = Arguments.safeParse(args);
  if (!data) return null;
  const { file_path: path, offset, limit } = data;
  const line = offset ?? 1;
  const range = limit !== undefined ? ` (${line} - ${line + limit - 1})` : offset !== undefined ? ` (from line ${offset})` : "";
  return { card: "generic", title: `Read ${path}${range}`, kind: "read", locations: [{ path, line }] };
}

export function presentReadResult(_args: Json, { text, meta, isError }: PresentedResult): ResultCard | null {
  const { data } = Meta.safeParse(meta);
  if (isError || !data || !envelope.test(text)) return null;
  const { path, offset, lines, totalLines, lang } = data;
  const inOrder = lines.every(({ number }, index) => number === offset + index) && offset + lines.length - 1 <= totalLines;
  if (!inOrder) return null;
  return { card: "read", path, offset, lines, totalLines, ...(lang === undefined ? {} : { lang }) };
}
