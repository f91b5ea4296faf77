-- Lineage and search of sessions (SES-25, QRY-2).

-- The forks of a session.
CREATE INDEX "sessions_org_id_parent_id_idx" ON "sessions"("org_id", "parent_id");

-- Replacements of a log's surface: few, and wanted without walking the log.
CREATE INDEX "session_events_replacements_idx" ON "session_events" ("session_id") WHERE jsonb_typeof("surface_op") = 'object';

-- The wall of the tenant is decided before a text match, which is no leak-proof operator: no plan can use this index. Searches read the texts of the
-- sessions in question, by their key.
DROP INDEX "session_texts_words_idx";
