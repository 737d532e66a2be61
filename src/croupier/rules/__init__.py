"""Rules of one table, from a licensee's submission and a law."""

from __future__ import annotations

# ruff: noqa: F403  (a module exports what others use of it)
from croupier.rules.build import *
from croupier.rules.custom_wagers import *
from croupier.rules.drafting import *
from croupier.rules.offer_builder import *
from croupier.rules.offers import *
from croupier.rules.pit import *
from croupier.rules.submission import *
from croupier.rules.table import *
