"use client";
import type { ReactNode } from "react";
import { commonTexts } from "../strings/en/common.ts";
import { ErrorState } from "../ui/states.tsx";
import { problemOf } from "./problem.ts";

type Props = { error: unknown; what?: string; level?: 1 | 2; onRetry?: () => void };

/** An error of the API as a block on the page; what a person may not see reads as not there. */
export function ProblemState({ error, what, level, onRetry }: Props): ReactNode {
  const problem = problemOf(error);
  if (problem.code === "NOT_FOUND" || problem.code === "FORBIDDEN")
    return (
      <ErrorState
        {...(level && { level })}
        what={commonTexts.errors.denied}
        why={commonTexts.errors.deniedWhy}
        todo={commonTexts.errors.deniedTodo}
        id={problem.id}
      />
    );
  return (
    <ErrorState
      {...(level && { level })}
      what={what ?? commonTexts.errors.what}
      why={problem.why}
      {...(problem.todo && { todo: problem.todo })}
      id={problem.id}
      {...(onRetry && { onRetry })}
    />
  );
}
