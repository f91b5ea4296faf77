import type { DemoReply } from "./reply.ts";
import type { TurnView } from "./turn-view.ts";

/** Later turns: the demo cannot answer, but it can search the workspace for the longest word it was given and say what it saw. */
export function followUp(view: TurnView, hasTool: (name: string) => boolean): DemoReply {
  const word = searchWord(view.asked);
  if (view.step === 0) {
    const intro = "I am still the scripted demo model, so I cannot reason about your message.";
    if (word && hasTool("grep")) {
      return { text: `${intro} I can search the workspace for “${word}”.`, calls: [{ name: "grep", arguments: { pattern: word } }] };
    }
    if (hasTool("bash")) {
      const command = "git status --short 2>/dev/null | head -n 20; ls -A | head -n 20";
      return {
        text: `${intro} I can show the state of the workspace.`,
        calls: [{ name: "bash", arguments: { command, description: "Show the state of the workspace" } }],
      };
    }
    return { text: `${intro} This session gives me no tool to look around with, either.` };
  }
  return { text: `${outcome(view, word)}\n\nAdd a provider under Models for an answer to “${short(view.asked)}”.` };
}

/** Only plain letters and digits: the word becomes a search pattern. */
function searchWord(text: string): string | null {
  const words = text.match(/[A-Za-z][A-Za-z0-9_]{3,40}/g) ?? [];
  return words.reduce<string | null>((longest, word) => (word.length > (longest?.length ?? 0) ? word : longest), null);
}

function outcome(view: TurnView, word: string | null): string {
  const result = view.results.at(-1);
  if (!result) return "No tool has answered.";
  if (result.isError) return `The tool answered with an error: ${short(result.text)}`;
  if (result.name !== "grep") return `This is what the workspace shows:\n\n\`\`\`\n${result.text.slice(0, 1_500)}\n\`\`\``;
  const head = result.text.split("\n")[0] ?? "";
  if (/^No /.test(head)) return `“${word}” does not occur in the workspace.`;
  const files = result.text.split("\n").filter((line, index, lines) => index > 0 && lines[index - 1] === "" && !line.startsWith("("));
  return `${head} for “${word}”, in: ${files.slice(0, 8).join(", ")}${files.length > 8 ? " and more" : ""}.`;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 120 ? `${line.slice(0, 120).toWellFormed()}…` : line;
}
