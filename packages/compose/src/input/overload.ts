import { Lexer } from "yaml";
import { limits } from "./limits.ts";

/** Tokens of the lexer that stand for no character of the text: start of a document, of a scalar, end of a flow collection. */
const marks = new Set(["\u0002", "\u001f", "\u0018"]);

/** Words, marks, blanks and line ends of a text. The fullest text that the gate takes, indented JSON, has some ten for each value. */
const maxTokens = 12 * limits.maxNodes;

/**
 * Where a text opens more brackets, more list dashes on one line, or has more parts than the gate lets through; null when it stays below. Asked before the
 * parser, whose work on such a text would hold the process for seconds.
 */
export function overloadOf(text: string): { offset: number; what: "depth" | "size" } | null {
  let [offset, brackets, dashes, tokens] = [0, 0, 0, 0];
  for (const token of new Lexer().lex(text)) {
    if (token === "[" || token === "{") brackets += 1;
    else if (token === "]" || token === "}") brackets -= 1;
    else if (token === "-" || token === "?") dashes += 1;
    else if (token.includes("\n")) dashes = 0;
    tokens += 1;
    if (brackets > limits.maxDepth || dashes > limits.maxDepth) return { offset, what: "depth" };
    if (tokens > maxTokens) return { offset, what: "size" };
    if (!marks.has(token)) offset += token.length;
  }
  return null;
}
