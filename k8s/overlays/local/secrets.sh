#!/bin/sh
# Creates the secrets of the local overlay, with random passwords and keys. Needs kubectl, Node, and a build of the video
# log-in (npx nx build video-auth), whose command makes its keys.
set -eu
cd "$(dirname "$0")/../../.."
namespace=waggle-local
password=$(node -p 'require("node:crypto").randomBytes(16).toString("hex")')
# In files, because other users of the machine can see arguments.
secrets=$(mktemp -d)
trap 'rm -rf "$secrets"' EXIT

node -p 'require("node:crypto").generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" })' >"$secrets/token-key.pem"
node apps/video-auth/dist/keys.main.js make "$secrets/token-keys.json"

secret() {
  kubectl -n "$namespace" create secret generic "$@"
}
database() {
  printf %s "postgres://$1:$password@postgres:5432/$1" >"$secrets/$1"
  echo "--from-file=DATABASE_URL=$secrets/$1"
}

kubectl create namespace "$namespace" --dry-run=client -o yaml | kubectl apply -f -
printf %s "$password" >"$secrets/password"
secret postgres "--from-file=POSTGRES_PASSWORD=$secrets/password"
secret chat "$(database chat)" --from-literal=REDIS_URL=redis://redis:6379 "--from-file=$secrets/token-key.pem"
secret delegation "$(database delegation)"
secret video-auth "$(database video-auth)" --from-literal=REDIS_URL=redis://redis:6379 "--from-file=$secrets/token-keys.json"
secret rpc-gateway "$(database rpc-gateway)" --from-literal=REDIS_URL=redis://redis-cache:6379
