-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "Role" AS ENUM ('owner', 'admin', 'member', 'viewer');

-- CreateEnum
CREATE TYPE "ProviderKind" AS ENUM ('openai_compatible', 'anthropic', 'demo');

-- CreateEnum
CREATE TYPE "WorkspaceState" AS ENUM ('ready', 'importing', 'failed');

-- CreateEnum
CREATE TYPE "SandboxState" AS ENUM ('starting', 'ready', 'failed', 'gone');

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "actor_id" UUID,
    "action" TEXT NOT NULL,
    "subject" TEXT,
    "details" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "orgs" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "orgs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "org_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "Role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("org_id","user_id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "provider" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("provider","subject")
);

-- CreateTable
CREATE TABLE "login_sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "login_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "presets" (
    "id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "org_id" UUID,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "rows" JSONB NOT NULL,
    "hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "presets_pkey" PRIMARY KEY ("id","revision")
);

-- CreateTable
CREATE TABLE "providers" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" "ProviderKind" NOT NULL,
    "base_url" TEXT NOT NULL,
    "models" TEXT[],
    "secret" BYTEA,
    "secret_kek" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "providers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "preset_id" UUID NOT NULL,
    "preset_revision" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "title" TEXT,
    "last_activity_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status" TEXT NOT NULL DEFAULT 'idle',
    "problem" TEXT,
    "next_seq" INTEGER NOT NULL DEFAULT 0,
    "lease_epoch" INTEGER NOT NULL DEFAULT 0,
    "wakes" INTEGER NOT NULL DEFAULT 0,
    "interruptions" INTEGER NOT NULL DEFAULT 0,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_events" (
    "org_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "time" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSON NOT NULL,
    "ignorable" BOOLEAN NOT NULL DEFAULT false,
    "surface_op" JSONB,
    "source_event_seqs" INTEGER[],
    "lease_epoch" INTEGER NOT NULL,

    CONSTRAINT "session_events_pkey" PRIMARY KEY ("session_id","seq")
);

-- CreateTable
CREATE TABLE "session_commands" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "ordinal" BIGSERIAL NOT NULL,
    "client_key" TEXT NOT NULL,
    "payload" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_commands_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_leases" (
    "org_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "worker_id" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "session_leases_pkey" PRIMARY KEY ("session_id")
);

-- CreateTable
CREATE TABLE "workspaces" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "state" "WorkspaceState" NOT NULL DEFAULT 'ready',
    "source" JSONB NOT NULL,
    "problem" TEXT,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandboxes" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "session_id" UUID,
    "workspace_id" UUID NOT NULL,
    "container_id" TEXT,
    "state" "SandboxState" NOT NULL,
    "problem" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ready_at" TIMESTAMPTZ(3),
    "gone_at" TIMESTAMPTZ(3),

    CONSTRAINT "sandboxes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audit_entries_org_id_created_at_idx" ON "audit_entries"("org_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "audit_entries_org_id_id_key" ON "audit_entries"("org_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "orgs_slug_key" ON "orgs"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE INDEX "login_sessions_user_id_idx" ON "login_sessions"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "providers_org_id_id_key" ON "providers"("org_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "providers_org_id_slug_key" ON "providers"("org_id", "slug");

-- CreateIndex
CREATE INDEX "sessions_org_id_last_activity_at_idx" ON "sessions"("org_id", "last_activity_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "sessions_org_id_id_key" ON "sessions"("org_id", "id");

-- CreateIndex
CREATE INDEX "session_commands_org_id_consumed_at_session_id_ordinal_idx" ON "session_commands"("org_id", "consumed_at", "session_id", "ordinal");

-- CreateIndex
CREATE UNIQUE INDEX "session_commands_org_id_session_id_client_key_key" ON "session_commands"("org_id", "session_id", "client_key");

-- CreateIndex
CREATE INDEX "session_leases_expires_at_idx" ON "session_leases"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "session_leases_org_id_session_id_key" ON "session_leases"("org_id", "session_id");

-- CreateIndex
CREATE UNIQUE INDEX "workspaces_org_id_id_key" ON "workspaces"("org_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "workspaces_org_id_name_key" ON "workspaces"("org_id", "name");

-- CreateIndex
CREATE INDEX "sandboxes_org_id_session_id_idx" ON "sandboxes"("org_id", "session_id");

-- CreateIndex
CREATE UNIQUE INDEX "sandboxes_org_id_id_key" ON "sandboxes"("org_id", "id");

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "login_sessions" ADD CONSTRAINT "login_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "presets" ADD CONSTRAINT "presets_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "providers" ADD CONSTRAINT "providers_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_org_id_workspace_id_fkey" FOREIGN KEY ("org_id", "workspace_id") REFERENCES "workspaces"("org_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_events" ADD CONSTRAINT "session_events_org_id_session_id_fkey" FOREIGN KEY ("org_id", "session_id") REFERENCES "sessions"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_commands" ADD CONSTRAINT "session_commands_org_id_session_id_fkey" FOREIGN KEY ("org_id", "session_id") REFERENCES "sessions"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_leases" ADD CONSTRAINT "session_leases_org_id_session_id_fkey" FOREIGN KEY ("org_id", "session_id") REFERENCES "sessions"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandboxes" ADD CONSTRAINT "sandboxes_org_id_session_id_fkey" FOREIGN KEY ("org_id", "session_id") REFERENCES "sessions"("org_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandboxes" ADD CONSTRAINT "sandboxes_org_id_workspace_id_fkey" FOREIGN KEY ("org_id", "workspace_id") REFERENCES "workspaces"("org_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
