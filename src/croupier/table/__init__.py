"""The table: every act is decided by the rules, and every event changes the state and no more.

``decide(state, command, rules)`` answers with events or a refusal, ``evolve(state, event)`` makes
the next state, ``legal(state, rules)`` tells what may or must be done next. All three are pure: no
clock, no randomness, no input or output; cards arrive in commands.

>>> from datetime import date
>>> from croupier.rules import table_rules
>>> from croupier.rules import default_submission
>>> from croupier.table import commands, decide, evolve, new_table
>>> rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
>>> table = new_table(rules)
>>> opening = commands.OpenTable(5_000_000, "dealer", "floor", date(2011, 2, 22))
>>> for event in decide(table, opening, rules):
...     table = evolve(table, event)
>>> refusal = decide(table, commands.CallNoMoreBets(), rules)
>>> refusal.code, refusal.clauses
('not_now', ())
"""

import croupier.table.parts  # noqa: F401  (first: what they want done goes before the rest)
from croupier.table import act_fields, also_offered  # noqa: F401

# isort: split
# Before drawing: a hand that was handed over comes back before more cards are discarded.
from croupier.table import hand_over  # noqa: F401

# isort: split
from croupier.table import (  # noqa: F401  (each part registers what it decides)
    cutting,
    dealing,
    drawing,
    duty,
    election_changes,
    hand_pay,
    held,
    irregular,
    misread,
    mixing,
    patrons,
    preparing,
    reality,
    rulings,
    settling,
    tray,
    vigorish,
    wagering,
)

# isort: split
# Last: what may be done next is listed in the order in which modules say so.
from croupier.table import correcting, pausing  # noqa: F401
from croupier.table.core import Action, Refusal, decide, evolve, legal, new_table
from croupier.table.state import AnyPhase, Phase, TableState

__all__ = [
    "Action",
    "AnyPhase",
    "Phase",
    "Refusal",
    "TableState",
    "decide",
    "evolve",
    "legal",
    "new_table",
]
