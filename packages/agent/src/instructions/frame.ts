import { createHash } from "node:crypto";

export type InstructionFile = { readonly path: string; readonly text: string; readonly isCut: boolean };

const open = "<system-reminder>";
const close = "</system-reminder>";
/** Neither a file nor a name of one ends the frame around them, in whatever spelling (INS-2). */
const escaped = (text: string): string => text.replace(/<(?=\s*\/\s*system-reminder)/gi, "<\\");
const framed = (parts: readonly string[]): string => [open, ...parts.map(escaped), close].join("\n\n");

const about =
  "The workspace has instructions for agents. Follow them where they fit the task; what a person asks for in this conversation comes first, and later files are more specific than earlier ones.";

export function frame(files: readonly InstructionFile[], notices: readonly string[]): string {
  return framed([about, ...files.map(fileText), ...notices.map((notice) => `(${notice})`)]);
}

export function updateText({
  files,
  removed,
  notices,
}: {
  files: readonly InstructionFile[];
  removed: readonly string[];
  notices: readonly string[];
}): string {
  const gone = removed.map((path) => `The instructions in ${path} are gone and no longer hold.`);
  const intro =
    files.length > 0 ? ["Instructions for agents are new or have changed. What stands here replaces what was said of the same file."] : [];
  return framed([...intro, ...files.map(fileText), ...gone, ...notices.map((notice) => `(${notice})`)]);
}

const fileText = ({ path, text, isCut }: InstructionFile): string =>
  `From ${path}:\n\n${text}${isCut ? `\n\n(${path} is longer; read the file for the rest.)` : ""}`;

/** SHA-1 names a content, it protects nothing. */
export const digestOf = (text: string): string => createHash("sha1").update(text).digest("hex");
