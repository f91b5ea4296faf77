import { z } from "zod";
import { ChunkRun, type SessionEvent } from "./events.ts";

/** Streamed text of the message being written; `offset` lets a client merge repeats (architecture §5). */
export const DeltaFrame = z.object({
  kind: z.literal("delta"),
  epoch: z.number().int(),
  turn: z.number().int(),
  step: z.number().int(),
  messageId: z.string(),
  run: ChunkRun,
});
export type DeltaFrame = z.infer<typeof DeltaFrame>;

/** What the session does right now, for the chip above the composer. `since` is epoch milliseconds. Ephemeral: never stored. */
export const Activity = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("idle"), since: z.number() }),
  z.object({ kind: z.literal("waiting-model"), since: z.number() }),
  z.object({ kind: z.literal("streaming"), since: z.number() }),
  z.object({ kind: z.literal("starting-sandbox"), since: z.number(), phase: z.string() }),
  z.object({ kind: z.literal("running-tool"), since: z.number(), callId: z.string(), name: z.string(), label: z.string() }),
  z.object({ kind: z.literal("retrying"), since: z.number(), retry: z.number(), maxRetries: z.number(), untilTime: z.number() }),
  z.object({ kind: z.literal("stopping"), since: z.number() }),
]);
export type Activity = z.infer<typeof Activity>;

export type EventFrame = { kind: "event"; event: SessionEvent };
export type ActivityFrame = { kind: "activity"; activity: Activity };
/** What the feed carries: a stored event after its commit, a delta of the draft, or the activity. */
export type LiveFrame = EventFrame | DeltaFrame | ActivityFrame;

/**
 * One message of a session's stream to a client. `events` continue the client's log without gap or duplicate;
 * the stream id is the `seq` of the last stored event sent so far. `caughtUp` is true once, when history is complete.
 */
export type StreamBatch = { events: SessionEvent[]; deltas: DeltaFrame[]; activity?: Activity; caughtUp?: true };

/** Server beat and client patience of the event stream, in milliseconds; one constant for both sides (CP-15). */
export const streamBeatMs = 3_000;
export const streamPatienceMs = 10_000;
