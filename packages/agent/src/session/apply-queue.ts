import type { CommandPayload, Message, MessageSource } from "@gantry/contracts";
import type { Agent } from "../loop/agent.ts";

type Queue = Extract<CommandPayload, { kind: "queue" }>;

/** Changes what waits in the inbox. What people wrote can be edited, and is then the words of who did it (LLM-2). A message that was claimed or dropped meanwhile stays what it became: nothing happens then (§2.9). */
export function applyQueue(agent: Agent, { messageId, change, ...editor }: Queue): void {
  const { inbox } = agent;
  if (change.kind === "remove") inbox.remove(messageId);
  else if (change.kind === "move") inbox.move(messageId, change.index);
  else if (change.kind === "edit") {
    const known = waiting(inbox, messageId);
    const source = known && editedBy(known.source, editor);
    if (source) inbox.replace(messageId, { ...known, source, content: [{ type: "text", text: change.text }, ...attached(known)] });
  } else {
    const message = inbox.remove(messageId);
    if (message) agent.send(message, "next-step", true);
  }
}

/** Null for what no person wrote: the words of a plugin are its own. */
function editedBy(source: MessageSource, { userId, userName: name }: Pick<Queue, "userId" | "userName">): MessageSource | null {
  if (source.kind !== "user") return null;
  return source.userId === userId ? source : { kind: "user", userId, ...(name === undefined ? {} : { name }) };
}

/** An edit is of the words; what was attached stays. */
const attached = ({ content }: Message) => content.filter((block) => block.type === "image" || (block.type === "text" && block.file));

function waiting(inbox: Agent["inbox"], messageId: string): Message | undefined {
  return [...inbox.pending("next-turn"), ...inbox.pending("next-step")].find((message) => message.id === messageId);
}
