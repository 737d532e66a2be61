#!/bin/sh
# recover.sh BASE WAL DATA TIME: as postgres, make a cluster DATA as the old one was at TIME, from a
# base copy made before that (pg_basebackup) and the kept changes.
set -eu
if [ -e "$3" ]; then
  echo "$3 exists: recover into a new folder" >&2
  exit 2
fi
cp -R "$1" "$3"
chmod 0700 "$3"
cat >>"$3/postgresql.auto.conf" <<END
restore_command = 'cp $2/%f %p'
recovery_target_time = '$4'
recovery_target_action = 'promote'
END
touch "$3/recovery.signal"
