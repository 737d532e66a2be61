"""The procedure of a table as pure functions: ``decide``, ``evolve``, ``legal``.

There is no clock, no randomness, and no input or output; cards arrive in commands.

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
# Each module registers what it decides.
from croupier.table.cards import (  # noqa: F401
    card_reports,
    cutting,
    drawing,
    held_cards,
    mixing,
    preparing,
    retired_decks,
)
from croupier.table.dealing import dealing, hand_over  # noqa: F401
from croupier.table.elections import election_changes  # noqa: F401
from croupier.table.house import pausing, tray  # noqa: F401
from croupier.table.irregular import (  # noqa: F401
    correcting,
    device_failure,
    disputes,
    irregular,
    misread,
    rulings,
)
from croupier.table.machine import inputs, optional_acts  # noqa: F401
from croupier.table.machine.core import (
    Action,
    Refusal,
    decide,
    evolve,
    legal,
    new_table,
    take_turns,
)
from croupier.table.machine.state import AnyPhase, Phase, TableState
from croupier.table.people import duty, patrons  # noqa: F401
from croupier.table.settling import hand_pay, settling, vigorish  # noqa: F401
from croupier.table.wagering import wagering  # noqa: F401

take_turns(
    # The dealer is determined before anything is dealt.
    "parts.curator",
    "cards.cutting",
    "settling.settling",
    "dealing.dealing",
    "cards.mixing",
    "parts.form_fields",
    "parts.forms",
    "parts.house_money",
    "parts.progressive",
    "parts.meters",
    "parts.timed_decks",
    "cards.card_reports",
    "elections.election_changes",
    # A hand is returned before more cards are discarded.
    "dealing.hand_over",
    "cards.drawing",
    "people.patrons",
    "cards.held_cards",
    "irregular.irregular",
    "irregular.misread",
    "irregular.device_failure",
    "cards.preparing",
    "wagering.wagering",
    "irregular.rulings",
    "irregular.disputes",
    "cards.retired_decks",
    "settling.vigorish",
    # Optional acts come last.
    "machine.optional_acts",
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
