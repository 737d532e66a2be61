#!/bin/sh
# upgrade.sh STORE COPY WHEEL: install a version next to the one in use and try it on a copy of STORE;
# then stop the service, copy STORE into COPY, switch, and start. A failed start switches back.
# upgrade.sh --back STORE COPY: switch back. Where the new version changed the layout of STORE, which
# the one before refuses, COPY is put in its place.
# STORE is a file and COPY a new one; or STORE is postgresql://OWNER@HOST/NAME, of a role that owns the
# database and may make others, and COPY is the name of a new database there.
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

of_a_file() {
  extras=server

  can_be_copied() {
    [ -f "$store" ] && [ ! -e "$copy" ]
  }

  tried() {
    trial=$(mktemp -d -p "$(dirname "$copy")")
    trap 'rm -rf "$trial"' EXIT
    nice -n 15 "$opt/current/bin/croupier" store backup "$store" "$trial/copy.sqlite"
    nice -n 15 "$opt/$version/bin/croupier" store check "$trial/copy.sqlite"
  }

  copied() {
    # A service that was killed leaves a log next to its store.
    cp "$store" "$copy" && if [ -e "$store-wal" ]; then cp "$store-wal" "$copy-wal"; fi && sync "$copy"
  }

  laid_out() {
    true # The service does it.
  }

  layout() {
    "$opt/current/bin/python" -c 'import sqlite3, sys
print(*sqlite3.connect(sys.argv[1]).execute("pragma user_version").fetchone())' "$1"
  }

  replaced() {
    mkdir "$store.failed"
    # The vault and its key stay; the store that the new version wrote is kept aside.
    for part in "$store" "$store-wal" "$store-shm"; do
      if [ -e "$part" ]; then mv "$part" "$store.failed/"; fi
    done
    "$opt/current/bin/croupier" store restore "$copy" "$store"
    # Root made the copy, and the service has another user.
    chown --reference="$store.failed/$(basename "$store")" "$store"
  }
}

of_a_database() {
  extras=server,postgres
  name=$(echo "$store" | sed 's|^[^/]*//[^/]*/\([^?]*\).*|\1|')

  at() {
    echo "$store" | sed "s|^\([^/]*//[^/]*/\)[^?]*|\1$1|"
  }

  sql() {
    psql -qXAt -v ON_ERROR_STOP=1 -v name="$name" -v copy="$copy" -v trial="$copy.trial" \
      -v failed="$name.failed" -d "$(at "$1")"
  }

  can_be_copied() {
    [ "$(echo "select count(*) from pg_database where datname = :'copy'" | sql "$name")" = 0 ]
  }

  tried() {
    echo 'create database :"trial"' | sql "$name"
    trap "echo 'drop database :\"trial\"' | sql postgres" EXIT
    { pg_dump -O -x "$store" || echo 'the dump failed;'; } | sql "$copy.trial" >/dev/null
    laid_out "$copy.trial"
    nice -n 15 "$opt/$version/bin/croupier" store check "$(at "$copy.trial")"
  }

  copied() {
    # This fails while the service of another machine uses the database.
    echo 'create database :"copy" template :"name"' | sql "$name"
  }

  laid_out() {
    # The role of the service may not do it.
    "$opt/$version/bin/python" -c 'import sys
from croupier.records.stores.places import open_store
open_store(sys.argv[1]).close()' "$(at "$1")"
  }

  layout() {
    echo 'select version from layout' | sql "$1"
  }

  replaced() {
    sql postgres <<END
begin;
alter database :"name" rename to :"failed";
alter database :"copy" rename to :"name";
commit;
END
    # The grants of a copy are void: some may have been revoked since.
    echo "insert into document (kind, name, content) values ('store', 'copied', '')" | sql "$name"
  }
}

of() {
  store=$1 copy=$2
  case $store in
  postgresql://*) of_a_database ;;
  *) of_a_file ;;
  esac
}

back() {
  systemctl stop croupier
  switch "$(readlink "$opt/previous")"
  if [ "$(layout "${name:-$store}")" != "$(layout "$copy")" ]; then
    replaced
  fi
  started
}

if [ "$1" = --back ]; then
  of "$2" "$3"
  back
  exit
fi
of "$1" "$2"
wheel=${3:?WHEEL, the file of the new version}
before=$(readlink "$opt/current")
version=$(basename "$wheel" | cut -d - -f 2)
if [ "$version" = "$before" ] || ! can_be_copied; then
  echo "version $version is in use, $copy exists, or $store is no store: nothing was changed" >&2
  exit 2
fi
# Tables go on meanwhile, and come first.
nice -n 15 python3 -m venv --clear "$opt/$version"
nice -n 15 "$opt/$version/bin/pip" install --compile "${wheel}[$extras]"
nice -n 15 "$opt/$version/bin/croupier" serve --check
tried
systemctl stop croupier
if copied; then
  ln -sfn "$before" "$opt/previous"
  switch "$version"
  if laid_out "${name:-$store}" && started; then
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
