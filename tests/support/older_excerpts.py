"""What tests of the older New Jersey excerpts share: their rules, and tables made by hand.

The excerpts end before the drawing tables and the deal, so that no table opens under them. A test
puts a table into the state that a clause is about, with a drawing table of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from msgspec.structs import replace

from croupier.acts.elections import OpeningProcedure
from croupier.baccarat.cards import DECK, parse_cards
from croupier.baccarat.coup import Coup, Tableau
from croupier.law.elect import ErrorDetail, SubmissionError
from croupier.money import ledger
from croupier.money.ledger import Ledger
from croupier.money.settlement import Stake
from croupier.rules import TableLayout, TableRules, default_submission, table_rules
from croupier.table import Phase
from croupier.table.machine.position import Position
from croupier.table.machine.session import TableSession
from croupier.table.machine.state import Patron, RoundState, TableShoe, TableState

MINIBACCARAT = "us-nj/minibaccarat"
PUNTO_BANCO = "us-nj/punto-banco"
ON = date(2001, 1, 16)

NOBODY_DRAWS = Tableau.of((), dict.fromkeys(range(10), "S" * 11))
"""No law's table: with it four cards make a coup."""

PLAYER_WINS = "9h 2d Kh Ks"
BANKER_WINS = "2h 9d Kh Ks"
TIE = "7h 7d Kh Ks"


def older(
    law: str = MINIBACCARAT, layout: TableLayout | None = None, **elections: Any
) -> TableRules:
    """Rules of the text of that day, plain but for elections; ``__`` stands for a dot."""
    submission = default_submission(law, ON, **elections)
    return table_rules(replace(submission, on=ON, layout=layout or submission.layout))


def errors_of(law: str = MINIBACCARAT, **elections: Any) -> tuple[ErrorDetail, ...]:
    """What is wrong with elections that must be refused."""
    try:
        older(law, **elections)
    except SubmissionError as error:
        return error.errors
    raise AssertionError(f"accepted: {elections}")


class MadeTable(TableSession):
    """A table that a test has put into a state by hand."""

    def __init__(self, rules: TableRules, state: TableState) -> None:
        postings = [(ledger.CAGE, ledger.INVENTORY, 10_000_000)]
        for seat, patron in state.seats.items():
            at = ledger.patron(seat)
            postings += [
                (ledger.CAGE, at, patron.chips_cents),
                (ledger.VIGORISH, ledger.owed(seat), patron.owed_cents),
            ]
        for (seat, _), stake in state.stakes.items():
            postings.append((ledger.CAGE, ledger.layout(seat), stake.chips_cents))
        super().__init__(
            rules, position=Position(rules, state, Ledger({}, 10_000_000).posted(postings))
        )


def made(
    rules: TableRules,
    phase: Phase,
    *,
    stakes: Mapping[tuple[int, str], int] | None = None,
    owed: Mapping[int, int] | None = None,
    cards: str | None = None,
    **state: Any,
) -> MadeTable:
    """A table in that phase, with 10,000 dollars of chips in seats 1 to 3.

    ``stakes`` lie on the layout, in cents by seat and wager; ``owed`` is what markers show, by
    seat. ``cards`` are those of a round in hand, decided once there are four of them.
    """
    lying = {place: Stake(cents) for place, cents in (stakes or {}).items()}
    seats = {
        seat: Patron(f"Patron {seat}", 1_000_000, (owed or {}).get(seat, 0)) for seat in (1, 2, 3)
    }
    round_ = None
    if cards is not None:
        coup = Coup.of(parse_cards(cards), NOBODY_DRAWS)
        round_ = RoundState(1, coup, facts=coup.facts if coup.is_complete else None)
    decks = rules.decks_per_shoe
    made_state = TableState(
        NOBODY_DRAWS,
        OpeningProcedure(batches=rules.batches),
        phase,
        date(2001, 1, 16),
        seats,
        lying,
        decks=decks,
        shoe=TableShoe(1, decks, decks * len(DECK), bytes([decks] * len(DECK)), 14),
        round=round_,
        rounds=1,
    )
    return MadeTable(rules, replace(made_state, **state))
