-- When a session goes on by itself, after a provider had sent its last turn away for longer than a pause may be (CP-56).
ALTER TABLE "sessions" ADD COLUMN "wake_at" TIMESTAMPTZ(3);
GRANT UPDATE (wake_at) ON sessions TO gantry_app;

CREATE INDEX "sessions_wake_at_idx" ON "sessions" ("org_id", "wake_at") WHERE wake_at IS NOT NULL;
