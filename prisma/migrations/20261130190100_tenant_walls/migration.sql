-- The database's own wall between organisations (SC-T2, SC-T4). The processes connect as gantry_app, which owns nothing.
-- A transaction says for whom it works: app.org_id (one tenant), app.user_id (one person's own rows) or app.system (sign-in, the list of orgs).
-- Without any of them every table is empty.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gantry_app') THEN
    CREATE ROLE gantry_app NOLOGIN NOSUPERUSER NOBYPASSRLS;
  END IF;
EXCEPTION
  -- roles belong to the whole server: a migration of another database may have made it just now
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO gantry_app;

-- What the runtime role may do. The log and the audit trail only grow; a session's header and a preset's revision never change.
GRANT SELECT, INSERT, UPDATE, DELETE ON
  orgs, users, memberships, accounts, login_sessions, providers, workspaces, sandboxes, session_leases
  TO gantry_app;
GRANT SELECT, INSERT, DELETE ON sessions, session_commands, presets TO gantry_app;
GRANT UPDATE (provider, model, title, last_activity_at, status, problem, next_seq, lease_epoch, wakes, interruptions, archived_at)
  ON sessions TO gantry_app;
GRANT UPDATE (consumed_at) ON session_commands TO gantry_app;
GRANT SELECT, INSERT ON session_events, audit_entries TO gantry_app;
GRANT USAGE ON SEQUENCE session_commands_ordinal_seq TO gantry_app;

-- Tables that one organisation owns. FORCE binds the tables' owner too.
DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY[
    'audit_entries', 'memberships', 'presets', 'providers', 'sandboxes', 'session_commands', 'session_events', 'session_leases', 'sessions',
    'workspaces'
  ] LOOP
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

-- Platform presets belong to nobody: every tenant reads them, only the role that migrates writes them.
CREATE POLICY platform_read ON presets FOR SELECT USING (org_id IS NULL);
CREATE POLICY platform_write ON presets TO CURRENT_USER USING (org_id IS NULL) WITH CHECK (org_id IS NULL);

-- An organisation itself.
ALTER TABLE orgs ENABLE ROW LEVEL SECURITY;
ALTER TABLE orgs FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON orgs
  USING (id = NULLIF(current_setting('app.org_id', true), '')::uuid)
  WITH CHECK (id = NULLIF(current_setting('app.org_id', true), '')::uuid);
CREATE POLICY own_memberships ON orgs FOR SELECT USING (
  EXISTS (
    SELECT FROM memberships m
    WHERE m.org_id = orgs.id AND m.user_id = NULLIF(current_setting('app.user_id', true), '')::uuid
  )
);
CREATE POLICY system_read ON orgs FOR SELECT USING (current_setting('app.system', true) = 'on');
CREATE POLICY own_memberships ON memberships FOR SELECT USING (user_id = NULLIF(current_setting('app.user_id', true), '')::uuid);

-- People and how they sign in: sign-in works as the system, a person reaches their own rows, an organisation sees its members' names.
ALTER TABLE users ENABLE ROW LEVEL SECURITY;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
CREATE POLICY system ON users USING (current_setting('app.system', true) = 'on') WITH CHECK (current_setting('app.system', true) = 'on');
CREATE POLICY own ON users
  USING (id = NULLIF(current_setting('app.user_id', true), '')::uuid)
  WITH CHECK (id = NULLIF(current_setting('app.user_id', true), '')::uuid);
CREATE POLICY members ON users FOR SELECT USING (
  EXISTS (
    SELECT FROM memberships m
    WHERE m.user_id = users.id AND m.org_id = NULLIF(current_setting('app.org_id', true), '')::uuid
  )
);

DO $$
DECLARE
  personal text;
BEGIN
  FOREACH personal IN ARRAY ARRAY['accounts', 'login_sessions'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', personal);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', personal);
    EXECUTE format(
      'CREATE POLICY system ON %I USING (current_setting(''app.system'', true) = ''on'') '
      'WITH CHECK (current_setting(''app.system'', true) = ''on'')',
      personal
    );
    EXECUTE format(
      'CREATE POLICY own ON %I USING (user_id = NULLIF(current_setting(''app.user_id'', true), '''')::uuid) '
      'WITH CHECK (user_id = NULLIF(current_setting(''app.user_id'', true), '''')::uuid)',
      personal
    );
  END LOOP;
END
$$;
