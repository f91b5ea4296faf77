import { LlmFailureError } from "../failure.ts";
import { readCapped } from "./read-capped.ts";
import { idleFailure, refusedAnswer } from "./refused-answer.ts";
import { createSseScan, type SseScan } from "./sse-scan.ts";

export type TapOptions = {
  /** The line that ends a stream: `data: [DONE]` or `event: message_stop`. */
  readonly terminator: RegExp;
  /** The longest silence, in ms; every received byte, comments included, starts it anew (DSK-4). */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  readonly scrub: (text: string) => string;
};

export type TapFacts = {
  readonly scan: SseScan;
  /** Why the body ended early; undefined after a clean end. */
  readonly cut: unknown;
  readonly timedOut: boolean;
};

export type Tap = { readonly fetch: typeof globalThis.fetch; facts(): TapFacts; close(): void };

const lineFeed = new Uint8Array([10]);

/**
 * A `fetch` for one streaming call that sees what the wire layer above it swallows: the end mark, silence, a cut connection,
 * a web page in place of a stream, redirects. A cut body ends cleanly for the reader above, so no received text is lost;
 * `facts()` then tells the truth. @throws LlmFailureError from `fetch` for answers that are no stream
 */
export function createTap(options: TapOptions): Tap {
  const idle = new AbortController();
  const scan = createSseScan(options.terminator);
  let cut: unknown;
  let timer: NodeJS.Timeout | undefined;
  const rearm = () => {
    clearTimeout(timer);
    timer = setTimeout(() => idle.abort(new LlmFailureError(idleFailure(options.idleMs))), options.idleMs);
  };
  const close = () => {
    clearTimeout(timer);
    if (!idle.signal.aborted) idle.abort();
  };

  const tappedFetch: typeof globalThis.fetch = async (input, init) => {
    rearm();
    const response = await globalThis.fetch(input, {
      ...init,
      redirect: "manual",
      signal: AbortSignal.any([options.signal, idle.signal]),
    });
    rearm();
    if (!response.ok || !isEventStream(response)) {
      const body = await readCapped(response, 65_536);
      clearTimeout(timer);
      throw new LlmFailureError(
        refusedAnswer({ status: response.status, isOk: response.ok, headers: response.headers }, body, options.scrub),
      );
    }
    // never without a body: what there is of it tells
    return new Response(response.body ? observed(response.body) : "", { headers: response.headers });
  };

  const observed = (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
    const reader = body.getReader();
    const finish = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      clearTimeout(timer);
      controller.close();
    };
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) return finish(controller);
          rearm();
          controller.enqueue(value.subarray(0, scan.push(value)));
          if (!scan.terminated) return;
          // a line end of one carriage return is not sure to be whole, so the reader above would wait with the last event
          controller.enqueue(lineFeed);
          // the answer is complete, whether or not the server hangs up
          finish(controller);
          await reader.cancel().catch(() => undefined);
        } catch (error) {
          cut = idle.signal.aborted ? idle.signal.reason : error;
          finish(controller);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    });
  };

  return { fetch: tappedFetch, facts: () => ({ scan, cut, timedOut: idle.signal.aborted }), close };
}

function isEventStream(response: Response): boolean {
  const type = response.headers.get("content-type") ?? "";
  // some small servers name no type or a wrong one; a web page or a JSON document is never a stream
  return !/text\/html|application\/(xhtml|json|problem)/i.test(type);
}
