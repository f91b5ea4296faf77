import { type Question, type QuestionAnswer, questionLimits } from "@gantry/contracts";
import { z } from "zod";
import { defineTool } from "../define-tool.ts";
import { requireText } from "../guard-arguments.ts";
import type { ToolDefinition } from "../registry/types.ts";
import type { UserQuestionsSeam } from "./seam.ts";

const option = z.looseObject({
  label: z.string().describe("What the user picks, in a few words. Put “(Recommended)” behind the one you would take, and list it first."),
  description: z.string().optional().describe("What picking it means."),
});
const question = z.looseObject({
  id: z.string().describe("A short name of your own for the question; the answer carries it."),
  question: z.string().describe("The whole question, as the user reads it."),
  header: z.string().optional().describe("One or two words above the question."),
  options: z.array(option).optional().describe("Answers to choose from. The user can always write one of their own."),
  multi_select: z.boolean().optional().describe("Whether several options may be chosen. Default: false."),
});
const parameters = z.object({
  questions: z.array(question).describe("The questions, at least one. Ask what belongs together in one call."),
});

const answer = z.object({ id: z.string(), selected: z.array(z.string()), custom: z.string().optional() });
const Answers = z.object({ answers: z.array(answer) });

const about = `Asks the user one or more questions and waits for the answers, for as long as it takes.

- Use it where the work depends on a choice that only the user can make; decide the rest yourself.
- Offer options where you know the sensible ones. The answers come back as \`{"answers":[{"id","selected","custom"?}]}\`: the labels that were chosen, and what the user wrote instead or besides. A skipped question has no label selected.`;

/** The `ask_user_question` tool (tools §14). Its body runs again once the answer is there. */
export function askUserTool(questions: UserQuestionsSeam): ToolDefinition {
  return defineTool({
    name: "ask_user_question",
    description: about,
    parameters,
    output: Answers,
    recovery: "idempotent",
    risk: "read",
    async execute(args, { execution, agent, signal }) {
      requireAtMost(questionLimits.questions, args.questions.length, "questions in one call");
      const asked = args.questions.map(asQuestion);
      if (new Set(asked.map(({ id }) => id)).size < asked.length) throw new Error("two questions have the same id");
      const request = { agent, callId: execution.callId, toolName: execution.name, questions: asked, signal };
      const given = await questions.ask({ ...request, mayPark: execution.parentToken === undefined });
      return { answers: asked.map((item) => projected(item, given)) };
    },
    render: (value) => JSON.stringify(value),
  });
}

function asQuestion({ id, question: text, header, options, multi_select: multiSelect }: z.input<typeof question>): Question {
  requireText("id", id);
  requireText("question", text);
  requireAtMost(questionLimits.idChars, id.length, "characters in an id");
  requireAtMost(questionLimits.options, options?.length ?? 0, `options of question ${id}`);
  for (const { label } of options ?? []) {
    requireText(`each label of question ${id}`, label);
    requireAtMost(questionLimits.labelChars, label.length, `characters in a label of question ${id}`);
  }
  const choices = (options ?? []).map(({ label, description }) => ({ label, ...(description === undefined ? {} : { description }) }));
  if (new Set(choices.map(({ label }) => label)).size < choices.length)
    throw new Error(`two options of question ${id} have the same label`);
  return { id, header: header ?? "", question: text, options: choices, ...(multiSelect ? { multiSelect } : {}) };
}

/** More than people could send back is refused before they see it. @throws Error */
function requireAtMost(most: number, given: number, what: string): void {
  if (given > most) throw new Error(`there may be at most ${most} ${what}, and there are ${given}`);
}

/** Where one may be chosen, the user's own words take the place of the choice; a question without an answer was skipped. */
function projected({ id, multiSelect }: Question, given: readonly QuestionAnswer[]): z.input<typeof answer> {
  const { selected = [], custom } = given.find((candidate) => candidate.id === id) ?? {};
  const hasOwn = custom !== undefined && custom.trim() !== "";
  return { id, selected: hasOwn && !multiSelect ? [] : [...selected], ...(hasOwn ? { custom } : {}) };
}
