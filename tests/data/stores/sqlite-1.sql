create table stream (id integer primary key, name text not null unique) strict;
create table line (
  stream integer not null references stream (id),
  number integer not null,
  content blob not null,
  primary key (stream, number)
) strict, without rowid;
pragma user_version = 1;
