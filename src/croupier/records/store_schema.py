"""What the layouts of both kinds of store have word for word."""

from __future__ import annotations

from typing import Final

LEARNED: Final = """
create table learned (
  pit text not null,
  person text not null,
  law text not null,
  clause text not null,
  box integer not null,
  due text not null,
  primary key (pit, person, law, clause)
)"""
"""What each person knows of a clause, by the pit where they learn; the end is of the store."""
