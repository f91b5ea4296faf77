import { AppError } from "@gantry/contracts";

/** How much of a refused body is read on, and for how long. */
const drainBytes = 512 * 1024 * 1024;
const drainMs = 20_000;

export type BodyChunks = AsyncIterable<Uint8Array> & {
  /** Reads and drops what is left: a client that is still sending would otherwise lose its connection and never see the answer. */
  drain(): Promise<void>;
};

/** What becomes of a request whose client has left: nobody reads the answer, and no operator has to hear of it. */
export const brokenOff = (cause: unknown): AppError =>
  new AppError("BAD_REQUEST", "The upload was broken off before its end. Send it again.", { cause });

/**
 * The body of a request as it arrives. Whoever iterates and stops early leaves the rest unread, and the connection whole.
 * Iterating throws BAD_REQUEST when the client leaves before the end.
 */
export function bodyChunks(request: Request): BodyChunks {
  const reader = request.body?.getReader();
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const read = await reader?.read().catch((cause: unknown) => {
      throw brokenOff(cause);
    });
    return read === undefined || read.done ? { done: true, value: undefined } : { done: false, value: read.value };
  };
  return {
    [Symbol.asyncIterator]: () => ({ next }),
    async drain() {
      const until = performance.now() + drainMs;
      let bytes = 0;
      while (bytes < drainBytes && performance.now() < until) {
        const chunk = await next().catch(() => null); // the client is gone: nobody waits for an answer
        if (!chunk || chunk.done) return;
        bytes += chunk.value.byteLength;
      }
    },
  };
}
