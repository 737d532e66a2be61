"""The table: every act is decided by the rules, and every event changes the state and no more.

``decide(state, command, rules)`` answers with events or a refusal, ``evolve(state, event)`` makes
the next state, ``legal(state, rules)`` tells what may or must be done next. All three are pure: no
clock, no randomness, no input or output; cards arrive in commands.

>>> from datetime import date
>>> from croupier.rules import table_rules
>>> from croupier.rules import default_submission
>>> from croupier.table import decide, evolve, new_table
>>> from croupier import acts
>>> rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
>>> table = new_table(rules)
>>> opening = acts.OpenTable(5_000_000, "dealer", "floor", date(2011, 2, 22))
>>> for event in decide(table, opening, rules):
...     table = evolve(table, event)
>>> refusal = decide(table, acts.CallNoMoreBets(), rules)
>>> refusal.code, refusal.clauses
('not_now', ())
"""

import croupier.table.parts  # noqa: F401  (first: schemas list their slices before the others)

# isort: split
from croupier.table import (  # noqa: F401  (each part registers what it decides)
    act_fields,
    also_offered,
    correcting,
    cutting,
    dealing,
    drawing,
    duty,
    election_changes,
    hand_over,
    hand_pay,
    held,
    irregular,
    misread,
    mixing,
    patrons,
    pausing,
    preparing,
    reality,
    rulings,
    settling,
    tray,
    vigorish,
    wagering,
)
from croupier.table.core import Action, Refusal, decide, evolve, legal, new_table, take_turns
from croupier.table.state import AnyPhase, Phase, TableState

take_turns(
    # Who deals is settled before anything is dealt.
    "parts.curator",
    "cutting",
    "settling",
    "dealing",
    "mixing",
    "parts.form_fields",
    "parts.forms",
    "parts.house_money",
    "parts.progressive",
    "parts.timed_decks",
    "reality",
    "election_changes",
    # A hand that was handed over comes back before more cards are discarded.
    "hand_over",
    "drawing",
    "patrons",
    "held",
    "irregular",
    "misread",
    "preparing",
    "wagering",
    "rulings",
    "vigorish",
    # What play does not ask for comes last.
    "also_offered",
)

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
