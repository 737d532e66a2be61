"""A licensee's tables: their uniform elections, and notice of changes."""

from __future__ import annotations

# ruff: noqa: F403  (a module exports what others use of it)
from croupier.table.pit.access import *
from croupier.table.pit.acts import *
from croupier.table.pit.deciding import *
from croupier.table.pit.position import *
from croupier.table.pit.state import *
