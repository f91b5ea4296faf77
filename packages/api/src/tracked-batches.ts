import type { StreamBatch } from "@gantry/contracts";
import type { StreamItem } from "@gantry/services";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import { toTrpcError } from "./error-shape.ts";

/**
 * Gives each batch its id, with which a client that reconnects asks for the rest; errors get their codes, as middleware does not see them.
 * No generator: with a batch a token each layer of them is paid for.
 */
export function trackedBatches(
  open: (signal: AbortSignal) => AsyncIterable<StreamItem>,
  signal: AbortSignal = new AbortController().signal,
): AsyncIterable<TrackedEnvelope<StreamBatch>> {
  const track = ({ done, value }: IteratorResult<StreamItem, void>): IteratorResult<TrackedEnvelope<StreamBatch>, void> =>
    done ? { done, value: undefined } : { value: tracked(value.id, value.batch) };
  const fail = (error: unknown): never => {
    throw toTrpcError(error);
  };
  return {
    [Symbol.asyncIterator]() {
      const items = open(signal)[Symbol.asyncIterator]();
      return {
        next: () => items.next().then(track, fail),
        return: async () => {
          await items.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
