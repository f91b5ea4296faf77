import { type Context, Service } from "@gantry/kernel";
import type { UserQuestionsSeam } from "../../src/index.ts";

class NoPeople extends Service implements UserQuestionsSeam {
  constructor(ctx: Context) {
    super(ctx, "userQuestions");
  }
  ask(): Promise<never> {
    throw new Error("nobody is there in this test");
  }
}

/** Questions that nobody answers. */
export const noPeople = { name: "no-people", apply: (ctx: Context) => void new NoPeople(ctx) };
