import { type CallCard, ImageBlock, type Json, type ResultCard } from "@gantry/contracts";
import { z } from "zod";
import type { PresentedResult } from "./types.ts";

const Arguments = z.object({ file_path: z.string() });
const Meta = z.object({ path: z.string(), ...ImageBlock.shape });

export function presentReadImageCall(args: Json): CallCard | null {
  const { data } = Arguments.safeParse(args);
  return data ? { card: "generic", title: `Read image ${data.file_path}`, kind: "read", locations: [{ path: data.file_path }] } : null;
}

export function presentReadImageResult(_args: Json, { meta, isError }: PresentedResult): ResultCard | null {
  const { data } = Meta.safeParse(meta);
  if (isError || !data) return null;
  const { path, attachmentId, width, height } = data;
  return { card: "image", path, attachmentId, width, height };
}
