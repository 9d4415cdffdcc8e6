#!/bin/sh
# Makes the secrets of the local overlay, with passwords and keys that nobody else has. Needs kubectl, openssl, and a build
# of the video log-in (npx nx build video-auth), whose command makes its keys.
set -eu
cd "$(dirname "$0")/../../.."
namespace=waggle-local
password=$(openssl rand -hex 16)
keys=$(mktemp -d)
trap 'rm -rf "$keys"' EXIT

openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out "$keys/token-key.pem"
node apps/video-auth/dist/keys.main.js make "$keys/token-keys.json"

secret() {
  kubectl -n "$namespace" create secret generic "$@"
}
database() {
  echo "--from-literal=DATABASE_URL=postgres://$1:$password@postgres:5432/$1"
}
redis=--from-literal=REDIS_URL=redis://redis:6379

kubectl create namespace "$namespace" --dry-run=client -o yaml | kubectl apply -f -
secret postgres "--from-literal=POSTGRES_PASSWORD=$password"
secret chat "$(database chat)" "$redis" "--from-file=$keys/token-key.pem"
secret delegation "$(database delegation)"
secret video-auth "$(database video-auth)" "$redis" "--from-file=$keys/token-keys.json"
secret rpc-gateway "$(database rpc-gateway)" "$redis"
