import type { ZodError } from "zod";

const maxProblems = 10;

type Issue = ZodError["issues"][number];

/** What is wrong with which field, in words that contain nothing of the input itself (CP-34): also an unknown key is input. */
export function inputProblems(error: ZodError): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const issue of error.issues.slice(0, maxProblems)) problems[issue.path.map(String).join(".")] ??= problemText(issue);
  return problems;
}

function problemText(issue: Issue): string {
  switch (issue.code) {
    case "unrecognized_keys":
      return "one of its keys is not known";
    case "invalid_type":
      return `must be ${article(issue.expected)}`;
    case "too_small":
      return issue.origin === "string" ? `must have at least ${issue.minimum} characters` : `must be at least ${issue.minimum}`;
    case "too_big":
      return issue.origin === "string" ? `must have at most ${issue.maximum} characters` : `must be at most ${issue.maximum}`;
    case "invalid_value":
      return `must be one of: ${issue.values.map(String).join(", ")}`;
    case "custom":
      return issue.message; // our own words, from contracts
    case "invalid_format":
      return issue.format === "regex" ? issue.message : `must be a valid ${issue.format}`;
    default:
      return "is not accepted";
  }
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
