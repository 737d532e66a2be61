create table stream (id integer primary key, name text not null unique) strict;
create table line (
  stream integer not null references stream (id),
  number integer not null check (number >= 0),
  epoch integer not null,
  content blob not null,
  unique (stream, number)
) strict;
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
create table snapshot (
  stream integer primary key references stream (id),
  content blob not null
) strict;
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
pragma user_version = 3;
