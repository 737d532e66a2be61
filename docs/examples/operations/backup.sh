#!/bin/sh
# backup.sh STORE FOLDER: copy the store of a running service, restore the copy, and verify it.
set -eu
copy="$2/$(date -u +%Y%m%dT%H%M%SZ).sqlite"
drill=$(mktemp -d)
trap 'rm -rf "$drill"' EXIT
croupier store backup "$1" "$copy"
croupier store restore "$copy" "$drill/pit.sqlite"
croupier store check "$drill/pit.sqlite"
# A month of copies is kept.
find "$2" -name '*.sqlite' -mtime +30 -delete
