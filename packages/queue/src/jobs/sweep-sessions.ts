import { z } from "zod";
import { defineJob } from "../define-job.ts";

/** Finds what was committed and never queued, and what lost its worker. It runs by the clock; nobody needs to enqueue it. */
export const sweepSessions = defineJob({
  name: "session.sweep",
  payload: z.strictObject({}),
  key: () => "sweep",
  concurrency: 1,
  attempts: 1,
  keep: 0,
});
