import type { Diagnostic } from "@codemirror/lint";
import type { Text } from "@codemirror/state";

/** What is wrong at a place of the text; line and column count from 1. An error unless it says otherwise. */
export type LineIssue = {
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  readonly severity?: "warning";
};

/** Marks from the column to the end of its line; what has no place stands at the first line. */
export function diagnosticsOf(text: Text, issues: readonly LineIssue[]): Diagnostic[] {
  return issues.map(({ message, line = 1, column = 1, severity }) => {
    const at = text.line(Math.min(Math.max(line, 1), text.lines));
    const from = Math.min(at.from + column - 1, at.to);
    return { from, to: Math.max(at.to, from), severity: severity ?? "error", message };
  });
}
