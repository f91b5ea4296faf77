import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrgId, SessionId, WorkspaceId } from "@gantry/contracts";
import type { DefinedJob } from "../src/index.ts";
import { type JobName, jobs, type PayloadOf } from "../src/jobs/index.ts";

const id = "ffffffff-ffff-7fff-bfff-ffffffffffff";
const orgId = id as OrgId;
/** The largest payload of each kind; the compiler asks for one of each new job. */
const largest: { readonly [N in JobName]: PayloadOf<N> } = {
  "session.wake": { orgId, sessionId: id as SessionId, wake: Number.MAX_SAFE_INTEGER },
  "session.sweep": {},
  "workspace.import": { orgId, workspaceId: id as WorkspaceId },
};

for (const [name, job] of Object.entries<DefinedJob>(jobs)) {
  test(`CP-51 the largest ${name} job is far below 2 KB, and nothing longer fits in it`, () => {
    const payload: Record<string, unknown> = largest[name as JobName];
    assert.ok(Buffer.byteLength(JSON.stringify(job.payload.parse(payload))) + job.key(payload).length < 2_048);
    for (const field of Object.keys(payload)) {
      const long = { ...payload, [field]: "f".repeat(2_048) };
      assert.equal(job.payload.safeParse(long).success, false, `${field} takes any text`);
    }
    assert.equal(job.payload.safeParse({ ...payload, text: "content" }).success, false);
  });
}
