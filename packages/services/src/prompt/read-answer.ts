import { type AnswerPrompt, AppError, type Question, type QuestionAnswer } from "@gantry/contracts";
import type { PromptAnswer } from "@gantry/db";
import { questionsOf } from "./prompt-view.ts";

/** What a person's input says to a prompt. @throws BAD_REQUEST for an answer that does not fit the kind, a question or an option that was not there */
export function readAnswer(
  { outcome, answers }: Pick<AnswerPrompt, "outcome" | "answers">,
  prompt: { kind: string; shown: unknown },
): PromptAnswer {
  if (prompt.kind === "approval") {
    if ((outcome !== "allow-once" && outcome !== "deny") || answers) throw refused("An approval is allowed once or denied.");
    return { kind: "approval", outcome: outcome === "allow-once" ? "allowed-once" : "rejected" };
  }
  if (outcome === "dismiss" && !answers) return { kind: "question", outcome: "dismissed" };
  if (outcome !== "answer" || !answers) throw refused("Questions are answered or dismissed.");
  const questions = questionsOf(prompt.shown);
  const known = new Map(questions.map((question) => [question.id, question]));
  if (new Set(answers.map(({ id }) => id)).size < answers.length) throw refused("A question was answered twice.");
  for (const answer of answers) checkAnswer(answer, known.get(answer.id));
  return { kind: "question", outcome: "answered", answers: questions.map(({ id }) => stored(id, answers)) };
}

/** A question that was left out was skipped. */
function stored(id: string, answers: NonNullable<AnswerPrompt["answers"]>): QuestionAnswer {
  const { selected = [], custom } = answers.find((answer) => answer.id === id) ?? {};
  return { id, selected, ...(custom === undefined ? {} : { custom }) };
}

function checkAnswer({ selected }: { selected: readonly string[] }, question: Question | undefined): void {
  if (!question) throw refused("An answer is for a question that was not asked.");
  const labels = new Set(question.options.map(({ label }) => label));
  if (selected.some((label) => !labels.has(label))) throw refused("An answer names an option that was not offered.");
  if (new Set(selected).size < selected.length) throw refused("An option was chosen twice.");
  if (selected.length > 1 && !question.multiSelect) throw refused("Only one option may be chosen here.");
}

const refused = (message: string) => new AppError("BAD_REQUEST", message);
