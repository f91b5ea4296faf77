-- The format of a session's log, so that a later release can change it and this one refuses what it cannot read (SES-28).
ALTER TABLE "sessions" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;
