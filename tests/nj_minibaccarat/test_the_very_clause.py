"""Events and refusals name the very sentence at stake, where a rule stands on several."""

from __future__ import annotations

import pytest

from croupier.table.commands import SettleWagers
from croupier.table.events import LosingWagersCollected, StakesReleased, WagerPaid
from support import deal, only, ready, wager

BONUS = "NJ-MINI:7.2(a)5."


def of(prefix: str, clauses: tuple[str, ...]) -> list[str]:
    """The clauses among these that begin so."""
    return [clause for clause in clauses if clause.startswith(prefix)]


# --- 7.2 Wagers --------------------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.2(a)5.i#1", "NJ-MINI:7.2(a)5.i#2", "NJ-MINI:7.2(a)5.i#3")
@pytest.mark.parametrize(
    ("cards", "clause"),
    [
        ("9h 5d Kh Ks", "i#1"),  # A natural nine against a five that is none.
        ("9h 8d Kh Ks", "i#2"),  # A natural nine against a natural eight.
        ("7h 2d Kh Ks Kd", "i#3"),  # Seven against two: five points.
    ],
)
def test_a_winning_bonus_names_the_way_in_which_it_won(cards: str, clause: str) -> None:
    session = ready(1, wagers__bonus__offered=True)
    wager(session, (1, "player", 10_000), (1, "bonus_player", 10_000))
    deal(session, cards)
    events = session.do(SettleWagers())
    (paid,) = (e for e in events if isinstance(e, WagerPaid) and e.wager == "bonus_player")
    assert of(BONUS, paid.clauses) == [BONUS + clause]
    assert of(BONUS, only(events, StakesReleased).clauses) == [BONUS + clause]


@pytest.mark.clause("NJ-MINI:7.2(a)5.ii#1", "NJ-MINI:7.2(a)5.ii#2", "NJ-MINI:7.2(a)5.ii#3")
@pytest.mark.parametrize(
    ("cards", "clause"),
    [
        ("8h 9d Kh Ks", "ii#1"),  # A natural eight against a natural nine.
        ("6h 7d Kh Ks", "ii#2"),  # Six against seven: not ahead.
        ("7h 6d Kh Ks", "ii#3"),  # Seven against six: one point.
    ],
)
def test_a_losing_bonus_names_the_way_in_which_it_lost(cards: str, clause: str) -> None:
    session = ready(1, wagers__bonus__offered=True)
    wager(session, (1, "player", 10_000), (1, "bonus_player", 10_000))
    deal(session, cards)
    collected = only(session.do(SettleWagers()), LosingWagersCollected)
    assert of(BONUS, collected.clauses) == [BONUS + clause]


@pytest.mark.clause("NJ-MINI:7.2(a)6.i", "NJ-MINI:7.3(i)#2")
def test_a_dragon_7_voids_the_banker_wager_notwithstanding_the_clause_by_which_it_would_win() -> (
    None
):
    session = ready(1, vigorish__scheme="dragon-7")
    wager(session, (1, "banker", 10_000))
    # Player stays on 6; Banker has 5, draws a 2 and wins with three cards and seven.
    deal(session, "6h 5d Kh Ks 2d")
    released = only(session.do(SettleWagers()), StakesReleased)
    assert released.clauses == ("NJ-MINI:7.3(i)#2", "NJ-MINI:7.2(a)6.i")
