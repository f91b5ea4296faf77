import type { PluginLogger } from "@gantry/kernel";

export type Reading<T> = { readonly value: T; readonly refused: null } | { readonly value: null; readonly refused: string };
export type Watcher<T> = (value: T, previous: T) => void | Promise<void>;

/** The live value of one registered namespace and those who watch it. */
export class Section<T extends object> {
  private readonly name: string;
  private readonly read: () => Reading<T>;
  private readonly logger: PluginLogger;
  private readonly watchers = new Set<{ call: Watcher<T> }>();
  private value: T;
  private text: string;
  /** the callbacks of earlier changes: those of the next one wait for them (N-5) */
  private turn: Promise<void> = Promise.resolve();

  constructor(name: string, first: T, read: () => Reading<T>, logger: PluginLogger) {
    this.name = name;
    this.read = read;
    this.logger = logger;
    this.value = first;
    this.text = JSON.stringify(first);
  }

  get(): T {
    return this.value;
  }

  /** Takes what is stored now: equal values tell nobody (N-6), a bad one leaves the last good one in force (N-4). */
  refresh(): void {
    const reading = this.read();
    if (reading.value === null) {
      this.logger.warn(
        { namespace: this.name, reason: reading.refused },
        "a stored setting is refused; the last good value stays in force",
      );
      return;
    }
    const text = JSON.stringify(reading.value);
    if (text === this.text) return;
    const previous = this.value;
    this.value = reading.value;
    this.text = text;
    const { value } = reading;
    for (const watcher of this.watchers) this.turn = this.turn.then(() => this.tell(watcher, value, previous));
  }

  /** Calls back for each later change, one callback at a time and in the order of changes; none starts once the answer was called (N-5). */
  watch(call: Watcher<T>): () => void {
    const watcher = { call };
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  private async tell(watcher: { call: Watcher<T> }, value: T, previous: T): Promise<void> {
    if (!this.watchers.has(watcher)) return;
    try {
      await watcher.call(value, previous);
    } catch (error) {
      this.logger.error({ err: error, namespace: this.name }, "a watcher of a setting failed");
    }
  }
}
