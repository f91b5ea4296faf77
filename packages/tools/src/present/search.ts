import type { CallCard, Json, ResultCard } from "@gantry/contracts";
import { z } from "zod";
import type { PresentedResult } from "./types.ts";

const GlobArguments = z.object({ pattern: z.string(), path: z.string().optional() });
const GrepArguments = GlobArguments.extend({ include: z.string().optional() });

const facts = { total: z.number().int().nonnegative(), truncated: z.boolean() };
const match = z.object({ lineNumber: z.number().int(), line: z.string() });
const Meta = z.discriminatedUnion("shape", [
  z.object({ shape: z.literal("paths"), paths: z.array(z.string()), ...facts }),
  z.object({ shape: z.literal("matches"), files: z.array(z.object({ path: z.string(), matches: z.array(match) })), ...facts }),
]);

export function presentGlobCall(args: Json): CallCard | null {
  const { data } = GlobArguments.safeParse(args);
  return data ? searchCard(`Glob ${data.pattern}${inside(data.path)}`) : null;
}

export function presentGrepCall(args: Json): CallCard | null {
  const { data } = GrepArguments.safeParse(args);
  if (!data) return null;
  return searchCard(`Grep ${data.pattern}${inside(data.path)}${data.include === undefined ? "" : ` (${data.include})`}`);
}

export function presentSearchResult(_args: Json, { meta, isError }: PresentedResult): ResultCard | null {
  const { data } = Meta.safeParse(meta);
  if (isError || !data) return null;
  if (data.shape === "paths") return { card: "search", ...data };
  const { files, total, truncated } = data;
  return { card: "matches", files, total, truncated };
}

function searchCard(title: string): CallCard {
  return { card: "generic", title, kind: "search" };
}

function inside(path: string | undefined): string {
  return path === undefined ? "" : ` in ${path}`;
}
