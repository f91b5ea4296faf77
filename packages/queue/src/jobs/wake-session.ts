import { OrgId, SessionId } from "@gantry/contracts";
import { z } from "zod";
import { defineJob } from "../define-job.ts";

/** A session needs a worker (REC-3). For one whose lease is held it is a nudge to the holder and nothing more. */
export const wakeSession = defineJob({
  name: "session.wake",
  payload: z.strictObject({ orgId: OrgId, sessionId: SessionId, wake: z.int().nonnegative() }),
  // the count makes each wake its own job: BullMQ ignores an id that it still holds
  key: ({ sessionId, wake }) => `${sessionId}-${wake}`,
  // 15 s in all: a restart of the database costs a session no wait for the sweep
  attempts: 5,
});
