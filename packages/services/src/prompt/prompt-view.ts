import { Question } from "@gantry/contracts";
import { z } from "zod";
import { showHidden } from "./show-hidden.ts";

/** What the worker stored for whoever answers. */
const shownOf = {
  approval: z.object({
    arguments: z.string(),
    reason: z.string().optional(),
    displayReason: z.record(z.string(), z.string()).optional(),
  }),
  question: z.object({ questions: z.array(Question) }),
};

type Common = {
  readonly id: string;
  readonly callId: string | null;
  readonly toolName: string | null;
  /** to be sent back with the answer */
  readonly binding: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
};
export type PromptView =
  /** `arguments`: as the model wrote them, everything hidden written as an escape (SC-P2) */
  | (Common & { readonly kind: "approval"; readonly arguments: string; readonly reason: string | null })
  | (Common & { readonly kind: "question"; readonly questions: readonly Question[] });

export const promptColumns = {
  id: true,
  kind: true,
  callId: true,
  toolName: true,
  binding: true,
  shown: true,
  createdAt: true,
  expiresAt: true,
} as const;
type Row = Common & { readonly kind: string; readonly shown: unknown };

export function promptView({ kind, shown, ...row }: Row): PromptView {
  const common = { ...row, toolName: row.toolName === null ? null : showHidden(row.toolName) };
  if (kind === "question") return { ...common, kind, questions: questionsOf(shown) };
  const { arguments: raw, reason, displayReason } = shownOf.approval.parse(shown);
  const told = displayReason?.en ?? reason;
  return { ...common, kind: "approval", arguments: showHidden(raw), reason: told === undefined ? null : showHidden(told) };
}

export function questionsOf(shown: unknown): readonly Question[] {
  return shownOf.question.parse(shown).questions;
}
