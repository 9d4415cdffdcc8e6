#!/bin/sh
# Runs compose.vps.yaml on a server, as root; docs/own-server.md describes it.
#   vps.sh install <https://host> <e-mail for the certificate authority | internal>
#   vps.sh upgrade                    to the version that is checked out; also applies changed settings
#   vps.sh backup
#   vps.sh restore <dump> [--replace]
set -eu
cd "$(dirname "$0")"
compose() { docker compose --file compose.vps.yaml "$@"; }

install() {
  server/configure /etc/waggle "$1" "$2" postgres
  compose up --build --detach --wait
}

# Compose would stop both instances before it starts one.
upgrade() {
  compose build
  compose run --rm chat-migrate
  for instance in chat-1 chat-2; do compose up --detach --no-deps --wait "$instance"; done
  compose up --detach --wait
}

backup() { compose exec backup /server/backup; }

restore() {
  compose stop chat-1 chat-2
  restored=true
  compose exec --no-TTY backup /server/restore "${2:-}" < "$1" || restored=false
  compose up --detach --wait
  "$restored" || exit 1
}

case "${1:-} $#" in
  'install 3' | 'upgrade 1' | 'backup 1' | 'restore 2' | 'restore 3') "$@" ;;
  *) sed -n '3,6s/^# *//p' "$0" >&2 && exit 1 ;;
esac
