-- What serves an organisation when its composition does not start, and what a worker found when it tried (M-13, G-7).

ALTER TABLE "composition_pointers"
  ADD COLUMN "previous_revision" INTEGER,
  ADD COLUMN "problem_revision" INTEGER,
  ADD COLUMN "problem" TEXT;

ALTER TABLE "presets" ADD COLUMN "broken_on" TEXT;

ALTER TABLE "sessions" ADD COLUMN "try_again" BOOLEAN NOT NULL DEFAULT false;

GRANT UPDATE (try_again) ON sessions TO gantry_app;
-- Few at a time, and the sweep looks for them in every organisation.
CREATE INDEX "sessions_try_again_idx" ON "sessions" ("org_id") WHERE try_again;
