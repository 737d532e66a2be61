"""What a simulation tells is weighed as the sheet is, with errors that hold, and a census that is tried."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from math import sqrt
from statistics import NormalDist, mean, variance

import numpy as np
import pytest
from msgspec.structs import replace

from croupier.acts import WagerPaid
from croupier.baccarat.cards import DECK
from croupier.baccarat.coup import NO_THIRD_CARD, Coup, Facts
from croupier.baccarat.wagers import Wager
from croupier.law.values import Odds
from croupier.odds.documents import Package, ParSheet
from croupier.odds.par import par_sheet
from croupier.odds.sheet import fraction
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules
from croupier.simulation.bets import Bet, TallySection, bets_of, law_of, names_of
from croupier.simulation.figures import (
    Agreement,
    agreement,
    effects_of,
    estimate,
    length,
    rounds_for,
)
from croupier.simulation.plan import (
    COUNT_CELLS,
    WHOLE,
    Plan,
    SimulationError,
    TallyResult,
    facts_of,
    plan_of,
)
from croupier.simulation.scalar import ScalarEngine, replay_block
from croupier.simulation.shoes import tallied_shoes
from croupier.simulation.simulate import Ended, Until, parse_until
from support.function_wagers import custom_offer
from support.par import DEALT
from support.simulations import named, plain, simulated
from support.table import play, ready, wager


def sheet_of(rules: TableRules) -> ParSheet:
    return par_sheet(rules, ShoeComposition.of_decks(rules.decks_per_shoe))


# --- one settlement ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", DEALT)
def test_every_wager_on_offer_has_the_exact_value_of_its_sheet(name: str) -> None:
    rules = named(name)
    bets = bets_of(rules, law_of(rules, plan_of(rules)))
    found = {bet.wager: bet for bet in bets if bet.wager is not None}
    sheets = {one["id"]: one for one in sheet_of(rules)["wagers"]}
    assert list(found) == list(sheets)
    assert {one: fraction(-bet.expectation) for one, bet in found.items()} == {
        one: sheet["house_edge"] for one, sheet in sheets.items()
    }
    assert {one: fraction(bet.variance) for one, bet in found.items()} == {
        one: sheet["variance"] for one, sheet in sheets.items()
    }


def edge(bet: Bet) -> str:
    return fraction(-bet.expectation)


def packages_of(name: str) -> tuple[dict[str, Bet], Package]:
    rules = named(name)
    bets = bets_of(rules, law_of(rules, plan_of(rules)))
    package, *_ = sheet_of(rules)["packages"]
    return {bet.id: bet for bet in bets if bet.wager is None}, package


def test_a_waiver_is_worth_what_the_sheet_says() -> None:
    bets, package = packages_of("nj-minibaccarat-total-cards")
    assert list(bets) == ["banker+four_cards", "banker+five_cards", "banker+six_cards"]
    assert [edge(bet) for bet in bets.values()] == [
        row["figures"]["package_edge"] for row in package["rows"][1:]
    ]


@pytest.mark.parametrize("name", ["ma-house-money", "ma-house-money-half"])
def test_house_money_that_is_added_is_worth_what_the_sheet_says(name: str) -> None:
    bets, package = packages_of(name)
    (added,) = (row for row in package["rows"] if row["id"] == "add")
    for hand in ("player", "banker"):
        assert added["figures"][hand] == edge(bets[f"house_money+{hand}"])


CARDS = "7h Qd Kc Js Th"
"""Player stands on seven, Banker draws and has nothing: a win by seven."""


@pytest.mark.parametrize("paytable", ["A", "B", "C"])
def test_a_paytable_that_is_changed_moves_table_sheet_and_simulation(paytable: str) -> None:
    elections = {"wagers__bonus__offered": True, "wagers__bonus__paytable": paytable}
    pays = {"A": 6, "B": 7, "C": 4}[paytable]

    session = ready(1, **elections)
    wager(session, (1, "player", 2_500), (1, "bonus_player", 500))
    paid = [
        event
        for event in play(session, CARDS)
        if isinstance(event, WagerPaid) and event.wager == "bonus_player"
    ]
    assert [event.cents for event in paid] == [500 * pays]

    rules = plain(**elections)
    (line,) = (
        line
        for one in sheet_of(rules)["wagers"]
        for line in one["lines"]
        if one["id"] == "bonus_player" and line["outcome"] == "win_by_7"
    )
    assert line["pays"] == f"{pays}:1"

    done = simulated(rules, 200_000)
    (bonus,) = (one for one in done.estimates if one.bet.id == "bonus_player")
    came = Counter[int]()
    for facts, number in zip(facts_of(COUNT_CELLS), done.played.cells.tolist(), strict=True):
        natural = facts.player_cards == 2 and facts.player_count > 7
        against = facts.banker_cards == 2 and facts.banker_count > 7
        margin = facts.player_count - facts.banker_count
        if not natural and not against and margin > 3:
            came[margin] += number
    # All else is alike, so that only the wins by so much tell one table from another.
    without = simulated(plain(**elections | {"wagers__bonus__paytable": "A"}), 200_000)
    (other,) = (one for one in without.estimates if one.bet.id == "bonus_player")
    tables = {"A": (30, 10, 6, 4, 2, 1), "B": (20, 8, 7, 4, 3, 1), "C": (30, 10, 4, 4, 2, 2)}
    moved = sum(
        came[margin] * (ours - theirs)
        for margin, ours, theirs in zip(range(9, 3, -1), tables[paytable], tables["A"], strict=True)
    )
    assert (bonus.mean - other.mean) * 200_000 == moved


def test_a_wager_of_ones_own_is_simulated_with_no_more_code() -> None:
    def both_eights(facts: Facts) -> str:
        return "win" if facts.player_count == facts.banker_count == 8 else "lose"

    rules = plain().with_offers(
        custom_offer(Wager("eights", "Eights", ("win",), both_eights), {"win": Odds(40, 1)})
    )
    done = simulated(rules, 100_000)
    (own,) = (one for one in done.estimates if one.bet.id == "eights")
    hits = sum(
        number
        for facts, number in zip(facts_of(COUNT_CELLS), done.played.cells.tolist(), strict=True)
        if facts.player_count == facts.banker_count == 8
    )
    assert own.mean == Fraction(40 * hits - (100_000 - hits), 100_000)
    assert own.z is not None
    assert abs(own.z) < 4


def test_bets_are_named_in_the_order_of_the_table() -> None:
    assert names_of(named("ma-house-money")) == (
        "player", "banker", "tie", "house_money", "house_money+player", "house_money+banker",
    )  # fmt: skip


# --- the errors --------------------------------------------------------------------------------


def won_by_shoe(plan: Plan, bet: Bet, seed: int, shoes: int) -> list[list[Fraction]]:
    """What each round brought, shoe by shoe, card by card: the plain twin of design effects."""
    tableau = plain().tableau
    nets = dict(zip(facts_of(COUNT_CELLS), bet.nets, strict=True))
    won: list[list[Fraction]] = []
    for shoe in range(shoes):
        # The first shoe of each stream.
        dealt = replay_block(plan, seed, shoe, 1).cards.tolist()
        coups = (Coup.of([DECK[card] for card in row if card < 52], tableau) for row in dealt)
        won.append([Fraction(nets[Facts(*coup.facts[:4])], bet.unit) for coup in coups])
    return won


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_design_effect_is_the_spread_between_shoes(place: int) -> None:
    rules = plain()
    plan = plan_of(rules)
    bets = bets_of(rules, law_of(rules, plan))
    found = effects_of(plan, bets, 5, shoes=40)
    assert found is not None
    won = won_by_shoe(plan, bets[place], 5, 40)
    every = [one for shoe in won for one in shoe]
    average = sum(every) / Fraction(len(every))
    between = sum((sum(shoe) - average * len(shoe)) ** 2 for shoe in won)
    within = sum((one - average) ** 2 for one in every)
    assert found.bets[place] == pytest.approx(float(between / within))


def test_the_statistic_is_divided_by_the_mean_design_effect_of_the_cells() -> None:
    rules = plain()
    plan = plan_of(rules)
    law = law_of(rules, plan)
    effects = effects_of(plan, bets_of(rules, law), 5, shoes=25)
    assert effects is not None
    played = simulated(rules, 50_000).played
    as_it_is = agreement(law.cells, played.cells)
    found = agreement(law.cells, played.cells, effects.cells)
    assert as_it_is is not None
    assert found is not None
    # The same by hand: each shoe's counts against its rounds, cell by cell.
    shoes = [shoe for dealt in tallied_shoes(plan, 5, 25) for shoe in dealt.cells.tolist()]
    rounds = sum(map(sum, shoes))
    clustered = independent = Fraction()
    for at, ways in enumerate(law.cells.ways):
        if ways:
            chance = Fraction(sum(shoe[at] for shoe in shoes), rounds)
            spread = sum(((shoe[at] - chance * sum(shoe)) ** 2 for shoe in shoes), Fraction())
            clustered += spread / rounds / ways
            independent += chance * (1 - chance) / ways
    assert found.design_effect == pytest.approx(float(clustered / independent))
    assert found.corrected == pytest.approx(as_it_is.corrected / found.design_effect)
    assert as_it_is.corrected == as_it_is.chi_square == found.chi_square


def test_rounds_of_a_continuous_device_are_independent() -> None:
    done = simulated(named("nj-minibaccarat-continuous"), 50_000)
    assert done.effects is None
    assert {one.design_effect for one in done.estimates} == {1.0}
    assert length(done.played) is not None
    for one in done.estimates:
        assert one.error == pytest.approx(sqrt(one.bet.variance / 50_000))


SEEDS = range(60)


def test_intervals_hold_what_they_say_and_the_census_is_as_likely_as_it_says() -> None:
    # One block of each seed: 60 simulations of more than 80,000 rounds.
    rules = named("nj-minibaccarat-total-cards")
    plan = plan_of(rules)
    law = law_of(rules, plan)
    bets = bets_of(rules, law)
    effects = effects_of(plan, bets, 99)
    assert effects is not None
    zs: dict[str, list[float]] = {bet.id: [] for bet in bets}
    chances = []
    for seed in SEEDS:
        played = ScalarEngine(plan, seed).play(0, WHOLE)
        for bet, effect in zip(bets, effects.bets, strict=True):
            z = estimate(bet, played, effect).z
            assert z is not None
            zs[bet.id].append(z)
        found = agreement(law.cells, played.cells, effects.cells)
        assert found is not None
        chances.append(found.p)
    for name, found_z in zs.items():
        # Their variance is chi-square over 59: between 0.47 and 1.75, 998 times in 1,000.
        assert 0.47 < variance(found_z) < 1.75, name
        assert abs(mean(found_z)) < 3.3 / sqrt(len(SEEDS)), name
    normal = [NormalDist().inv_cdf(min(max(p, 1e-9), 1 - 1e-9)) for p in chances]
    assert 0.47 < variance(normal) < 1.75
    assert abs(mean(normal)) < 3.3 / sqrt(len(SEEDS))


def test_a_sum_of_rounds_that_is_not_independent_is_seen() -> None:
    # A shoe has room for so many cards: where rounds of four are many, rounds of six are few.
    rules = named("nj-minibaccarat-total-cards")
    plan = plan_of(rules)
    bets = bets_of(rules, law_of(rules, plan))
    effects = effects_of(plan, bets, 3, shoes=12_000)
    assert effects is not None
    found = dict(zip((bet.id for bet in bets), effects.bets, strict=True))
    assert 0.90 < found["four_cards"] < 0.98
    assert 0.96 < found["tie"] < 1.05


def test_the_length_of_shoes_is_their_mean_and_its_error() -> None:
    nothing = np.zeros(COUNT_CELLS, dtype=np.int64)
    found = length(TallyResult(3, nothing, nothing, np.array([0, 0, 1, 0, 2])))
    assert found is not None
    assert (found.shoes, found.least, found.most) == (3, 2, 4)
    assert found.mean == pytest.approx(10 / 3)
    assert found.deviation == pytest.approx(sqrt(8 / 9))
    assert found.error == pytest.approx(sqrt(8 / 27))
    assert length(TallyResult(0, nothing, nothing, np.zeros(5, dtype=np.int64))) is None


def test_eight_decks_have_some_eighty_one_and_a_half_rounds() -> None:
    found = length(simulated(plain(), 1_000_000).played)
    assert found is not None
    assert found.mean == pytest.approx(81.484, abs=5 * found.error)


# --- the precision that is wanted --------------------------------------------------------------


def test_a_simulation_ends_with_the_first_round_that_makes_its_interval_narrow_enough() -> None:
    done = simulated(plain(), 10**9, untils=[Until("tie", Decimal("0.01"))])
    (tie,) = (one for one in done.estimates if one.bet.id == "tie")
    assert done.ended is Ended.PRECISION
    assert tie.reach <= 0.01
    assert tie.reach * sqrt(done.played.rounds / (done.played.rounds - 1)) > 0.01
    assert done.played.rounds == rounds_for(tie.bet, Fraction(1, 100), tie.design_effect)


def test_the_last_of_several_precisions_ends_it() -> None:
    banker, tie = Until("banker", Decimal("0.01")), Until("tie", Decimal("0.02"))
    done = simulated(plain(), 10**9, untils=[banker, tie])
    assert done.played.rounds == max(done.rounds_for(banker), done.rounds_for(tie))


def test_a_precision_is_not_reached_where_the_rounds_come_to_their_end() -> None:
    done = simulated(plain(), 1000, untils=[Until("tie", Decimal("0.01"))])
    assert (done.ended, done.played.rounds) == (Ended.ROUNDS, 1000)


@pytest.mark.parametrize(
    ("text", "within"),
    [
        ("tie edge +-0.001", "0.001"), ("tie edge +- .5", ".5"), (" tie  edge ±0.1% ", "0.001"),
        ("tie edge +/-5e-4", "0.0005"), ("tie edge +-1%", "0.01"),
    ],
)  # fmt: skip
def test_a_precision_is_read(text: str, within: str) -> None:
    assert parse_until(text, ["tie"]) == Until("tie", Decimal(within))


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("tie", "write a wager, the word edge"), ("tie +-0.001", "write a wager"),
        ("tie edge 0.001", "write a wager"), ("tie edge +--1", "write a wager"),
        ("tie edge +-0", "must be greater than zero"), ("tie edge +-0.0%", "must be greater than zero"),
        ("tie edge +-1e-12", "0.000000001 is the finest"), ("", "write a wager"),
        ("lucky_6 edge +-0.1", "this table offers player, tie"), ("tie edge +-1e-999999", "write a wager"),
    ],
)  # fmt: skip
def test_a_precision_that_makes_no_sense_is_refused(text: str, detail: str) -> None:
    with pytest.raises(SimulationError, match=re.escape(detail)):
        parse_until(text, ["player", "tie"])


def test_all_that_is_wrong_with_a_precision_is_told() -> None:
    with pytest.raises(SimulationError) as refused:
        parse_until("lucky_6 edge +-0", ["tie"])
    assert len(refused.value.errors) == 2


# --- an end before the end ---------------------------------------------------------------------


def test_what_was_played_before_an_interruption_is_what_as_many_rounds_give() -> None:
    told: list[tuple[int, int]] = []
    done = simulated(
        plain(), 10**7, progress=lambda *rounds: told.append(rounds), enough=lambda: len(told) == 3
    )
    assert done.ended is Ended.INTERRUPTED
    assert told[-1] == (done.played.rounds, 10**7)
    again = simulated(plain(), done.played.rounds)
    assert again.ended is Ended.ROUNDS
    assert (again.played.cells == done.played.cells).all()
    assert (again.played.lengths == done.played.lengths).all()


def test_an_interruption_after_the_last_round_is_none() -> None:
    assert simulated(plain(), 1000, enough=lambda: True).ended is Ended.ROUNDS


# --- the census --------------------------------------------------------------------------------


def many(played: Iterable[TallyResult]) -> TallyResult:
    """A million rounds, from a dozen blocks."""
    return reduce(TallyResult.plus, played)


def agreed(rules: TableRules, plan: Plan, played: TallyResult) -> Agreement:
    bets = bets_of(rules, law_of(rules, plan))
    effects = effects_of(plan, bets, 1, shoes=500)
    found = agreement(
        law_of(rules, plan_of(rules)).cells,
        played.cells,
        None if effects is None else effects.cells,
    )
    assert found is not None
    return found


def test_the_census_of_a_table_agrees_with_its_law() -> None:
    rules = plain()
    plan = plan_of(rules)
    found = agreed(rules, plan, ScalarEngine(plan, 1).play(0, WHOLE))
    low, high = found.bounds
    assert low < found.corrected < high
    assert found.p > 0.0005
    assert found.degrees == 204


@pytest.mark.parametrize(("third", "count"), [(8, 3), (6, 5), (4, 1), (NO_THIRD_CARD, 6)])
def test_a_drawing_table_with_one_cell_that_is_wrong_is_caught(third: int, count: int) -> None:
    rules = plain()
    plan = plan_of(rules)
    draws = plan.course.draws.copy()
    draws[third, count] = 1 - draws[third, count]
    wrong = replace(plan, course=plan.course._replace(draws=draws))
    engine = ScalarEngine(wrong, 1)
    found = agreed(rules, wrong, many(engine.play(block, WHOLE) for block in range(12)))
    assert found.corrected > found.bounds[1]
    assert found.p < 1e-9
    # Its own spread makes up for none of it.
    assert found.design_effect == pytest.approx(1, abs=0.05)


def test_a_shoe_that_lacks_a_card_is_caught() -> None:
    rules = plain()
    plan = plan_of(rules)
    ranks = list(plan.shoe.ranks)
    ranks[7] -= 3
    wrong = replace(plan, shoe=ShoeComposition(tuple(ranks)))
    engine = ScalarEngine(wrong, 1)
    played = many(engine.play(block, WHOLE) for block in range(12))
    assert agreed(rules, wrong, played).p < 1e-4


def test_a_coup_that_the_law_cannot_give_is_named() -> None:
    rules = plain()
    plan = plan_of(rules)
    played = ScalarEngine(plan, 1).play(0, WHOLE)
    # Player stands on seven, and never has three cards where Banker has a natural.
    impossible = facts_of(COUNT_CELLS).index(Facts(3, 9, 3, 2))
    assert played.cells[impossible] == 0
    played.cells[impossible] = 1
    found = agreed(rules, plan, played)
    assert found.impossible == (Facts(3, 9, 3, 2),)
    assert found.p == 0


def test_cells_of_which_few_are_expected_are_taken_together() -> None:
    rules = named("ma-royal-9")
    law = law_of(rules, plan_of(rules))
    played = simulated(rules, 100_000).played
    found = agreement(law.royals, played.royals)
    assert found is not None
    cells = sorted(
        zip(law.royals.ways, played.royals.tolist(), strict=True), key=lambda cell: cell[0]
    )
    statistic, compared, together = 0.0, 0, 0
    due, came, size = 0.0, 0, 0
    for ways, number in cells:
        due, came, size = due + ways * 100_000 / law.royals.total, came + number, size + 1
        if due >= 5:
            statistic += (came - due) ** 2 / due
            compared += 1
            together += size if size > 1 else 0
            due, came, size = 0.0, 0, 0
    # Two hands at a time are rare; one hand of the 48 on either side, and neither, are not.
    assert (found.cells, found.pooled) == (compared, together)
    assert 48 * 48 <= together < 48 * 48 + 2
    assert found.chi_square == pytest.approx(statistic, rel=0.01)
    assert 0.0005 < found.p < 0.9995


def test_what_is_left_over_of_rare_cells_goes_to_the_last_group() -> None:
    part = TallySection(tuple(Facts(0, count, 2, 2) for count in range(3)), (3, 3, 4))
    # Of 12 rounds 7.2 are expected of the first two cells, 4.8 of the third: too few to stand alone.
    assert agreement(part, np.array([4, 4, 4])) is None
    found = agreement(part, np.array([4, 4, 5]))
    assert found is not None
    assert (found.cells, found.pooled, found.degrees) == (2, 2, 1)
    assert found.chi_square == pytest.approx(0.2**2 / 7.8 + 0.2**2 / 5.2)


def test_too_few_rounds_tell_nothing_of_the_census() -> None:
    law = law_of(plain(), plan_of(plain()))
    assert agreement(law.cells, simulated(plain(), 3).played.cells) is None
    for rounds in (50, 400, 3000):
        found = agreement(law.cells, simulated(plain(), rounds).played.cells)
        assert found is not None
        assert 1e-5 < found.p <= 1
