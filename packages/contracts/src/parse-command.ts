/** A human command as it was written: the name without its slash, and what follows it. */
export type WrittenCommand = { readonly name: string; readonly args: string };

/**
 * Reads a text as a human command (CMD-1): a slash at the very beginning, a name of lower-case letters, digits and hyphens, then the end or
 * white space. Null: it is a message. Whether a command of that name exists is for its registry to say.
 */
export function parseCommand(text: string): WrittenCommand | null {
  const match = /^\/([a-z][a-z0-9-]*)(?:\s+([\s\S]*))?$/.exec(text);
  return match?.[1] ? { name: match[1], args: match[2] ?? "" } : null;
}

/** The commands that ship, by name. A session has those whose plugins its preset mounts. */
export const humanCommands: readonly string[] = ["compact", "export", "feedback", "permission"];
