#!/bin/sh
# Creates the role and the database of the chat, as an administrator of PostgreSQL.
set -eu
psql --quiet --set=ON_ERROR_STOP=1 --dbname=postgres <<SQL
SELECT 'CREATE ROLE chat' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'chat') \gexec
ALTER ROLE chat LOGIN PASSWORD '$POSTGRES_PASSWORD';
SELECT 'CREATE DATABASE chat OWNER chat' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'chat') \gexec
SQL
