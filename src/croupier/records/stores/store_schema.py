"""Layout shared by both kinds of store."""

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
"""Table of learned clauses by pit and person; each store adds its ending."""
FORGOTTEN: Final = "create index if not exists answer_forgotten on answer (at) where not kept"
"""Index of the answers that are removed in time; without it each removal reads all answers.

Every layout with answers may have it: it is made when a service opens a store.
"""
