#!/bin/sh
# First start of the database: the owner of the tables and the role that the processes use, which owns nothing.
set -eu
psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set=owner_password="$GANTRY_OWNER_PASSWORD" --set=app_password="$GANTRY_APP_PASSWORD" <<'SQL'
CREATE ROLE gantry_owner LOGIN NOSUPERUSER NOBYPASSRLS CREATEDB PASSWORD :'owner_password';
CREATE ROLE gantry_app LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE PASSWORD :'app_password';
CREATE DATABASE gantry OWNER gantry_owner;
REVOKE ALL ON DATABASE gantry FROM PUBLIC;
GRANT CONNECT ON DATABASE gantry TO gantry_app;
SQL
