import { createHash } from "node:crypto";
import { maxSearchResults, queryError } from "@gantry/contracts";
import { z } from "zod";

const Cursor = z.strictObject({ question: z.string(), generation: z.string(), offset: z.int().positive() });
const defaultLimit = 20;

/** Where a page begins. `generation`: the state of the corpus that the first page saw; null on the first page. */
export type PagePlace = { readonly question: string; readonly limit: number; readonly offset: number; readonly generation: string | null };

/** Reads the place of a page. A cursor goes on with the very question that gave it out (QRY-2). @throws INVALID_LIMIT, INVALID_CURSOR */
export function pagePlace(question: object, { limit = defaultLimit, cursor }: { limit?: number; cursor?: string }): PagePlace {
  if (!Number.isInteger(limit) || limit < 1 || limit > maxSearchResults)
    throw queryError("INVALID_LIMIT", `A page has 1 to ${maxSearchResults} results.`);
  const digest = createHash("sha256").update(JSON.stringify(question)).digest("base64url");
  if (cursor === undefined) return { question: digest, limit, offset: 0, generation: null };
  const read = Cursor.safeParse(decode(cursor));
  if (!read.success || read.data.question !== digest)
    throw queryError("INVALID_CURSOR", "This cursor belongs to another question. Ask again without it.");
  return { question: digest, limit, offset: read.data.offset, generation: read.data.generation };
}

/** Refuses to go on in a corpus that has changed: results would repeat or be missing (QRY-2). @throws STALE_CURSOR */
export function assertFresh({ generation }: PagePlace, present: string): void {
  if (generation === null || generation === present) return;
  throw queryError("STALE_CURSOR", "Sessions have changed since the first page. Ask again without the cursor.");
}

/** The cursor of the page after this one; null where this one is the last. `rows` holds one more than the limit when there is more. */
export function cursorAfter({ question, limit, offset }: PagePlace, generation: string, rows: number): string | null {
  if (rows <= limit) return null;
  const next: z.infer<typeof Cursor> = { question, generation, offset: offset + limit };
  return Buffer.from(JSON.stringify(next)).toString("base64url");
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return null; // not one of ours
  }
}
