#!/bin/sh
# upgrade.sh STORE COPY WHEEL: install a version next to the one in use and try it on a copy of STORE;
# then stop the service, copy STORE into COPY, switch, and start. A failed start switches back.
# upgrade.sh --back STORE COPY: switch back. Where the new version changed the layout of STORE, which
# the one before refuses, COPY is put in its place.
set -eu
opt=${OPT:-/opt/croupier}
ready=${READY:-http://127.0.0.1:9750/readyz}

switch() {
  ln -sfn "$1" "$opt/next" && mv -T "$opt/next" "$opt/current"
}

started() {
  systemctl start croupier || return 1
  for _ in $(seq 200); do
    if "$opt/current/bin/python" -c "from urllib.request import urlopen; urlopen('$ready', timeout=5)" 2>/dev/null; then
      return 0
    fi
    systemctl is-active --quiet croupier || return 1
    sleep 0.2
  done
  return 1
}

copied() {
  # A service that was killed leaves a log next to its store.
  cp "$store" "$copy" && if [ -e "$store-wal" ]; then cp "$store-wal" "$copy-wal"; fi && sync "$copy"
}

layout() {
  "$opt/current/bin/python" -c 'import sqlite3, sys
print(*sqlite3.connect(sys.argv[1]).execute("pragma user_version").fetchone())' "$1"
}

back() {
  systemctl stop croupier
  switch "$(readlink "$opt/previous")"
  if [ "$(layout "$store")" != "$(layout "$copy")" ]; then
    mkdir "$store.failed"
    # The vault and its key stay; the store that the new version wrote is kept aside.
    for part in "$store" "$store-wal" "$store-shm"; do
      if [ -e "$part" ]; then mv "$part" "$store.failed/"; fi
    done
    "$opt/current/bin/croupier" store restore "$copy" "$store"
    # Root made the copy, and the service has another user.
    chown --reference="$store.failed/$(basename "$store")" "$store"
  fi
  started
}

if [ "$1" = --back ]; then
  store=$2 copy=$3
  back
  exit
fi
store=$1 copy=$2 wheel=${3:?WHEEL, the file of the new version}
before=$(readlink "$opt/current")
version=$(basename "$wheel" | cut -d - -f 2)
if [ "$version" = "$before" ] || [ -e "$copy" ] || [ ! -f "$store" ]; then
  echo "version $version is in use, $copy exists, or $store is not a file: nothing was changed" >&2
  exit 2
fi
trial=$(mktemp -d -p "$(dirname "$copy")")
trap 'rm -rf "$trial"' EXIT
# Tables go on meanwhile, and come first.
nice -n 15 python3 -m venv --clear "$opt/$version"
nice -n 15 "$opt/$version/bin/pip" install --compile "${wheel}[server]"
nice -n 15 "$opt/$version/bin/croupier" serve --check
nice -n 15 "$opt/current/bin/croupier" store backup "$store" "$trial/copy.sqlite"
nice -n 15 "$opt/$version/bin/croupier" store check "$trial/copy.sqlite"
systemctl stop croupier
if copied; then
  ln -sfn "$before" "$opt/previous"
  switch "$version"
  if started; then
    echo "version $version is in use; $copy is the store before it"
    exit
  fi
  echo "version $version does not become ready (journalctl -u croupier): back to $before" >&2
  back
else
  echo "$copy cannot be written: version $before goes on" >&2
  started
fi
exit 1
