import { findingLines, findingsOf, look, notesFile } from "./findings.ts";
import type { DemoCall, DemoReply } from "./reply.ts";
import type { TurnView } from "./turn-view.ts";

const steps = ["Look around the workspace", `Write what was found to ${notesFile}`, "Check the written file"];

type Stage = (view: TurnView) => DemoReply;

/** The first turn: a short real job. One entry a step; what is said and written comes from the results of the steps before. */
const stages: readonly Stage[] = [
  () => ({
    reasoning: "There is no language model behind this answer, so I follow my fixed script: look around, take notes, check them.",
    text: "I am Gantry’s scripted demo model. I do not understand requests; I do one short, real job in this workspace with the real tools, so that you can see how a session works. Add a provider under Models to work with a real one.\n\nFirst I look around.",
    calls: [todos(0), { name: "glob", arguments: { pattern: "**/*" } }],
  }),
  (view) => ({
    text:
      findingsOf(view.results).files.length > 0 || findingsOf(view.results).listingFailed
        ? "Now the history and the package file."
        : "I see no files of yours yet. Let me see whether there is a history.",
    calls: [bash(look, "Show recent commits and the package file"), ...existingNotes(view)],
  }),
  (view) => ({
    text: `I write down what I found in \`${notesFile}\`.`,
    calls: [{ name: "write", arguments: { file_path: notesFile, content: notes(view) } }, todos(1)],
  }),
  () => ({ calls: [todos(2), bash(`wc -l ${notesFile} && git status --short 2>/dev/null | head -n 5; true`, "Check the written notes")] }),
  () => ({ calls: [todos(3)] }),
];

export function tour(view: TurnView, hasTool: (name: string) => boolean): DemoReply {
  const usable = stages
    .map((stage) => stage(view))
    .map((reply) => ({ ...reply, calls: reply.calls?.filter((call) => hasTool(call.name)) ?? [] }))
    .filter((reply) => reply.calls.length > 0);
  return usable[view.step] ?? { text: summary(view) };
}

function todos(done: number): DemoCall {
  const status = (index: number) => (index < done ? "completed" : index === done ? "in_progress" : "pending");
  return { name: "todo_write", arguments: { todos: steps.map((content, index) => ({ content, status: status(index) })) } };
}

function bash(command: string, description: string): DemoCall {
  return { name: "bash", arguments: { command, description } };
}

/** A file that exists must be read before it may be replaced. */
function existingNotes(view: TurnView): DemoCall[] {
  return findingsOf(view.results).hasNotes ? [{ name: "read", arguments: { file_path: notesFile } }] : [];
}

function notes(view: TurnView): string {
  const lines = findingLines(findingsOf(view.results)).map((line) => `- ${line}`);
  return `# Workspace notes\n\nWritten by Gantry’s scripted demo model from what its tools showed.\n\n${lines.join("\n")}\n`;
}

function summary(view: TurnView): string {
  const written = view.results.find((result) => result.name === "write");
  const check = view.results.findLast((result) => result.name === "bash" && result.arguments.includes(notesFile));
  const failed = view.results.filter((result) => result.isError);
  const lines = findingLines(findingsOf(view.results)).map((line) => `- ${line}`);
  const outcome =
    written && !written.isError
      ? `I wrote this to \`${notesFile}\`${lineCount(check?.text)}.`
      : `I could not write \`${notesFile}\`${written ? `: ${firstLine(written.text)}` : ", because this session has no tool for it"}.`;
  const trouble = failed.length > 0 ? `\n\n${failed.length} of ${view.results.length} tool calls failed; you can open them above.` : "";
  return `Done. This is what the tools showed:\n\n${lines.join("\n")}\n\n${outcome}${trouble}\n\nThat was a script, not a model. Write “ask me a question” or “ask for approval” to see how an agent asks people. With a real model provider, a session plans its own steps and answers what you ask.`;
}

function lineCount(text: string | undefined): string {
  const count = /^\s*(\d+) /.exec(text ?? "")?.[1];
  return count ? ` (${count} lines, counted by \`wc\`)` : "";
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").slice(0, 200);
}
