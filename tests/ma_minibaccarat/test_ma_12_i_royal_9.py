"""Section 12(i): the Royal 9 wager, its chairs, and every award of its table.

The judge of this module reads the printed table in its own words, and shares nothing with the
program; it is put beside it for every pair of hands that can hit a line.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import (
    AwardPaid,
    LosingWagersCollected,
    PlaceWager,
    PlaceWagers,
    StakesKept,
    StakesReleased,
    WithdrawWager,
)
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Coup
from croupier.law.elect import SubmissionError
from croupier.rules import Limit, Outcome, TableLayout
from croupier.table import Phase
from support.massachusetts import (
    ROYAL_9,
    SIX_SEATS,
    chips,
    errors_of,
    ma,
    moves,
    ready,
    rules_of,
    settle,
)
from support.table import every, only, refused, wager

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

CHAIRS: Final = ("Ks 9h", "Kh 9s", "Kd 9c", "Kc 9d", "Kh 9d", "Kd 9h")
"""The combination posted at each chair of the plain game, from seat one on."""

NINES: Final = parse_cards("9s 9h 9d 9c")
FACES: Final = parse_cards("Js Jh Jd Jc Qs Qh Qd Qc Ks Kh Kd Kc")
OTHERS: Final = parse_cards("Ts 8h")
"""Cards that are in no Royal 9: tens look like faces and are none."""

HANDS: Final = tuple(combinations_with_replacement((*NINES, *FACES, *OTHERS), 2))


# --- the judge: the printed table in its own words ---------------------------------------------

AWARDS: Final = {
    "Personal King-9 vs. Personal King-9": "star",
    "Banker Personal King-9": "spade",
    "Player Personal King-9": "heart",
    "Other Personal King-9 vs. Identical King-9": 500_000,
    "Suited Royal 9 vs. Suited Royal 9": 150_000,
    "Royal 9 vs. Royal 9": 25_000,
    "Any Suited Royal 9": 5_000,
    "Any Royal 9": 2_500,
    "All other hands": None,
}
SENTENCES: Final = {
    "Personal King-9 vs. Personal King-9": ("Hand_Definitions#1", "Table_1#1"),
    "Banker Personal King-9": ("Hand_Definitions#2", "Table_1#2"),
    "Player Personal King-9": ("Hand_Definitions#2", "Table_1#3"),
    "Other Personal King-9 vs. Identical King-9": ("Hand_Definitions#3", "#6", "Table_1#4"),
    "Suited Royal 9 vs. Suited Royal 9": ("Hand_Definitions#4", "Table_1#5"),
    "Royal 9 vs. Royal 9": ("Hand_Definitions#5", "Table_1#6"),
    "Any Suited Royal 9": ("Hand_Definitions#6", "Table_1#7"),
    "Any Royal 9": ("Hand_Definitions#7", "Table_1#8"),
    "All other hands": ("Table_1#9",),
}


def section(part: str) -> str:
    return f"12(i){part}" if part.startswith("#") else f"12(i)_{part}"


Hand = tuple[Card, Card]


@cache
def is_royal(hand: Hand) -> bool:
    """A nine and any face card, jack through king."""
    ranks = sorted(str(card)[0] for card in hand)
    return ranks[0] == "9" and ranks[1] in "JQK"


@cache
def is_suited(hand: Hand) -> bool:
    return is_royal(hand) and str(hand[0])[1] == str(hand[1])[1]


@cache
def is_posted(hand: Hand, combination: str) -> bool:
    """Exactly the King-9 that is posted, whichever of its cards came first."""
    return sorted(map(str, hand)) == sorted(combination.split())


def judge(player: Hand, banker: Hand, chair: int, chairs: tuple[str, ...]) -> str:
    """The highest line of the printed table that these hands hit for whoever sits at a chair."""
    own = chairs[chair]
    others = [posted for seat, posted in enumerate(chairs) if seat != chair]
    if is_posted(player, own) and is_posted(banker, own):
        return "Personal King-9 vs. Personal King-9"
    if is_posted(banker, own):
        return "Banker Personal King-9"
    if is_posted(player, own):
        return "Player Personal King-9"
    if any(is_posted(player, posted) and is_posted(banker, posted) for posted in others):
        return "Other Personal King-9 vs. Identical King-9"
    if is_suited(player) and is_suited(banker):
        return "Suited Royal 9 vs. Suited Royal 9"
    if is_royal(player) and is_royal(banker):
        return "Royal 9 vs. Royal 9"
    if is_suited(player) or is_suited(banker):
        return "Any Suited Royal 9"
    if is_royal(player) or is_royal(banker):
        return "Any Royal 9"
    return "All other hands"


# --- the whole ladder --------------------------------------------------------------------------

OTHER_SIX: Final = ("Ks 9d", "Ks 9c", "Kh 9c", "Kd 9s", "Kc 9s", "Kc 9h")


@pytest.mark.clause(
    "MA-MINI:12(i)_Table_1#1", "MA-MINI:12(i)_Table_1#2", "MA-MINI:12(i)_Table_1#3",
    "MA-MINI:12(i)_Table_1#4", "MA-MINI:12(i)_Table_1#5", "MA-MINI:12(i)_Table_1#6",
    "MA-MINI:12(i)_Table_1#7", "MA-MINI:12(i)_Table_1#8", "MA-MINI:12(i)_Table_1#9",
    "MA-MINI:12(i)_Hand_Definitions#1", "MA-MINI:12(i)_Hand_Definitions#2",
    "MA-MINI:12(i)_Hand_Definitions#3", "MA-MINI:12(i)_Hand_Definitions#4",
    "MA-MINI:12(i)_Hand_Definitions#5", "MA-MINI:12(i)_Hand_Definitions#6",
    "MA-MINI:12(i)_Hand_Definitions#7",
)  # fmt: skip
@pytest.mark.parametrize("chairs", [CHAIRS, OTHER_SIX])
def test_every_pair_of_hands_is_awarded_at_every_chair_what_the_printed_table_has(
    chairs: tuple[str, ...],
) -> None:
    rules = rules_of(**ROYAL_9, wagers__royal_9__chairs=list(chairs))
    offer = rules.offers["royal_9"]
    seen = dict.fromkeys(AWARDS, 0)
    clauses = {line: set(ma(*map(section, parts))) for line, parts in SENTENCES.items()}
    for number, (player, banker) in enumerate(product(HANDS, repeat=2)):
        # In either order of the two cards, which must be all the same.
        ordered = player if number % 2 else player[::-1]
        facts = Coup(rules.tableau, ordered, banker).initial_facts
        for chair in range(6):
            line = judge(player, banker, chair, chairs)
            seen[line] += 1
            decision = offer.decide(facts, chair + 1)
            award = decision.award
            amount = None if award is None else award.meter or award.cents
            assert amount == AWARDS[line], (player, banker, chair)
            assert set(decision.clauses) == clauses[line]
            assert decision.outcome is (Outcome.LOSE if award is None else Outcome.WIN)
    assert all(seen.values()), seen


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("MA-MINI:12(i)_Hand_Definitions#3", "MA-MINI:12(i)_Hand_Definitions#4")
def test_the_judge_counts_the_ways_that_the_words_of_the_text_allow() -> None:
    """A check on the judge itself, by counting: he must not be wrong in the same way."""
    royals = [hand for hand in HANDS if is_royal(hand)]
    # Four nines with twelve faces; of one suit, four nines with three faces each.
    assert (len(royals), sum(map(is_suited, royals))) == (48, 12)
    lines = [judge(player, banker, 0, CHAIRS) for player, banker in product(royals, repeat=2)]
    assert lines.count("Personal King-9 vs. Personal King-9") == 1
    assert lines.count("Banker Personal King-9") == 47
    assert lines.count("Player Personal King-9") == 47
    assert lines.count("Other Personal King-9 vs. Identical King-9") == 5
    assert lines.count("Suited Royal 9 vs. Suited Royal 9") == 12 * 12
    assert lines.count("Royal 9 vs. Royal 9") == 48 * 48 - 1 - 47 - 47 - 5 - 144


@pytest.mark.clause("MA-MINI:12(i)_Table_1#7", "MA-MINI:12(i)_Table_1#8")
@pytest.mark.parametrize(("royal", "line"), [("9h Jh", "suited"), ("9h Qs", "royal")])
def test_one_royal_9_is_awarded_as_one_whichever_hand_has_it(royal: str, line: str) -> None:
    offer = rules_of(**ROYAL_9).offers["royal_9"]
    for player, banker in ((royal, "Ts 8c"), ("Ts 8c", royal)):
        one, other = parse_cards(player), parse_cards(banker)
        coup = Coup.of((one[0], other[0], one[1], other[1]), rules_of().tableau)
        assert offer.decide(coup.initial_facts).line == line


# --- the table, the chairs, the stake ----------------------------------------------------------


@pytest.mark.clause("MA-MINI:12(i)#1")
def test_royal_9_is_dealt_from_six_or_eight_decks() -> None:
    for decks in (6, 8):
        assert rules_of(**ROYAL_9, decks=decks).decks_per_shoe == decks
        shuffler = rules_of(**ROYAL_9, decks=2 * decks, device="shuffler")
        assert shuffler.decks_per_shoe == decks
    assert errors_of(**ROYAL_9, decks=7) == {("wagers.royal_9.offered", ma("12(i)#1"))}
    detail = errors_of(**ROYAL_9, decks=14, device="shuffler")
    assert detail == {("wagers.royal_9.offered", ma("12(i)#1"))}


@pytest.mark.clause("MA-MINI:12(i)#2")
@pytest.mark.parametrize("seats", [1, 5, 7, 9])
def test_royal_9_is_offered_at_a_table_of_six_seats(seats: int) -> None:
    assert ("wagers.royal_9.offered", ma("12(i)#2")) in errors_of(
        layout=TableLayout(seats=seats), **ROYAL_9
    )
    assert len(rules_of(**ROYAL_9).offers["royal_9"].chairs) == 6


@pytest.mark.clause("MA-MINI:12(i)#3")
@pytest.mark.parametrize(
    ("chairs", "word"),
    [
        (("Ks 9s", *CHAIRS[1:]), "one suit"),  # Suited.
        (("Qs 9h", *CHAIRS[1:]), "is not a king and a nine"),
        (("Ks 8h", *CHAIRS[1:]), "is not a king and a nine"),
        (("Ks Kh", *CHAIRS[1:]), "is not a king and a nine"),
        (("Ks", *CHAIRS[1:]), "is not a king and a nine"),
        (("Ks 9h Kd", *CHAIRS[1:]), "is not a king and a nine"),
        ((CHAIRS[1], *CHAIRS[1:]), "at two chairs"),
        (("9s Kh", *CHAIRS[1:]), "at two chairs"),  # The same two cards, written the other way.
        (CHAIRS[:5], "5 combinations for 6 chairs"),
        ((*CHAIRS, "Ks 9d"), "7 combinations for 6 chairs"),
    ],
)
def test_each_chair_has_one_king_9_of_two_suits_and_no_two_are_alike(
    chairs: tuple[str, ...], word: str
) -> None:
    with pytest.raises(SubmissionError) as told:
        rules_of(**ROYAL_9, wagers__royal_9__chairs=list(chairs))
    (detail,) = told.value.errors
    assert (detail.where, detail.clauses) == ("wagers.royal_9.chairs", ma("12(i)#3"))
    assert word in detail.message


@pytest.mark.clause("MA-MINI:12(i)#3")
def test_twelve_king_9s_are_of_two_suits_and_any_six_of_them_may_be_posted() -> None:
    unsuited = [f"K{king} 9{nine}" for king, nine in product("shdc", repeat=2) if king != nine]
    assert len(unsuited) == 12
    for first in (0, 3, 6):
        rules_of(**ROYAL_9, wagers__royal_9__chairs=unsuited[first : first + 6])


@pytest.mark.clause("MA-MINI:12(i)#4")
@pytest.mark.parametrize("cents", [1, 100, 499, 501, 1_000])
def test_the_wager_is_five_dollars_and_nothing_else(cents: int) -> None:
    session = ready(1, **ROYAL_9)
    wager(session, (1, "player", 1_000))
    assert refused(session, PlaceWager(1, "royal_9", cents), "limit").clauses == ma("12(i)#4")
    session.execute(PlaceWager(1, "royal_9", 500))
    # Nor is it raised to ten.
    assert refused(session, PlaceWager(1, "royal_9", 500), "limit").clauses == ma("12(i)#4")


@pytest.mark.clause("MA-MINI:12(i)#4")
def test_neither_the_law_nor_the_limits_of_a_table_make_it_another_amount() -> None:
    limits = {name: Limit(500, 5_000) for name in ("player", "banker", "tie")}
    assert rules_of(**ROYAL_9, limits=limits).offers["royal_9"].limit == Limit(500, 500)
    detail = errors_of(**ROYAL_9, limits=limits | {"royal_9": Limit(500, 1_000)})
    assert detail == {("limits.royal_9", ma("12(i)#4"))}
    assert errors_of(**ROYAL_9, wagers__royal_9__stake="10.00") == {
        ("wagers.royal_9.stake", ma("12(i)#4"))
    }


@pytest.mark.clause("MA-MINI:12(i)#4", "MA-MINI:12(i)#5")
def test_the_wager_is_optional_and_stands_beside_a_wager_on_the_game() -> None:
    session = ready(1, 2, 3, 4, **ROYAL_9)
    alone = refused(session, PlaceWager(1, "royal_9", 500), "needs_base")
    assert alone.clauses == (*ma("12(i)#5"), "C22")
    for seat, base in ((1, "player"), (2, "banker"), (3, "tie")):
        session.execute(PlaceWagers(seat, {base: 1_000, "royal_9": 500}))
        taken = refused(session, WithdrawWager(seat, base), "needs_base")
        assert taken.clauses == (*ma("12(i)#5"), "C22")
        session.execute(WithdrawWager(seat, "royal_9"))
        session.execute(WithdrawWager(seat, base))
    # Whoever has two wagers on the game may take one of them back.
    wager(session, (4, "player", 1_000), (4, "tie", 100), (4, "royal_9", 500))
    session.execute(WithdrawWager(4, "player"))
    refused(session, WithdrawWager(4, "tie"), "needs_base")


@pytest.mark.clause("MA-MINI:12(i)#5", "MA-MINI:7(d)")
def test_the_wager_is_made_before_the_first_four_cards() -> None:
    session = ready(1, **ROYAL_9)
    wager(session, (1, "player", 1_000))
    session.execute(acts.CallNoMoreBets())
    assert refused(session, PlaceWager(1, "royal_9", 500), "no_more_bets").clauses == ma("7(d)")


# --- at the table ------------------------------------------------------------------------------

# Each deal with the line that it hits at chair one, which has Ks 9h, and what the others count.
DEALS: Final = {
    "Other Personal King-9 vs. Identical King-9": ("Kh 9s 9s Kh", 500_000),
    "Suited Royal 9 vs. Suited Royal 9": ("Qc 9d 9c Jd", 150_000),
    "Royal 9 vs. Royal 9": ("Qc 9d 9c Js", 25_000),
    "Any Suited Royal 9": ("Qc 9d 9c Ts", 5_000),
    "Any Royal 9": ("Qc 9d 9h Ts", 2_500),
}


def sitting(*seats: int, **elections: Any) -> Any:
    """A table at which these seats have a Tie and a Royal 9 wager."""
    session = ready(*seats, **ROYAL_9, **elections)
    for seat in seats:
        session.execute(PlaceWagers(seat, {"tie": 100, "royal_9": 500}))
    return session


@pytest.mark.clause("MA-MINI:12(i)_Table_1#4", "MA-MINI:12(i)_Table_1#8")
@pytest.mark.parametrize("line", DEALS)
@pytest.mark.parametrize("award_is", ["for-one", "to-one"])
def test_an_award_is_the_amount_that_is_paid_and_the_stake_stays_or_goes_back_by_election(
    line: str, award_is: str
) -> None:
    cards, cents = DEALS[line]
    session = sitting(1, wagers__royal_9__award_is=award_is)
    before = chips(session, 1)
    events = settle(session, cards)
    paid = only(events, AwardPaid)
    assert (paid.seat, paid.wager, paid.cents, paid.meter) == (1, "royal_9", cents, None)
    assert set(paid.clauses) == set(ma("11(b)#2", *map(section, SENTENCES[line])))
    tie = {one.wager: one.cents for one in every(events, StakesReleased)[0].stakes}.get("tie", 0)
    tie += sum(cents for act, _, name, cents in moves(events) if (act, name) == ("pay", "tie"))
    back = 500 if award_is == "to-one" else 0
    assert chips(session, 1) == before + cents + back + tie
    assert bool(every(events, StakesKept)) is (award_is == "for-one")
    assert session.ledger.in_balance


@pytest.mark.clause("MA-MINI:12(i)_Table_1#9")
def test_any_other_hand_loses_the_wager() -> None:
    # A ten is no face card; nor is a nine among the first two cards that comes as the third.
    for cards in ("9h 2d Tc 3s", "2h 2d Kc 3s 9c", "8h 9d Jh Ts"):
        session = sitting(1)
        collected = only(settle(session, cards), LosingWagersCollected)
        assert "royal_9" in {one.wager for one in collected.stakes}
        assert set(ma("12(i)_Table_1#9")) <= set(collected.clauses)


@pytest.mark.clause("MA-MINI:12(i)#6", "MA-MINI:12(i)_Hand_Definitions#3")
def test_another_chairs_king_9_is_awarded_though_nobody_sits_there_or_wagers() -> None:
    # Both hands have what is posted at chair two: seat two is empty, then taken but not wagering.
    for seats in ((1,), (1, 2)):
        session = ready(*seats, **ROYAL_9)
        session.execute(PlaceWagers(1, {"tie": 100, "royal_9": 500}))
        paid = every(settle(session, "Kh 9s 9s Kh"), AwardPaid)
        assert [(one.seat, one.cents) for one in paid] == [(1, 500_000)]


@pytest.mark.clause("MA-MINI:12(i)_Hand_Definitions#3")
def test_two_king_9s_of_two_other_chairs_are_not_identical() -> None:
    session = sitting(1)
    # Player has what is posted at chair two, Banker what is posted at chair three.
    paid = only(settle(session, "Kh 9c 9s Kd"), AwardPaid)
    assert (paid.line, paid.cents) == ("royal_both", 25_000)


@pytest.mark.clause("MA-MINI:12(i)_Hand_Definitions#3")
def test_identical_king_9s_that_are_posted_nowhere_are_royal_9_against_royal_9() -> None:
    session = sitting(1)
    paid = only(settle(session, "Ks 9d 9d Ks"), AwardPaid)
    assert (paid.line, paid.cents) == ("royal_both", 25_000)


@pytest.mark.clause("MA-MINI:12(i)_Hand_Definitions#2")
def test_a_personal_king_9_of_one_hand_is_awarded_alone_beside_a_royal_9_of_the_other() -> None:
    session = sitting(1)
    # Banker has Ks 9h, Player a suited Royal 9: the meter, and no fifty dollars beside it.
    paid = every(settle(session, "Qc Ks 9c 9h"), AwardPaid)
    assert [(one.line, one.meter) for one in paid] == [("spade", "spade")]


@pytest.mark.clause("MA-MINI:12(i)_Table_1#8")
def test_the_game_itself_is_settled_as_ever_beside_it() -> None:
    session = ready(1, **ROYAL_9)
    events = settle(
        session, "Qc 9d 9h Ts", (1, "tie", 100), (1, "banker", 1_000), (1, "royal_9", 500)
    )
    assert [one for one in moves(events) if one[0] == "pay"] == [
        ("pay", 1, "tie", 800), ("pay", 1, "royal_9", 2_500),
    ]  # fmt: skip
    assert session.state.phase is Phase.SETTLED
    assert session.rules.submission.layout == SIX_SEATS
