import { AppError, type EventDraft, type Message, type SessionEvent } from "@gantry/contracts";

export type InboxTarget = "next-turn" | "next-step";
export type InboxChange = "inserted" | "claimed" | "discarded";
type Splice = Extract<EventDraft, { type: "agent/inbox/spliced" }>["data"];
type Hooks = {
  readonly append: (draft: EventDraft) => SessionEvent;
  /** told of each message after its splice is logged (INB-3) */
  readonly notify?: (change: InboxChange, message: Message) => void;
};
const targets: readonly InboxTarget[] = ["next-step", "next-turn"];

/** Two durable FIFO lists of pending user-role messages (INB-1). Every change is one logged splice; the state is their replay. */
export class Inbox {
  private readonly lists: Record<InboxTarget, Message[]> = { "next-turn": [], "next-step": [] };
  private readonly hooks: Hooks;

  /** @throws AppError SESSION_CORRUPT naming the seq of a damaged splice (INB-6) */
  constructor(events: readonly SessionEvent[], hooks: Hooks) {
    this.hooks = hooks;
    for (const event of events) {
      if (event.type !== "agent/inbox/spliced") continue;
      const { target, start, removedCount = 0, inserted } = event.data;
      const end = start + removedCount;
      if (end > this.lists[target].length || !this.areNew(inserted, this.lists[target].slice(start, end))) {
        throw new AppError("SESSION_CORRUPT", `The session's inbox is damaged at event ${event.seq}. It can be read but not continued.`);
      }
      this.apply(event.data);
    }
  }

  pending(target: InboxTarget): readonly Message[] {
    return this.lists[target];
  }
  get isEmpty(): boolean {
    return targets.every((target) => this.lists[target].length === 0);
  }
  has(messageId: string): boolean {
    return this.find(messageId) !== null;
  }

  /** @throws AppError CONFLICT when the message id is pending already (INB-2) */
  push(target: InboxTarget, message: Message): void {
    this.splice(target, this.lists[target].length, 0, [message]);
  }

  /** Puts messages at the front of a list, in their order. @throws AppError CONFLICT as `push` */
  restore(target: InboxTarget, messages: readonly Message[]): void {
    this.splice(target, 0, 0, messages);
  }

  /** Puts another message in the place of a pending one. Null: it was claimed or dropped already. @throws AppError CONFLICT as `push` */
  replace(messageId: string, message: Message): Message | null {
    const at = this.find(messageId);
    return at && (this.splice(at.target, at.index, 1, [message])[0] ?? null);
  }

  /** Drops a pending message. Null: it was claimed or dropped already. */
  remove(messageId: string): Message | null {
    const at = this.find(messageId);
    return at && (this.splice(at.target, at.index, 1)[0] ?? null);
  }

  /** Puts a pending message at place `index` of its list (from 0, clamped); one splice over the places that change. Null as `remove`. */
  move(messageId: string, index: number): Message | null {
    const at = this.find(messageId);
    if (!at) return null;
    const list = this.lists[at.target];
    const to = clamp(index, list.length - 1);
    const start = Math.min(at.index, to);
    const count = Math.abs(at.index - to) + 1;
    const message = list[at.index] as Message;
    const others = list.slice(start, start + count).filter((other) => other !== message);
    if (count > 1) this.splice(at.target, start, count, to > at.index ? [...others, message] : [message, ...others]);
    return message;
  }

  /** Takes all next-step messages and, for a new turn, at most one next-turn message (INB-4). */
  claim(target: InboxTarget): Message[] {
    const steps = this.take("next-step", this.lists["next-step"].length);
    return target === "next-turn" ? [...steps, ...this.take("next-turn", 1)] : steps;
  }

  /** Drops everything pending: next-step first (INB-5), marked as canceled (INB-3). */
  clear(): void {
    for (const target of targets) this.splice(target, 0, this.lists[target].length);
  }

  /**
   * Changes a list as `Array.splice` would, arguments made whole and clamped the same way (INB-2); nothing to do logs nothing. What goes
   * without being claimed is marked as canceled, also where another message takes its place (INB-3). Answers with what was removed.
   * @throws AppError CONFLICT when an inserted id is pending elsewhere; nothing is logged then
   */
  splice(target: InboxTarget, start: number, removeCount: number, inserted: readonly Message[] = []): Message[] {
    const list = this.lists[target];
    const at = Math.trunc(start) || 0;
    const from = clamp(at < 0 ? list.length + at : at, list.length);
    const removed = list.slice(from, from + clamp(removeCount, list.length - from));
    if (!this.areNew(inserted, removed)) throw new AppError("CONFLICT", "This message is waiting already.");
    const canceled = removed.length > 0 ? { removedCount: removed.length, outcome: "canceled" as const } : {};
    this.log({ target, start: from, ...canceled, inserted: [...inserted] });
    // one that only moved was neither dropped nor added
    for (const message of removed) if (!inserted.includes(message)) this.hooks.notify?.("discarded", message);
    for (const message of inserted) if (!removed.includes(message)) this.hooks.notify?.("inserted", message);
    return removed;
  }

  private take(target: InboxTarget, count: number): Message[] {
    const taken = this.lists[target].slice(0, count);
    this.log({ target, start: 0, removedCount: taken.length, inserted: [] });
    for (const message of taken) this.hooks.notify?.("claimed", message);
    return taken;
  }

  private find(messageId: string): { target: InboxTarget; index: number } | null {
    for (const target of targets) {
      const index = this.lists[target].findIndex((message) => message.id === messageId);
      if (index >= 0) return { target, index };
    }
    return null;
  }

  private areNew(inserted: readonly Message[], leaving: readonly Message[]): boolean {
    const ids = new Set(inserted.map((message) => message.id));
    const isTaken = inserted.some(({ id }) => this.has(id) && !leaving.some((message) => message.id === id));
    return !isTaken && ids.size === inserted.length;
  }

  private log(data: Splice): void {
    if ((data.removedCount ?? 0) === 0 && data.inserted.length === 0) return;
    this.hooks.append({ type: "agent/inbox/spliced", data });
    this.apply(data);
  }

  private apply({ target, start, removedCount = 0, inserted }: Splice): void {
    this.lists[target].splice(start, removedCount, ...inserted);
  }
}

/** A count between 0 and `max`; NaN is 0. */
function clamp(value: number, max: number): number {
  return Math.min(Math.max(0, Math.trunc(value) || 0), Math.max(0, max));
}
