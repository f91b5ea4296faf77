import { OrgId, WorkspaceId } from "@gantry/contracts";
import { z } from "zod";
import { defineJob } from "../define-job.ts";

/** Fills a workspace from its archive or repository. A second ask while one waits or runs is the same one. */
export const importWorkspace = defineJob({
  name: "workspace.import",
  payload: z.strictObject({ orgId: OrgId, workspaceId: WorkspaceId }),
  key: ({ workspaceId }) => workspaceId,
  concurrency: 2,
  keep: 0,
});
