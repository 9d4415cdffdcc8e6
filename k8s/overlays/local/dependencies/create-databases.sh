# Run by the PostgreSQL image when it initializes its data. Creates a database for each service, owned by a role that cannot
# access the others. All roles have the same password. For a laptop; docker/compose.yaml uses it too.
set -e
for service in chat delegation video-auth rpc-gateway; do
  psql --username postgres -v ON_ERROR_STOP=1 -v service="$service" <<'SQL'
\getenv password POSTGRES_PASSWORD
CREATE ROLE :"service" LOGIN PASSWORD :'password';
CREATE DATABASE :"service" OWNER :"service";
REVOKE CONNECT ON DATABASE :"service" FROM PUBLIC;
SQL
done
