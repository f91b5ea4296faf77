import type { Question, QuestionAnswer } from "@gantry/contracts";
import type { ToolAgent } from "../agent.ts";

export type QuestionRequest = {
  readonly agent: ToolAgent | undefined;
  readonly callId: string;
  readonly toolName: string;
  readonly questions: readonly Question[];
  /** The one question is a review; `approve` is the label of the option that says yes. */
  readonly intent?: { readonly kind: "plan-review"; readonly approve: string };
  readonly signal: AbortSignal;
  /** Whether the call may be left unfinished while people are asked; a call from inside a program may not. */
  readonly mayPark: boolean;
};

/** The service `userQuestions`. Answers come in the order of the questions. */
export interface UserQuestionsSeam {
  /** @throws ToolError with a code of ASK-1; ParkedCall while people are asked: let it through, the body runs again with the answer */
  ask(request: QuestionRequest): Promise<readonly QuestionAnswer[]>;
}

declare module "@gantry/kernel" {
  interface Context {
    userQuestions: UserQuestionsSeam;
  }
}
