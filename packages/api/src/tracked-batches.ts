import type { StreamBatch } from "@gantry/contracts";
import type { StreamItem } from "@gantry/services";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import { toTrpcError } from "./error-shape.ts";

/** Gives each batch its id, with which a client that reconnects asks for the rest; errors get their codes, as middleware does not see them. */
export async function* trackedBatches(
  open: (signal: AbortSignal) => AsyncIterable<StreamItem>,
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<TrackedEnvelope<StreamBatch>, void, void> {
  try {
    for await (const { id, batch } of open(signal)) yield tracked(id, batch);
  } catch (error) {
    throw toTrpcError(error);
  }
}
