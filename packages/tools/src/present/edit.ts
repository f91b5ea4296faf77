import type { CallCard, Json, ResultCard } from "@gantry/contracts";
import { z } from "zod";
import { diffsOf } from "./hunks.ts";
import type { PresentedResult } from "./types.ts";

const Arguments = z.object({ file_path: z.string(), old_string: z.string(), new_string: z.string() });

export function presentEditCall(args: Json): CallCard | null {
  const { data } = Arguments.safeParse(args);
  if (!data) return null;
  const { file_path: path, old_string, new_string } = data;
  const change = { path, oldText: old_string === "" ? null : old_string, newText: new_string };
  return { card: "diff", title: `Edit ${path}`, diffs: [change], locations: [{ path }] };
}

/** Only what the file system reported: the arguments do not say where the text stood. */
export function presentEditResult(_args: Json, { meta, isError }: PresentedResult): ResultCard | null {
  const diffs = isError ? null : diffsOf(meta);
  return diffs && { card: "diff", diffs };
}
