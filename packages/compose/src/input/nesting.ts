import { Lexer } from "yaml";
import { limits } from "./limits.ts";

/** Tokens of the lexer that stand for no character of the text: start of a document, of a scalar, end of a flow collection. */
const marks = new Set(["\u0002", "\u001f", "\u0018"]);

/**
 * The offset where a text opens more brackets, or more list dashes on one line, than the gate lets through; null when it stays below. Asked before
 * the parser, whose work on such a text grows until its stack ends.
 */
export function tooDeepAt(text: string): number | null {
  let [offset, brackets, dashes] = [0, 0, 0];
  for (const token of new Lexer().lex(text)) {
    if (token === "[" || token === "{") brackets += 1;
    else if (token === "]" || token === "}") brackets -= 1;
    else if (token === "-" || token === "?") dashes += 1;
    else if (token.includes("\n")) dashes = 0;
    if (brackets > limits.maxDepth || dashes > limits.maxDepth) return offset;
    if (!marks.has(token)) offset += token.length;
  }
  return null;
}
