import type { CallCard, Json, ResultCard } from "@gantry/contracts";
import { z } from "zod";
import { diffsOf } from "./hunks.ts";
import type { PresentedResult } from "./types.ts";

const Arguments = z.object({ file_path: z.string(), content: z.string() });

export function presentWriteCall(args: Json): CallCard | null {
  const { data } = Arguments.safeParse(args);
  if (!data) return null;
  const { file_path: path, content } = data;
  return { card: "diff", title: `Write ${path}`, diffs: [{ path, oldText: null, newText: content }], locations: [{ path }] };
}

/** The change itself where it was kept; the whole new file for creations, rewrites without a difference and data we do not know. */
export function presentWriteResult(args: Json, { meta, isError }: PresentedResult): ResultCard | null {
  const { data } = Arguments.safeParse(args);
  if (isError || !data) return null;
  return { card: "diff", diffs: diffsOf(meta) ?? [{ path: data.file_path, oldText: null, newText: data.content }] };
}
