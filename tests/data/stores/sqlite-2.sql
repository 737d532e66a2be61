create table stream (id integer primary key, name text not null unique) strict;
create table line (
  stream integer not null references stream (id),
  number integer not null,
  content blob not null,
  primary key (stream, number)
) strict, without rowid;
create table snapshot (
  stream integer primary key references stream (id),
  content blob not null
) strict;
pragma user_version = 2;
