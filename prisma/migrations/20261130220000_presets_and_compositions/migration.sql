-- Presets get a pointer and drafts, compositions and settings a home. No release ran with presets in one table, so it is renamed.

-- What was "presets" are revisions; the pointer is a table of its own.
ALTER TABLE "presets" RENAME TO "preset_revisions";
ALTER TABLE "preset_revisions" RENAME CONSTRAINT "presets_pkey" TO "preset_revisions_pkey";
ALTER TABLE "preset_revisions" RENAME CONSTRAINT "presets_org_id_fkey" TO "preset_revisions_org_id_fkey";
ALTER TABLE "preset_revisions" RENAME COLUMN "id" TO "preset_id";
ALTER TABLE "preset_revisions"
  ADD COLUMN "description" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "position" INTEGER NOT NULL DEFAULT 100,
  ADD COLUMN "source" TEXT,
  ADD COLUMN "author_id" UUID,
  ADD COLUMN "reason" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "presets" (
    "id" UUID NOT NULL,
    "org_id" UUID,
    "slug" TEXT NOT NULL,
    "current_revision" INTEGER,
    "draft" JSONB,
    "broken_revision" INTEGER,
    "broken_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "presets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "composition_revisions" (
    "org_id" UUID NOT NULL,
    "profile" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "bundles" TEXT[],
    "source" TEXT NOT NULL,
    "author_id" UUID,
    "reason" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "composition_revisions_pkey" PRIMARY KEY ("org_id","profile","kind","revision")
);

-- CreateTable
CREATE TABLE "composition_pointers" (
    "org_id" UUID NOT NULL,
    "profile" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,

    CONSTRAINT "composition_pointers_pkey" PRIMARY KEY ("org_id","profile","kind")
);

-- CreateTable
CREATE TABLE "settings" (
    "org_id" UUID NOT NULL,
    "namespace" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "subject" TEXT NOT NULL DEFAULT '',
    "value" JSONB NOT NULL,
    "secrets" JSONB NOT NULL DEFAULT '{}',
    "revision" INTEGER NOT NULL,
    "updated_by" UUID,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("org_id","namespace","level","subject")
);

-- AlterTable
ALTER TABLE "orgs"
  ADD COLUMN "plan_tier" TEXT NOT NULL DEFAULT 'team',
  ADD COLUMN "plan_seats" INTEGER NOT NULL DEFAULT 25,
  ADD COLUMN "flags" JSONB NOT NULL DEFAULT '{}';

-- The presets there are point at their newest revision.
INSERT INTO "presets" ("id", "org_id", "slug", "current_revision")
  SELECT DISTINCT ON ("preset_id") "preset_id", "org_id", "slug", "revision" FROM "preset_revisions" ORDER BY "preset_id", "revision" DESC;

-- CreateIndex
CREATE UNIQUE INDEX "presets_org_id_slug_key" ON "presets"("org_id", "slug");

-- CreateIndex
CREATE INDEX "sessions_preset_id_preset_revision_idx" ON "sessions"("preset_id", "preset_revision");

-- AddForeignKey
ALTER TABLE "presets" ADD CONSTRAINT "presets_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "composition_revisions" ADD CONSTRAINT "composition_revisions_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "composition_pointers" ADD CONSTRAINT "composition_pointers_org_id_profile_kind_revision_fkey" FOREIGN KEY ("org_id", "profile", "kind", "revision") REFERENCES "composition_revisions"("org_id", "profile", "kind", "revision") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "settings" ADD CONSTRAINT "settings_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the runtime role may do. Revisions only come and, once nobody is pinned to them, go.
GRANT SELECT, INSERT, UPDATE, DELETE ON presets, composition_pointers, settings TO gantry_app;
GRANT SELECT, INSERT ON composition_revisions TO gantry_app;
GRANT UPDATE (preset_id, preset_revision) ON sessions TO gantry_app;
-- the plan is the operator's: an organisation renames itself, no more
REVOKE UPDATE ON orgs FROM gantry_app;
GRANT UPDATE (slug, name) ON orgs TO gantry_app;

-- The wall of the tenant, as in the migration before. The policies of "preset_revisions" came along with the table.
DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['presets', 'composition_revisions', 'composition_pointers', 'settings'] LOOP
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
CREATE POLICY platform_read ON presets FOR SELECT USING (org_id IS NULL);
CREATE POLICY platform_write ON presets TO CURRENT_USER USING (org_id IS NULL) WITH CHECK (org_id IS NULL);
