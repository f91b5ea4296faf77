import type { CommandPayload, Message } from "@gantry/contracts";
import type { Agent } from "../loop/agent.ts";

type Queue = Extract<CommandPayload, { kind: "queue" }>;

/** Changes what waits in the inbox. A message that was claimed or dropped meanwhile stays what it became: nothing happens then (§2.9). */
export function applyQueue(agent: Agent, { messageId, change }: Queue): void {
  const { inbox } = agent;
  if (change.kind === "remove") inbox.remove(messageId);
  else if (change.kind === "move") inbox.move(messageId, change.index);
  else if (change.kind === "edit") {
    const known = waiting(inbox, messageId);
    if (known) inbox.replace(messageId, { ...known, content: [{ type: "text", text: change.text }, ...attached(known)] });
  } else {
    const message = inbox.remove(messageId);
    if (message) agent.send(message, "next-step", true);
  }
}

/** An edit is of the words; what was attached stays. */
const attached = ({ content }: Message) => content.filter((block) => block.type === "image" || (block.type === "text" && block.file));

function waiting(inbox: Agent["inbox"], messageId: string): Message | undefined {
  return [...inbox.pending("next-turn"), ...inbox.pending("next-step")].find((message) => message.id === messageId);
}
