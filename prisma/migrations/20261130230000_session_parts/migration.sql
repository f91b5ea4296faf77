-- What hangs on a session besides its log: questions to people, the ledger of tool bodies, search texts, attachments, feedback. Forks.

-- AlterEnum
ALTER TYPE "ProviderKind" ADD VALUE 'openai';
ALTER TYPE "ProviderKind" ADD VALUE 'deepseek';

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "indexed_seq" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "parent_id" UUID,
ADD COLUMN     "permission" TEXT NOT NULL DEFAULT 'workspace-write',
ADD COLUMN     "seed_length" INTEGER;

-- CreateTable
CREATE TABLE "pending_prompts" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "call_id" TEXT,
    "tool_name" TEXT,
    "shown" JSON NOT NULL,
    "binding" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "answer" JSON,
    "decided_by" UUID,
    "decided_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "pending_prompts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tool_executions" (
    "org_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "call_seq" INTEGER NOT NULL,
    "epoch" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "tool_executions_pkey" PRIMARY KEY ("session_id","call_seq")
);

-- CreateTable
CREATE TABLE "session_texts" (
    "org_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "session_texts_pkey" PRIMARY KEY ("session_id","seq")
);

-- CreateTable
CREATE TABLE "attachments" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "width" INTEGER,
    "height" INTEGER,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "attachments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "message_feedback" (
    "org_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "message_id" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "rating" TEXT NOT NULL,
    "note" TEXT,
    "version" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "message_feedback_pkey" PRIMARY KEY ("session_id","message_id","user_id")
);

-- CreateIndex
CREATE INDEX "pending_prompts_org_id_session_id_state_idx" ON "pending_prompts"("org_id", "session_id", "state");

-- CreateIndex
CREATE UNIQUE INDEX "pending_prompts_org_id_id_key" ON "pending_prompts"("org_id", "id");

-- CreateIndex
CREATE INDEX "attachments_org_id_session_id_idx" ON "attachments"("org_id", "session_id");

-- CreateIndex
CREATE UNIQUE INDEX "attachments_org_id_id_key" ON "attachments"("org_id", "id");

-- AddForeignKey
ALTER TABLE "pending_prompts" ADD CONSTRAINT "pending_prompts_org_id_session_id_fkey" FOREIGN KEY ("org_id", "session_id") REFERENCES "sessions"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tool_executions" ADD CONSTRAINT "tool_executions_org_id_session_id_fkey" FOREIGN KEY ("org_id", "session_id") REFERENCES "sessions"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_texts" ADD CONSTRAINT "session_texts_org_id_session_id_fkey" FOREIGN KEY ("org_id", "session_id") REFERENCES "sessions"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_org_id_session_id_fkey" FOREIGN KEY ("org_id", "session_id") REFERENCES "sessions"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message_feedback" ADD CONSTRAINT "message_feedback_org_id_session_id_fkey" FOREIGN KEY ("org_id", "session_id") REFERENCES "sessions"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;


-- Words of any language, two characters long and more, as they stand (QRY-2).
CREATE INDEX "session_texts_words_idx" ON "session_texts" USING gin (to_tsvector('simple', "text"));

-- What the runtime role may do.
GRANT SELECT, INSERT, DELETE ON session_texts, attachments TO gantry_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON message_feedback TO gantry_app;
GRANT SELECT, INSERT ON pending_prompts, tool_executions TO gantry_app;
GRANT UPDATE (state, answer, decided_by, decided_at) ON pending_prompts TO gantry_app;
GRANT UPDATE (state, finished_at, epoch) ON tool_executions TO gantry_app;
GRANT UPDATE (permission, indexed_seq) ON sessions TO gantry_app;

-- The wall of the tenant.
DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['pending_prompts', 'tool_executions', 'session_texts', 'attachments', 'message_feedback'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY tenant ON %I USING (org_id = NULLIF(current_setting(''app.org_id'', true), '''')::uuid) '
      'WITH CHECK (org_id = NULLIF(current_setting(''app.org_id'', true), '''')::uuid)',
      owned
    );
  END LOOP;
END
$$;
