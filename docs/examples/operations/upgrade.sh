#!/bin/sh
# upgrade.sh STORE COPY WHEEL: while the service is stopped, copy the store, install, and verify.
# If the check fails, install the version before again and run: upgrade.sh --back STORE COPY
set -eu
if [ "$1" = --back ]; then
  mkdir "$2.failed"
  # The vault and its key stay; the store that the new version wrote is kept aside.
  for part in "$2" "$2-wal" "$2-shm"; do
    if [ -e "$part" ]; then mv "$part" "$2.failed/"; fi
  done
  cp "$3" "$2"
  # Root made the copy, and the service has another user.
  chown --reference="$2.failed/$(basename "$2")" "$2"
  exit 0
fi
wheel=${3:?WHEEL, the file of the new version}
croupier store backup "$1" "$2"
${INSTALL:-/opt/croupier/bin/pip install} "${wheel}[server]"
croupier serve --check
croupier store check "$1"
