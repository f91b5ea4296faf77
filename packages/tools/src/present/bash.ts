import type { CallCard, Json, ResultCard } from "@gantry/contracts";
import { z } from "zod";
import type { PresentedResult } from "./types.ts";

const Arguments = z.object({
  command: z.string(),
  description: z.string(),
  workdir: z.string().optional(),
  run_in_background: z.boolean().optional(),
});
const Meta = z.object({ exitCode: z.number().nullable(), signal: z.string().nullable() });

/** How the process ended, as the last line of the text; the newline before it keeps look-alikes inside the output untouched. */
const lastMarker = /\n\[(?:exit code: (\d+)|killed by signal: (\w+))\]$/;

export function presentBashCall(args: Json): CallCard | null {
  const { data } = Arguments.safeParse(args);
  if (!data) return null;
  const { command, description, workdir } = data;
  if (data.run_in_background) return { card: "generic", title: description, kind: "execute", rawInput: command, content: description };
  return { card: "terminal", title: command, description, ...(workdir === undefined ? {} : { cwd: workdir }) };
}

export function presentBashResult(args: Json, { text, meta, isError }: PresentedResult): ResultCard | null {
  const { data: call } = Arguments.safeParse(args);
  if (isError || call?.run_in_background) return { card: "generic", text, format: "console" };
  const { data: end } = Meta.safeParse(meta);
  const marker = lastMarker.exec(text);
  const ending = end ?? { exitCode: marker?.[2] ? null : Number(marker?.[1] ?? 0), signal: marker?.[2] ?? null };
  const marked = ending.signal !== null || ending.exitCode !== 0;
  const output = marked && marker ? text.slice(0, marker.index) : text;
  if (ending.signal !== null) return { card: "terminal", output, signal: ending.signal };
  return { card: "terminal", output, ...(ending.exitCode === null ? {} : { exitCode: ending.exitCode }) };
}
