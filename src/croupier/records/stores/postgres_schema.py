"""The layout of a PostgreSQL store.

Triggers refuse changes and deletions of entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.records.stores.store import LEARNED

_SERVICE: Final = """
create table layout (version integer not null);
create table stream (
  id bigint generated always as identity primary key,
  name text not null unique
);
create table line (
  stream bigint not null references stream (id),
  number bigint not null check (number >= 0),
  epoch bigint not null,
  content bytea not null,
  constraint line_place unique (stream, number)
);
create function entry_stays() returns trigger language plpgsql as $$
  begin raise exception 'an entry is never changed or deleted' using errcode = '23514'; end; $$;
create trigger line_stays before delete on line for each row when (old.number > 0)
  execute function entry_stays();
create trigger line_stands before update on line for each row execute function entry_stays();
create trigger lines_stay before truncate on line execute function entry_stays();
create table answer (
  stream bigint not null references stream (id),
  grant_name text not null,
  key text not null,
  digest bytea not null,
  status integer not null,
  body bytea not null,
  at bigint not null,
  kept boolean not null,
  constraint answer_place unique (stream, grant_name, key)
);
create table refusal (
  id bigint generated always as identity primary key,
  stream bigint not null references stream (id),
  at bigint not null,
  grant_name text not null,
  code text not null,
  command text not null
);
create index refusal_at on refusal (stream, at);
create table snapshot (
  stream bigint primary key references stream (id),
  content bytea not null
);
create table lease (
  stream bigint primary key references stream (id),
  owner text not null default '',
  address text not null default '',
  epoch bigint not null default 0,
  until bigint not null default 0
);
create table document (
  id bigint generated always as identity primary key,
  kind text not null,
  name text not null,
  content bytea not null,
  unique (kind, name)
);
"""

STEPS: Final[Sequence[str]] = (_SERVICE, f"{LEARNED};")
"""Statements that each layout adds to the one before."""
VERSION: Final = len(STEPS)
