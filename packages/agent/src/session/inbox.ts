import { AppError, type EventDraft, type Message, type SessionEvent } from "@gantry/contracts";

export type InboxTarget = "next-turn" | "next-step";
type Append = (draft: EventDraft) => SessionEvent;
type Splice = Extract<EventDraft, { type: "agent/inbox/spliced" }>["data"];

/** Two durable FIFO lists of pending user-role messages (INB-1). Every change is one logged splice; the state is their replay. */
export class Inbox {
  private readonly lists: Record<InboxTarget, Message[]> = { "next-turn": [], "next-step": [] };
  private readonly append: Append;

  /** @throws AppError SESSION_CORRUPT naming the seq of a damaged splice (INB-6) */
  constructor(events: readonly SessionEvent[], append: Append) {
    this.append = append;
    for (const event of events) {
      if (event.type !== "agent/inbox/spliced") continue;
      const { target, start, removedCount = 0 } = event.data;
      if (start + removedCount > this.lists[target].length) {
        throw new AppError("SESSION_CORRUPT", `The session's inbox is damaged at event ${event.seq}. It can be read but not continued.`);
      }
      this.apply(event.data);
    }
  }

  pending(target: InboxTarget): readonly Message[] {
    return this.lists[target];
  }
  get isEmpty(): boolean {
    return this.lists["next-turn"].length === 0 && this.lists["next-step"].length === 0;
  }
  has(messageId: string): boolean {
    return Object.values(this.lists).some((list) => list.some((message) => message.id === messageId));
  }

  /** @throws AppError CONFLICT when the message id is pending already (INB-2) */
  push(target: InboxTarget, message: Message): void {
    if (this.has(message.id)) throw new AppError("CONFLICT", "This message is waiting already.");
    this.splice({ target, start: this.lists[target].length, inserted: [message] });
  }

  /** Puts messages back at the front of a list, in their order; used by recovery (C3). */
  restore(target: InboxTarget, messages: readonly Message[]): void {
    this.splice({ target, start: 0, inserted: [...messages] });
  }

  /** Takes all next-step messages and, for a new turn, at most one next-turn message (INB-4). */
  claim(target: InboxTarget): Message[] {
    const steps = this.take("next-step", this.lists["next-step"].length);
    return target === "next-turn" ? [...steps, ...this.take("next-turn", 1)] : steps;
  }

  /** Drops everything pending: next-step first (INB-5), marked as canceled (INB-3). */
  clear(): void {
    for (const target of ["next-step", "next-turn"] as const) {
      this.splice({ target, start: 0, removedCount: this.lists[target].length, inserted: [], outcome: "canceled" });
    }
  }

  private take(target: InboxTarget, count: number): Message[] {
    const taken = this.lists[target].slice(0, count);
    this.splice({ target, start: 0, removedCount: taken.length, inserted: [] });
    return taken;
  }

  private splice(data: Splice): void {
    if ((data.removedCount ?? 0) === 0 && data.inserted.length === 0) return;
    this.append({ type: "agent/inbox/spliced", data });
    this.apply(data);
  }

  private apply({ target, start, removedCount = 0, inserted }: Splice): void {
    this.lists[target].splice(start, removedCount, ...inserted);
  }
}
