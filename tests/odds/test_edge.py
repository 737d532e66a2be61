"""A sheet is the settlement of the table, weighed by the census."""

from fractions import Fraction
from typing import Any

import pytest

from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers import LOSE, PUSH, WAGERS
from croupier.law.values import Odds
from croupier.money.settlement import Stake, settle
from croupier.odds.census import Census, point_census
from croupier.odds.edge import Sheet, package_sheet, wager_sheet, whole_stake_cents
from croupier.odds.shoe import Shoe
from croupier.rules import Outcome, TableRules, table_rules
from croupier.submission import plain_submission

# So many ways in eight decks, as published.
BANKER, PLAYER, TIE = 2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216
BANKER_SIX, DRAGON_7 = 269_232_304_455_680, 112_633_011_329_024
EVERY = 4_998_398_275_503_360


def rules_of(scheme: str = "5%", **elections: Any) -> TableRules:
    return table_rules(plain_submission("us-nj/minibaccarat", vigorish__scheme=scheme, **elections))


TOTAL_CARDS = {"wagers__total_cards__offered": True}
BONUS = {"wagers__bonus__offered": True, "wagers__bonus__paytable": "A"}
CENSUS = point_census(Shoe.of_decks(8), rules_of().tableau)


def edge(scheme: str, **elections: Any) -> Fraction:
    return wager_sheet(rules_of(scheme, **elections), "banker", CENSUS).house_edge


@pytest.mark.parametrize(
    ("scheme", "elections", "loses"),
    [
        # What the house wins in all ways together, in twentieths of the stake.
        ("5%", {}, 20 * PLAYER - 19 * BANKER),
        ("4%", {}, 20 * PLAYER - Fraction(96, 5) * BANKER),
        ("tie-25%", {}, 20 * PLAYER - 20 * BANKER + 5 * TIE),
        ("six-pays-half", {}, 20 * PLAYER - 20 * BANKER + 10 * BANKER_SIX),
        ("dragon-7", {}, 20 * PLAYER - 20 * BANKER + 20 * DRAGON_7),
        # Unless his total cards stakes come up to it a patron owes vigorish.
        ("total-cards", TOTAL_CARDS, 20 * PLAYER - 19 * BANKER),
    ],
)
def test_the_edge_on_banker_follows_from_the_scheme(
    scheme: str, elections: dict[str, Any], loses: Fraction
) -> None:
    assert edge(scheme, **elections) == Fraction(loses, 20 * EVERY)


def test_total_cards_stakes_that_reach_the_banker_stake_waive_its_vigorish() -> None:
    rules = rules_of("total-cards", **TOTAL_CARDS)
    waived = Fraction(PLAYER - BANKER, EVERY)
    for companion in ("four_cards", "five_cards", "six_cards"):
        banker = wager_sheet(rules, "banker", CENSUS, beside={companion: 1})
        assert banker.house_edge == waived
    half = Fraction(1, 2)
    together = {"four_cards": half, "six_cards": half}
    assert wager_sheet(rules, "banker", CENSUS, beside=together).house_edge == waived
    short = {"four_cards": half, "six_cards": Fraction(49, 100)}
    owed = wager_sheet(rules, "banker", CENSUS, beside=short).house_edge
    assert owed == wager_sheet(rules, "banker", CENSUS).house_edge


@pytest.mark.parametrize("companion", ["four_cards", "five_cards", "six_cards"])
def test_a_package_loses_what_its_wagers_lose(companion: str) -> None:
    rules = rules_of("total-cards", **TOTAL_CARDS)
    package = package_sheet(rules, CENSUS, {"banker": 2, companion: 3})
    banker = wager_sheet(rules, "banker", CENSUS, beside={companion: Fraction(3, 2)})
    other = wager_sheet(rules, companion, CENSUS)
    assert package.house_edge == (2 * banker.house_edge + 3 * other.house_edge) / 5
    assert sum(line.ways for line in package.lines) == EVERY
    assert package.wager == f"banker+{companion}"
    assert package.scheme == "total-cards"


def test_the_lines_tell_ways_chances_odds_and_contributions() -> None:
    tie = wager_sheet(rules_of(wagers__tie__pays="8:1"), "tie", CENSUS)
    win, lose = tie.lines
    assert (win.outcome, win.line, win.pays) == (Outcome.WIN, "win", Odds(8, 1))
    assert win.net == 8
    assert lose.net == -1
    assert (win.ways, win.probability) == (TIE, Fraction(TIE, EVERY))
    assert win.contribution == Fraction(8 * TIE, EVERY)
    assert (lose.outcome, lose.line, lose.pays) == (Outcome.LOSE, LOSE, None)
    assert lose.ways == BANKER + PLAYER
    assert win.clauses == ("NJ-MINI:7.2(a)3", "NJ-MINI:7.3(b)")
    # Each once: losing rests on the sentence that says when it wins.
    assert tie.clauses == win.clauses
    assert (tie.wager, tie.title, tie.scheme, tie.total_ways) == ("tie", "Tie", None, EVERY)


def test_the_edge_for_each_unit_resolved_leaves_pushes_out() -> None:
    player = wager_sheet(rules_of(), "player", CENSUS)
    assert player.hit_frequency == Fraction(PLAYER, EVERY)
    assert player.resolved == Fraction(PLAYER + BANKER, EVERY)
    assert player.edge_per_resolved == Fraction(BANKER - PLAYER, BANKER + PLAYER)


def test_vigorish_on_a_tie_does_not_resolve_the_wager() -> None:
    banker = wager_sheet(rules_of("tie-25%"), "banker", CENSUS)
    (push,) = [line for line in banker.lines if line.outcome is Outcome.PUSH]
    assert (push.line, push.net, push.ways) == (PUSH, Fraction(-1, 4), TIE)
    assert banker.resolved == Fraction(BANKER + PLAYER, EVERY)


def test_dragon_7_is_a_push_for_banker_where_it_is_a_wager_of_its_own() -> None:
    banker = wager_sheet(rules_of("dragon-7"), "banker", CENSUS)
    pushed = {line.line: line.ways for line in banker.lines if line.outcome is Outcome.PUSH}
    assert pushed == {PUSH: TIE, "dragon_7": DRAGON_7}


def test_the_variance_is_that_of_what_is_won() -> None:
    # Of a wager that wins 1, loses 1 or is void: the chance of either, less the mean squared.
    player = wager_sheet(rules_of(), "player", CENSUS)
    mean = Fraction(PLAYER - BANKER, EVERY)
    assert player.variance == Fraction(PLAYER + BANKER, EVERY) - mean**2
    assert abs(player.standard_deviation**2 - player.variance) < 1e-12


def test_a_wager_that_is_never_resolved_has_no_edge_for_each_unit_resolved() -> None:
    census = Census({Facts(7, 7, 2, 2): 1})
    player = wager_sheet(rules_of(), "player", census)
    assert player.edge_per_resolved is None


@pytest.mark.parametrize(
    ("scheme", "elections"),
    [
        ("5%", BONUS),
        ("4%", TOTAL_CARDS),
        ("tie-25%", BONUS),
        ("six-pays-half", {}),
        ("dragon-7", {}),
        ("5%", {"vigorish__rounded": True}),
    ],
)
def test_every_wager_returns_what_the_table_pays(scheme: str, elections: dict[str, Any]) -> None:
    rules = rules_of(scheme, **elections)
    for wager in rules.offers:
        stake = Stake(whole_stake_cents(rules, wager))
        cents = 0
        for facts, ways in CENSUS.items():
            (settled,) = settle(rules, facts, {(3, wager): stake})
            cents += ways * (settled.won_cents - settled.vigorish_cents)
            if settled.decision.outcome is Outcome.LOSE:
                cents -= ways * stake.cents
        found = wager_sheet(rules, wager, CENSUS)
        assert found.house_edge == Fraction(-cents, EVERY * stake.cents)
        assert sum(line.ways for line in found.lines) == EVERY
        assert found.title == WAGERS[wager].title


def test_a_paytable_that_changes_moves_the_sheet() -> None:
    edges = [
        wager_sheet(rules_of(wagers__tie__pays=f"{pays}:1"), "tie", CENSUS).house_edge
        for pays in (8, 9)
    ]
    assert edges[0] - edges[1] == Fraction(TIE, EVERY)


# --- rounding ----------------------------------------------------------------------------------


def rounded(stake_cents: int | None) -> Sheet:
    return wager_sheet(rules_of(vigorish__rounded=True), "banker", CENSUS, stake_cents)


def test_vigorish_is_exact_unless_a_stake_is_named() -> None:
    assert rounded(None).house_edge == edge("5%")
    assert rounded(100).house_edge == edge("5%")


def test_vigorish_is_rounded_upward_on_the_stake_named() -> None:
    # Five percent of 1.05 dollars is 5.25 cents, and ten are taken.
    assert rounded(105).house_edge == Fraction(105 * PLAYER - 95 * BANKER, 105 * EVERY)


def test_a_stake_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="fraction of a cent"):
        wager_sheet(rules_of(), "banker", CENSUS, 7)
    with pytest.raises(ValueError, match="0 cents are no stake on banker"):
        wager_sheet(rules_of(), "banker", CENSUS, 0)
    rules, beside = rules_of("total-cards", **TOTAL_CARDS), {"four_cards": Fraction(1, 7)}
    with pytest.raises(ValueError, match="no stake on four_cards"):
        wager_sheet(rules, "banker", CENSUS, 100, beside)


def test_a_wager_that_is_not_on_offer_has_no_sheet() -> None:
    with pytest.raises(KeyError, match="dragon_7"):
        wager_sheet(rules_of(), "dragon_7", CENSUS)
