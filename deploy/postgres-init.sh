#!/bin/sh
# A role and a database of its own for every service. PostgreSQL's image runs this once, when the
# volume is empty; the passwords come from <SERVICE>_PASSWORD.
set -eu

for role in schedule agent active_scheduler notification gateway; do
  variable=$(printf '%s_PASSWORD' "$role" | tr '[:lower:]' '[:upper:]')
  eval "password=\${$variable:?}"
  role=$role password=$password psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres <<'SQL'
\getenv role role
\getenv password password
CREATE ROLE :"role" LOGIN PASSWORD :'password';
CREATE DATABASE :"role" OWNER :"role" TEMPLATE template0;
REVOKE ALL ON DATABASE :"role" FROM PUBLIC;
SQL
done

# No service has any business in the administrator's database.
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres \
  -c 'REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC'
