"""5324.21(b)(1): the wagers, how each is decided, and by which sentence."""

from itertools import product
from typing import Final

import pytest

from croupier import acts
from croupier.acts import LosingWagersCollected, StakesReleased, WagerPaid
from croupier.baccarat.cards import parse_cards
from croupier.baccarat.coup import Coup, Facts
from croupier.money.settlement import Stake
from croupier.money.settlement import settle as settle_stakes
from croupier.rules import Decision, Outcome, TableRules
from support.new_york import (
    BANKER_6,
    DRAGON_7,
    PANDA_8,
    PLAYER_8_BANKER_9,
    PLAYER_9_BANKER_8,
    TIE_6,
    TIE_8,
    ez,
    ny,
    ready,
    rules_of,
    settle,
)
from support.table import every, only, refused, wager

pytestmark = pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")

WIN, LOSE, PUSH = Outcome.WIN, Outcome.LOSE, Outcome.PUSH

BASE: Final = {"player", "banker", "tie"}
TWO_CARD_SEVEN: Final = "6h 7d Kh Ks"
PLAYER_7_BANKER_6: Final = "7h 6d Kh Ks"
SCHEMES: Final = ("5%", "4%", "tie-25%", "six-pays-half", "dragon-7")
NO_EZ: Final = SCHEMES[:-1]

# Every pair of counts, with two cards or three to each hand.
FACTS: Final = [Facts(*counts) for counts in product(range(10), range(10), (2, 3), (2, 3))]


def under(scheme: str) -> TableRules:
    """Rules of a table with that scheme; where there is no vigorish it tells how that is posted."""
    if scheme == "six-pays-half":
        return rules_of(vigorish__scheme=scheme, vigorish__posting="approved sign")
    return rules_of(vigorish__scheme=scheme)


def decided(rules: TableRules, name: str, cards: str) -> Decision:
    """How a coup of these cards decides a wager."""
    return rules.offers[name].decide(Coup.of(parse_cards(cards), rules.tableau).facts)


# --- what is offered ---------------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(i)", "NY-MINIMIDI:(b)(1)(ii)", "NY-MINIMIDI:(b)(1)(iii)")
@pytest.mark.parametrize("scheme", NO_EZ)
def test_banker_player_and_tie_are_taken_at_every_table_and_nothing_else(scheme: str) -> None:
    assert set(under(scheme).offers) == BASE
    session = ready(1)
    for name in sorted(BASE):
        wager(session, (1, name, 10_000))
    assert {name for _, name in session.state.stakes} == BASE


@pytest.mark.clause(
    "NY-MINIMIDI:(b)(1)(i)",
    "NY-MINIMIDI:(b)(1)(ii)",
    "NY-MINIMIDI:(b)(1)(iii)",
    "NY-MINIMIDI:(b)(1)(iv)#1",
    "NY-MINIMIDI:(b)(1)(iv)#2",
    "NY-MINIMIDI:(b)(1)(v)",
    "NY-MINIMIDI:(b)(1)(vi)",
)
@pytest.mark.parametrize("name", ["four_cards", "house_money", "royal_9", "streak", "dragon_7"])
def test_a_wager_that_the_text_does_not_name_for_this_table_is_refused(name: str) -> None:
    refusal = refused(ready(1), acts.PlaceWager(1, name, 10_000), "not_offered")
    # A wager that the text names is refused under what it says of that wager, another under all.
    named = ny(
        "(b)(1)(i)", "(b)(1)(ii)", "(b)(1)(iii)", "(b)(1)(iv)#1", "(b)(1)(iv)#2", "(b)(1)(v)",
        "(b)(1)(vi)",
    )  # fmt: skip
    assert refusal.clauses == (ny("(b)(1)(v)") if name == "dragon_7" else named)
    assert refusal.message == f"{name}: this table offers player, banker, tie"


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(v)", "NY-MINIMIDI:(b)(1)(vi)")
def test_both_insurance_wagers_are_taken_at_an_ez_table() -> None:
    session = ez(1)
    assert set(session.rules.offers) == BASE | {"dragon_7", "panda_8"}
    wager(session, (1, "dragon_7", 500), (1, "panda_8", 500))


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(v)", "NY-MINIMIDI:(b)(1)(vi)")
@pytest.mark.parametrize("name", ["dragon_7", "panda_8"])
@pytest.mark.parametrize("scheme", NO_EZ)
def test_neither_insurance_wager_is_taken_elsewhere(scheme: str, name: str) -> None:
    assert name not in under(scheme).offers


# --- (i): on Banker's Hand ---------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(i)(a)")
@pytest.mark.parametrize("scheme", NO_EZ)
@pytest.mark.parametrize("cards", [PLAYER_8_BANKER_9, TWO_CARD_SEVEN, BANKER_6, DRAGON_7])
def test_a_banker_wager_wins_with_the_higher_count(cards: str, scheme: str) -> None:
    decision = decided(under(scheme), "banker", cards)
    assert decision.outcome is WIN
    assert decision.clauses[0] == "NY-MINIMIDI:(b)(1)(i)(a)"


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(i)(a)", "NY-MINIMIDI:(b)(1)(i)(c)")
def test_at_an_ez_table_it_wins_with_the_higher_count_unless_that_is_a_dragon_7() -> None:
    banker = under("dragon-7").offers["banker"]
    for facts in FACTS:
        if facts.banker_count > facts.player_count:
            dragon_7 = facts.banker_count == 7 and facts.banker_cards == 3
            assert banker.decide(facts).outcome is (PUSH if dragon_7 else WIN), facts


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(i)(a)", "NY-MINIMIDI:(b)(1)(i)(c)")
def test_a_dragon_7_is_a_push_at_an_ez_table_and_free_of_charge() -> None:
    session = ez(1)
    events = settle(session, DRAGON_7, (1, "banker", 10_000))
    released = only(events, StakesReleased)
    assert [(one.wager, one.outcome, one.cents) for one in released.stakes] == [
        ("banker", "push", 10_000)
    ]
    assert released.clauses == ny("(b)(1)(i)(a)", "(b)(1)(i)(c)")
    assert [type(event) for event in events] == [StakesReleased]
    assert session.state.seats[1].chips_cents == 1_000_000


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(i)(b)")
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("cards", [PLAYER_9_BANKER_8, PLAYER_7_BANKER_6, PANDA_8])
def test_a_banker_wager_loses_with_the_lower_count(cards: str, scheme: str) -> None:
    decision = decided(under(scheme), "banker", cards)
    assert (decision.outcome, decision.clauses) == (LOSE, ny("(b)(1)(i)(b)"))


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(i)(c)")
@pytest.mark.parametrize(("scheme", "charged"), [(one, one == "tie-25%") for one in SCHEMES])
def test_equal_counts_push_it_and_cost_a_quarter_only_where_that_is_elected(
    scheme: str,
    charged: bool,  # noqa: FBT001
) -> None:
    rules = under(scheme)
    for facts in FACTS:
        if facts.player_count == facts.banker_count:
            (settled,) = settle_stakes(rules, facts, {(1, "banker"): Stake(10_000)})
            decision = settled.decision
            assert (decision.outcome, decision.clauses) == (PUSH, ny("(b)(1)(i)(c)"))
            assert (settled.won_cents, settled.vigorish_cents) == (0, 2_500 if charged else 0)


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(i)(c)")
def test_read_literally_a_returned_banker_wager_of_an_ez_table_costs_a_quarter() -> None:
    rules = rules_of(vigorish__scheme="dragon-7", readings={"T38": "quarter"})
    for facts in FACTS:
        (settled,) = settle_stakes(rules, facts, {(1, "banker"): Stake(10_000)})
        tie = facts.player_count == facts.banker_count
        dragon_7 = facts.banker_count == 7 > facts.player_count and facts.banker_cards == 3
        assert settled.vigorish_cents == (2_500 if tie or dragon_7 else 0), facts


# --- (ii): on Player's Hand --------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(ii)(a)")
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_player_wager_wins_with_every_higher_count_and_not_on_a_panda_8_alone(
    scheme: str,
) -> None:
    player = under(scheme).offers["player"]
    for facts in FACTS:
        if facts.player_count > facts.banker_count:
            decision = player.decide(facts)
            assert decision.outcome is WIN, facts
            assert decision.clauses == ny("(b)(1)(ii)(a)", "(c)(1)")


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(ii)(a)", "NY-MINIMIDI:(b)(1)(vi)(a)")
def test_a_panda_8_wins_the_player_wager_too() -> None:
    session = ez(1)
    events = settle(session, PANDA_8, (1, "player", 10_000), (1, "panda_8", 500))
    assert [(one.wager, one.cents) for one in every(events, WagerPaid)] == [
        ("player", 10_000),
        ("panda_8", 12_500),
    ]


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(ii)(b)", "NY-MINIMIDI:(b)(1)(ii)(c)")
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_player_wager_loses_with_the_lower_count_and_is_pushed_by_an_equal_one(
    scheme: str,
) -> None:
    player = under(scheme).offers["player"]
    for facts in FACTS:
        decision = player.decide(facts)
        if facts.player_count < facts.banker_count:
            assert (decision.outcome, decision.clauses) == (LOSE, ny("(b)(1)(ii)(b)"))
        elif facts.player_count == facts.banker_count:
            assert (decision.outcome, decision.clauses) == (PUSH, ny("(b)(1)(ii)(c)"))


# --- (iii): the tie bet ------------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(iii)")
def test_a_tie_bet_wins_on_equal_counts_and_loses_on_all_others() -> None:
    tie = rules_of().offers["tie"]
    for facts in FACTS:
        decision = tie.decide(facts)
        assert decision.outcome is (WIN if facts.player_count == facts.banker_count else LOSE)
        assert decision.clauses[0] == "NY-MINIMIDI:(b)(1)(iii)"


# --- (iv): the bonus wagers --------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(iv)#1")
def test_the_bonus_wager_is_taken_on_either_hand_or_on_both() -> None:
    session = ready(1, wagers__bonus__offered=True, wagers__bonus__on="either-hand")
    wager(session, (1, "bonus_player", 500), (1, "bonus_banker", 700))
    assert session.rules.cites_for("wagers.bonus.on", "either-hand") == ny("(b)(1)(iv)#1")


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(iv)#2")
def test_the_dragon_bonus_wager_is_taken_on_players_hand_alone() -> None:
    session = ready(1, wagers__bonus__offered=True, wagers__bonus__on="player-only")
    wager(session, (1, "bonus_player", 500))
    refusal = refused(session, acts.PlaceWager(1, "bonus_banker", 500), "not_offered")
    assert "NY-MINIMIDI:(b)(1)(iv)#2" in refusal.clauses
    assert session.rules.cites_for("wagers.bonus.on", "player-only") == ny("(b)(1)(iv)#2")


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(iv)#1", "NY-MINIMIDI:(b)(1)(iv)#2")
def test_a_bonus_wager_is_optional_and_may_stand_alone() -> None:
    assert set(rules_of(wagers__bonus__offered=False).offers) == BASE
    # Nothing in this text wants a wager on the game beside it.
    wager(ready(1, wagers__bonus__offered=True), (1, "bonus_player", 500))


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(iv)#2", "NY-MINIMIDI:(b)(1)(v)")
def test_the_bonus_may_be_offered_at_an_ez_table() -> None:
    offers = set(rules_of(vigorish__scheme="dragon-7", wagers__bonus__offered=True).offers)
    assert offers == BASE | {"dragon_7", "panda_8", "bonus_player", "bonus_banker"}


# By this text's own words: what becomes of a bonus on a hand, by both hands' counts and cards.
def bonus(own: int, own_cards: int, other: int, other_cards: int) -> tuple[Outcome, str]:
    own_natural = own_cards == 2 and own >= 8
    other_natural = other_cards == 2 and other >= 8
    if own_natural:
        if not other_natural:
            return WIN, "(b)(1)(iv)(a)#1"
        if own == other:
            return PUSH, "(b)(1)(iv)(c)"
        return (WIN, "(b)(1)(iv)(a)#2") if own == 9 else (LOSE, "(b)(1)(iv)(b)#1")
    if own >= other + 4:
        return WIN, "(b)(1)(iv)(a)#3"
    return LOSE, "(b)(1)(iv)(b)#2" if own <= other else "(b)(1)(iv)(b)#3"


@pytest.mark.clause(
    "NY-MINIMIDI:(b)(1)(iv)(a)#1",
    "NY-MINIMIDI:(b)(1)(iv)(a)#2",
    "NY-MINIMIDI:(b)(1)(iv)(a)#3",
    "NY-MINIMIDI:(b)(1)(iv)(b)#1",
    "NY-MINIMIDI:(b)(1)(iv)(b)#2",
    "NY-MINIMIDI:(b)(1)(iv)(b)#3",
    "NY-MINIMIDI:(b)(1)(iv)(c)",
)
def test_every_pair_of_counts_decides_a_bonus_by_the_sentence_that_names_it() -> None:
    offers = rules_of(wagers__bonus__offered=True).offers
    for facts in FACTS:
        player = (facts.player_count, facts.player_cards)
        banker = (facts.banker_count, facts.banker_cards)
        for name, expected in (
            ("bonus_player", bonus(*player, *banker)),
            ("bonus_banker", bonus(*banker, *player)),
        ):
            decision = offers[name].decide(facts)
            outcome, section = expected
            assert decision.outcome is outcome, (name, facts)
            assert decision.clauses[:1] == ny(section), (name, facts)


@pytest.mark.clause(
    "NY-MINIMIDI:(b)(1)(iv)(a)#1", "NY-MINIMIDI:(b)(1)(iv)(a)#2", "NY-MINIMIDI:(b)(1)(iv)(c)"
)
@pytest.mark.parametrize(
    ("cards", "section", "paid"),
    [
        ("9h 5d Kh Ks", "(b)(1)(iv)(a)#1", 500),  # A natural nine against a five of two cards.
        (PLAYER_9_BANKER_8, "(b)(1)(iv)(a)#2", 500),
        (TIE_8, "(b)(1)(iv)(c)", 0),
    ],
)
def test_a_natural_pays_the_bonus_even_money_and_equal_naturals_give_it_back(
    cards: str, section: str, paid: int
) -> None:
    session = ready(1, wagers__bonus__offered=True)
    events = settle(session, cards, (1, "bonus_player", 500))
    assert [one.cents for one in every(events, WagerPaid)] == [paid] * (paid > 0)
    assert ny(section)[0] in only(events, StakesReleased).clauses
    assert session.state.seats[1].chips_cents == 1_000_000 + paid


@pytest.mark.clause(
    "NY-MINIMIDI:(b)(1)(iv)(b)#1", "NY-MINIMIDI:(b)(1)(iv)(b)#2", "NY-MINIMIDI:(b)(1)(iv)(b)#3"
)
@pytest.mark.parametrize(
    ("cards", "section"),
    [
        (PLAYER_8_BANKER_9, "(b)(1)(iv)(b)#1"),
        (TIE_6, "(b)(1)(iv)(b)#2"),
        (PLAYER_7_BANKER_6, "(b)(1)(iv)(b)#3"),
        (PANDA_8, "(b)(1)(iv)(b)#3"),  # An eight of three cards is no natural.
    ],
)
def test_a_losing_bonus_is_collected_by_the_sentence_by_which_it_lost(
    cards: str, section: str
) -> None:
    events = settle(ready(1, wagers__bonus__offered=True), cards, (1, "bonus_player", 500))
    assert only(events, LosingWagersCollected).clauses == ny("(i)(2)#1", section)


# --- (v) and (vi): the insurance wagers --------------------------------------------------------


@pytest.mark.clause(
    "NY-MINIMIDI:(b)(1)(v)(a)", "NY-MINIMIDI:(b)(1)(v)(b)", "NY-MINIMIDI:(b)(1)(vi)(a)",
    "NY-MINIMIDI:(b)(1)(vi)(b)",
)  # fmt: skip
def test_an_insurance_wager_wins_on_its_hand_and_loses_on_every_other() -> None:
    offers = rules_of(vigorish__scheme="dragon-7").offers
    hands = []
    for facts in FACTS:
        # A three-card seven of Banker that wins; a three-card eight of Player that wins.
        dragon = facts.banker_cards == 3 and facts.banker_count == 7 > facts.player_count
        panda = facts.player_cards == 3 and facts.player_count == 8 > facts.banker_count
        hands += [dragon, panda]
        for name, section, hit, pays in (
            ("dragon_7", "(b)(1)(v)", dragon, "(c)(8)"),
            ("panda_8", "(b)(1)(vi)", panda, "(c)(9)"),
        ):
            decision = offers[name].decide(facts)
            assert decision.outcome is (WIN if hit else LOSE), (name, facts)
            expected = (f"{section}(a)", pays) if hit else (f"{section}(b)",)
            assert decision.clauses == ny(*expected)
    assert sum(hands) == 7 * 2 + 8 * 2


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(v)(a)", "NY-MINIMIDI:(b)(1)(vi)(b)")
def test_a_dragon_7_at_the_table_pays_the_one_and_takes_the_other() -> None:
    events = settle(ez(1), DRAGON_7, (1, "dragon_7", 500), (1, "panda_8", 300))
    paid = only(events, WagerPaid)
    assert (paid.wager, paid.cents) == ("dragon_7", 20_000)
    lost = only(events, LosingWagersCollected)
    assert [one.wager for one in lost.stakes] == ["panda_8"]
    assert lost.clauses == ny("(i)(2)#1", "(b)(1)(vi)(b)")


@pytest.mark.clause("NY-MINIMIDI:(b)(1)(v)(b)", "NY-MINIMIDI:(b)(1)(vi)(a)")
def test_a_panda_8_at_the_table_pays_the_one_and_takes_the_other() -> None:
    events = settle(ez(1), PANDA_8, (1, "dragon_7", 500), (1, "panda_8", 300))
    paid = only(events, WagerPaid)
    assert (paid.wager, paid.cents) == ("panda_8", 7_500)
    lost = only(events, LosingWagersCollected)
    assert [one.wager for one in lost.stakes] == ["dragon_7"]
    assert lost.clauses == ny("(i)(2)#1", "(b)(1)(v)(b)")
