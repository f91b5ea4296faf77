export type IssueCode =
  | "INPUT_SYNTAX"
  | "INPUT_LIMIT"
  | "INPUT_KEY"
  | "INPUT_TYPE"
  | "EXPR_FORBIDDEN"
  | "FACT_UNKNOWN"
  | "PLUGIN_UNKNOWN"
  | "PLUGIN_PLANE"
  | "PLUGIN_NOT_ENTITLED"
  | "CONFIG_INVALID"
  | "ROW_INVALID"
  | "ROW_DUPLICATE"
  | "ROW_LOCKED"
  | "SECRET_MISPLACED"
  | "PRESET_LEAK"
  | "SERVICE_MISSING"
  | "SERVICE_LOOP"
  | "SERVICE_TAKEN"
  | "SERVICE_UNKNOWN"
  | "PLUGIN_TWICE"
  | "HOST_INCOMPLETE"
  | "NO_AGENT_FACTORY"
  | "AGENT_FACTORY_TAKEN"
  | "BUNDLE_UNKNOWN"
  | "BUNDLE_NOT_ENTITLED";

/**
 * Why something was refused. `message` says what, why and what to do; `line` and `column` count from 1. `cause`: the path of what another row says, where
 * that is to blame.
 */
export type Issue = { code: IssueCode; path: string; message: string; line?: number; column?: number; cause?: string };

/** Where a path of the parsed value stands in the text it came from; null when there was no text. */
export type Locate = (path: string) => { line: number; column: number } | null;
export const nowhere: Locate = () => null;

export const indexPath = (path: string, index: number): string => `${path}[${index}]`;
export const keyPath = (path: string, key: string): string =>
  /^[\w$-]{1,64}$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key.slice(0, 64))}]`;

/** A name that somebody wrote, as much of it as a message repeats. */
export const shortened = (name: string): string => (name.length > 64 ? `${name.slice(0, 64).toWellFormed()}…` : name);

/** Gives issues the place of their path, or of the nearest part around it that has one. */
export function placed(issues: readonly Issue[], locate: Locate): Issue[] {
  return issues.map((issue) => (issue.line === undefined ? { ...issue, ...nearest(issue.path, locate) } : issue));
}

function nearest(path: string, locate: Locate): { line: number; column: number } | null {
  for (let end = path.length; end > 0; end = Math.max(path.lastIndexOf(".", end - 1), path.lastIndexOf("[", end - 1))) {
    const place = locate(path.slice(0, end));
    if (place) return place;
  }
  return null;
}

/** A text as a sentence: what libraries say ends with a stop or does not. */
export const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** One line for a person: `line 3, column 5 ($[0].config): …`. Without a line, and without the path where the message begins with the row that it leads to. */
export function describeIssue({ path, line, column, message }: Issue): string {
  if (line === undefined) return message.startsWith(`${path.slice(2)} `) ? message : `${path}: ${message}`;
  return `line ${line}, column ${column} (${path}): ${message}`;
}
