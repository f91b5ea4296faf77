import type { Message } from "@gantry/contracts";
import { newId } from "@gantry/platform";

const headings = [
  "1. Primary request and intent: everything the user asked for, in detail, with each change of mind, and the user's own words where they matter.",
  "2. Key technical concepts: technologies, conventions, constraints and decisions that the work rests on.",
  "3. Files and code: each file that was read, written or is about to be, why it matters, and the code that has to be known exactly.",
  "4. Errors and fixes: what went wrong, how it was put right, and what the user said about it.",
  "5. Pending jobs: what was asked for and is not done, and what still runs in the background.",
  "6. Current work: precisely what was being done last, with file names and code.",
  "7. Next step: the one thing to do next, only as far as it follows from the last request.",
  "8. Critical context: ids, addresses, commands, values and promises that cannot be found again elsewhere.",
];

const instruction = `Stop here and write a summary of the conversation so far. It takes the place of that conversation: whoever goes on with the work reads your summary and nothing of what came before. Write plain text, call no tool, continue no work and answer no question in it. Keep exact names, paths, numbers and errors; leave out greetings and what turned out not to matter. If an earlier summary stands at the beginning, carry over all of it that still holds.

Use these headings, in this order; say "none" under one that is empty:

${headings.join("\n")}`;

/** What asks for a summary (CMP-7, CMP-8): the last message behind the history itself. */
export const summaryRequest = (): Message => ({
  id: newId(),
  role: "user",
  content: [{ type: "text", text: instruction }],
  source: { kind: "plugin", plugin: "compaction" },
});

const preamble =
  "The earlier part of this conversation was replaced by the summary below to make room. Take it as what happened, go on from where it ends, and do not mention it. Read files again before you rely on their exact text.";

/** What a summary repeats of files and results must not end its frame. */
const escaped = (text: string): string => text.replace(/<(?=\s*\/\s*compacted-summary)/gi, "<\\");

/** The message that stands for a history from now on; `ref` names its compaction (CMP-8). */
export const summaryMessage = (summary: string, compactionId: string): Message => ({
  id: newId(),
  role: "user",
  content: [{ type: "text", text: `${preamble}\n\n<compacted-summary>\n${escaped(summary)}\n</compacted-summary>` }],
  source: { kind: "plugin", plugin: "compaction", form: "notice", summary: "Earlier conversation, summed up", ref: compactionId },
});
