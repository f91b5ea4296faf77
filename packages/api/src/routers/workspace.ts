import { CreateWorkspace, ListWorkspaces, WorkspaceInput } from "@gantry/contracts";
import { createWorkspace, getWorkspace, listWorkspaces, removeWorkspace, retryImport } from "@gantry/services";
import { memberProcedure, orgProcedure, router } from "../trpc.ts";

/** Upload is a plain HTTP route: a body of hundreds of megabytes is no JSON. */
export const workspaceRouter = router({
  list: orgProcedure.input(ListWorkspaces).query(({ ctx, input }) => listWorkspaces(ctx.service, input)),
  get: orgProcedure.input(WorkspaceInput).query(({ ctx, input }) => getWorkspace(ctx.service, input)),
  create: memberProcedure.input(CreateWorkspace).mutation(({ ctx, input }) => createWorkspace(ctx.service, input)),
  remove: memberProcedure.input(WorkspaceInput).mutation(({ ctx, input }) => removeWorkspace(ctx.service, input)),
  retryImport: memberProcedure.input(WorkspaceInput).mutation(({ ctx, input }) => retryImport(ctx.service, input)),
});
