"""The layout of a SQLite store: services apply missing steps, readers none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.records.stores.store import LEARNED

_RECORDS: Final = """
create table stream (id integer primary key, name text not null unique) strict;
create table line (
  stream integer not null references stream (id),
  number integer not null,
  content blob not null,
  primary key (stream, number)
) strict, without rowid;
"""
_SNAPSHOTS: Final = """
create table snapshot (
  stream integer primary key references stream (id),
  content blob not null
) strict;
"""
# A table with rowids and a separate index, because lines are too long for index pages.
_SERVICE: Final = """
alter table line rename to line_before;
create table line (
  stream integer not null references stream (id),
  number integer not null check (number >= 0),
  epoch integer not null,
  content blob not null,
  unique (stream, number)
) strict;
insert into line select stream, number, 0, content from line_before order by stream, number;
drop table line_before;
create trigger line_stays before delete on line when old.number > 0
  begin select raise(abort, 'an entry is never deleted'); end;
create trigger line_stands before update on line
  begin select raise(abort, 'an entry is never changed'); end;
create table answer (
  stream integer not null references stream (id),
  grant_name text not null,
  key text not null,
  digest blob not null,
  status integer not null,
  body blob not null,
  at integer not null,
  kept integer not null,
  unique (stream, grant_name, key)
) strict;
create table refusal (
  stream integer not null references stream (id),
  at integer not null,
  grant_name text not null,
  code text not null,
  command text not null
) strict;
create index refusal_at on refusal (stream, at);
create table lease (
  stream integer primary key references stream (id),
  owner text not null,
  address text not null,
  epoch integer not null,
  until integer not null
) strict;
create table document (
  id integer primary key,
  kind text not null,
  name text not null,
  content blob not null,
  unique (kind, name)
) strict;
"""

STEPS: Final[Sequence[str]] = (_RECORDS, _SNAPSHOTS, _SERVICE, f"{LEARNED} strict;")
"""Statements that each layout adds to the one before."""
VERSION: Final = len(STEPS)
