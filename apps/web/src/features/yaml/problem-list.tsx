"use client";
import { CircleAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../lib/cx.ts";
import { presets } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import type { LineIssue } from "./line-issues.ts";

type Props = { title?: string; look?: "bad" | "warn"; problems: readonly LineIssue[]; onGoTo: (line: number) => void };

/** What is wrong with a text, or may be; each entry leads to its line. */
export const ProblemList = ({ title, look = "bad", problems, onGoTo }: Props): ReactNode => (
  <section
    role={look === "bad" ? "alert" : "status"}
    className={cx("mb-4 rounded-box border px-4 py-3 text-sm", look === "bad" ? "bg-bad-wash" : "bg-warn-wash")}
  >
    <h2 className="flex items-center gap-2 font-medium">
      {look === "bad" ? (
        <CircleAlert aria-hidden className="size-5 shrink-0 text-bad" />
      ) : (
        <TriangleAlert aria-hidden className="size-5 shrink-0 text-warn" />
      )}
      {title ?? (problems.length === 1 ? presets.problemOne : fill(presets.problems, { n: problems.length }))}
    </h2>
    <ul className="scroll-quiet mt-1 ml-7 flex max-h-44 flex-col gap-1 overflow-y-auto">
      {problems.map(({ message, path, line }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two problems may read alike
        <li key={at} className="break-words">
          {line !== undefined && (
            <button type="button" onClick={() => onGoTo(line)} className="mr-2 rounded font-medium text-accent underline">
              {fill(presets.problemLine, { line })}
            </button>
          )}
          {line !== undefined && <Field path={path} />}
          {message} {line === undefined && path && path !== "$" && <code className="font-mono text-soft text-xs">{path}</code>}
        </li>
      ))}
    </ul>
  </section>
);

/** Which field of a row's config is meant, for a line may hold many. */
const Field = ({ path }: { path: string | undefined }): ReactNode => {
  const field = path && /\.(config\..+)$/.exec(path)?.[1];
  return field ? <code className="mr-2 font-mono text-soft text-xs">{field}</code> : null;
};
