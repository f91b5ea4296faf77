import { maxQueryChars, queryError } from "@gantry/contracts";

/**
 * A question as SQL over `session_texts t`: $1 org, $2 the question, $3 its words. Nothing in a question is an operator (QRY-2, AG-032): each word between
 * blanks is a phrase of the words Postgres sees in it, and all must occur. A text that holds the question literally is found too, which also finds
 * punctuation and parts of words, and comes first. The look for substrings goes ahead, because it is cheaper than taking every text apart.
 */
export const questionSql = `
  question AS MATERIALIZED (
    SELECT lower($2::text) AS literal,
      (SELECT string_agg(phrase::text, ' & ')::tsquery FROM unnest($3::text[]) AS w(word), phraseto_tsquery('simple', w.word) AS phrase
        WHERE numnode(phrase) > 0) AS words,
      tsvector_to_array(to_tsvector('simple', $2)) AS lexemes
  )`;

/** A text is taken apart only where the question is not in it as it stands: that is the dear part. */
export const matchSql = `
  CROSS JOIN question q
  CROSS JOIN LATERAL (SELECT lower(t.text) AS lowered OFFSET 0) l
  CROSS JOIN LATERAL (SELECT strpos(l.lowered, q.literal) AS place OFFSET 0) f
  CROSS JOIN LATERAL (
    SELECT CASE WHEN f.place = 0 AND q.words IS NOT NULL AND NOT EXISTS (SELECT FROM unnest(q.lexemes) AS x WHERE strpos(l.lowered, x) = 0)
      THEN to_tsvector('simple', t.text) END AS parts OFFSET 0
  ) v`;

export const isMatch = "(f.place > 0 OR v.parts @@ q.words)";
/** Literal finds first: whole words before parts of words, then by how much of the text they are. Then the others, by how near the words stand. */
export const rankSql = `
  CASE WHEN f.place > 0 THEN 2
    + (substr(l.lowered, f.place + length(q.literal), 1) !~ '\\w' AND (f.place = 1 OR substr(l.lowered, f.place - 1, 1) !~ '\\w'))::int
    + 1 - length(replace(l.lowered, q.literal, ''))::float8 / length(l.lowered)
  ELSE ts_rank_cd(v.parts, q.words) / (1 + ts_rank_cd(v.parts, q.words)) END`;

/** The first two values of a question's statement after the org. @throws INVALID_QUERY */
export function questionValues(query: string): [string, string[]] {
  const literal = query.trim().replaceAll("\0", "").toWellFormed();
  if (literal === "") throw queryError("INVALID_QUERY", "Say what to look for.");
  if (literal.length > maxQueryChars) throw queryError("INVALID_QUERY", `A question has at most ${maxQueryChars} characters.`);
  return [literal, literal.split(/\s+/u)];
}
