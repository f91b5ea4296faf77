import type { DemoReply } from "./reply.ts";
import type { TurnView } from "./turn-view.ts";

type Wish = "approval" | "question";

/** What somebody wants to see: how an agent asks whether a call is allowed, or asks a question. Null for every other message. */
export function wishOf(asked: string): Wish | null {
  if (/\b(ask|show|see|try)\b[^.?!]*\b(approvals?|permission)\b/i.test(asked)) return "approval";
  return /\b(ask|show|see|try)\b[^.?!]*\bquestions?\b/i.test(asked) ? "question" : null;
}

const tools = { approval: "bash", question: "ask_user_question" } as const;

const begin: { readonly [W in Wish]: DemoReply } = {
  approval: {
    text: "I am a script, and this is a real request: I ask for one call outside the sandbox’s limits. It only prints the name of the system, and it runs if you allow it.",
    calls: [
      {
        name: tools.approval,
        arguments: {
          command: "uname -sr",
          description: "Print the name of the system",
          sandbox_permissions: "danger-full-access",
          justification: "The demo shows how an agent asks before it leaves its sandbox’s limits. Allow or deny, both are safe.",
        },
      },
    ],
  },
  question: {
    text: "I am a script, and this is how an agent asks when it cannot find something out by itself.",
    calls: [
      {
        name: tools.question,
        arguments: {
          questions: [
            {
              id: "storage",
              header: "Storage",
              question: "Where should a new service keep its data?",
              options: [
                { label: "Postgres", description: "A server that the team runs already" },
                { label: "SQLite", description: "One file, no server" },
              ],
            },
          ],
        },
      },
    ],
  },
};

/** One call that needs a person, then what came of it. */
export function asking(wish: Wish, view: TurnView, hasTool: (name: string) => boolean): DemoReply {
  if (!hasTool(tools[wish])) return { text: `This session gives me no tool to ask with (${tools[wish]}), so I cannot show it here.` };
  const result = view.results.at(-1);
  return result
    ? { text: `${outcome[wish]}\n\n\`\`\`\n${result.text.slice(0, 1_500).trimEnd()}\n\`\`\`\n\nA model would go on from here.` }
    : begin[wish];
}

const outcome: { readonly [W in Wish]: string } = {
  approval: "This is what the call came to:",
  question: "This is how your answer reaches the agent:",
};
