import { streamBeatMs, streamPatienceMs } from "@gantry/contracts";

export type EventSource<T> = {
  /** Starts what is streamed; it has to end soon after `signal` aborts. */
  open(signal: AbortSignal): Promise<AsyncIterable<T>>;
  /** One item as the lines of its event. */
  textOf(item: T): string;
  /** What the client is told of the error that ends the stream, as JSON. */
  failure(error: unknown): string;
};

/** From Node's pool: an encoder makes a buffer of its own for each event. */
const bytesOf = (text: string): Uint8Array => Buffer.from(text);
const event = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`;
const beat = event("ping", "");
const ended = event("return", "");

/**
 * The body of an event stream as tRPC's client reads it, one chunk of bytes an event: tRPC's own writer makes three of each and carries them
 * through five more streams, which was most of what the web process did for a token. Nothing is asked of the source before the client took what
 * came before, so a client that does not read costs what the source keeps for it. A beat goes out where nothing else did for `beatMs`.
 * The source ends with the client.
 */
export function eventStream<T>(source: EventSource<T>, signal: AbortSignal, beatMs = streamBeatMs): ReadableStream<Uint8Array> {
  const stop = new AbortController();
  let out: ReadableStreamDefaultController<Uint8Array>;
  let items: AsyncIterator<T> | undefined;
  let isAsking = false;
  /** ends the pull that waits: the client wants bytes */
  let wanted: (() => void) | null = null;
  /** came while the client was still taking a beat */
  let ready: { text: string; isLast: boolean } | null = null;
  let timer: NodeJS.Timeout | undefined;

  return new ReadableStream(
    {
      start(controller) {
        out = controller;
        signal.addEventListener("abort", close, { once: true });
        if (signal.aborted) return close();
        out.enqueue(bytesOf(event("connected", JSON.stringify({ reconnectAfterInactivityMs: streamPatienceMs }))));
        timer = setInterval(() => wanted && put(beat, false), beatMs);
      },
      pull() {
        if (ready) return put(ready.text, ready.isLast);
        if (!isAsking) void ask();
        return new Promise((resolve) => {
          wanted = resolve;
        });
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );

  async function ask(): Promise<void> {
    isAsking = true;
    try {
      items ??= (await source.open(stop.signal))[Symbol.asyncIterator]();
      const { done, value } = await items.next();
      isAsking = false;
      if (done) give(ended, true);
      else give(source.textOf(value), false);
    } catch (error) {
      if (!stop.signal.aborted) give(event("serialized-error", source.failure(error)), true);
    }
  }

  function give(text: string, isLast: boolean): void {
    if (wanted) put(text, isLast);
    else ready = { text, isLast };
  }

  function put(text: string, isLast: boolean): void {
    if (stop.signal.aborted) return;
    timer?.refresh();
    const taken = wanted;
    wanted = ready = null;
    out.enqueue(bytesOf(text));
    if (isLast) close();
    taken?.();
  }

  function close(): void {
    if (stop.signal.aborted) return;
    release();
    out.close();
  }

  function release(): void {
    stop.abort();
    clearInterval(timer);
    signal.removeEventListener("abort", close);
    wanted?.();
    items?.return?.().catch(() => {}); // it was told by the signal; nobody reads what it has to say
  }
}
