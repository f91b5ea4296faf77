-- An org is deleted with its workspaces, their sessions and their sandboxes, in whatever order the database comes to them (M-15): RESTRICT refused it as
-- soon as a session had had a sandbox.
ALTER TABLE "sessions" DROP CONSTRAINT "sessions_org_id_workspace_id_fkey";
ALTER TABLE "sandboxes" DROP CONSTRAINT "sandboxes_org_id_session_id_fkey";

ALTER TABLE "sessions" ADD CONSTRAINT "sessions_org_id_workspace_id_fkey" FOREIGN KEY ("org_id", "workspace_id") REFERENCES "workspaces"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "sandboxes" ADD CONSTRAINT "sandboxes_org_id_session_id_fkey" FOREIGN KEY ("org_id", "session_id") REFERENCES "sessions"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
