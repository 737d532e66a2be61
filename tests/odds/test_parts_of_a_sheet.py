"""Bands, RTP by stake, tickets, and theoretical win, by enumeration and arithmetic of the test's own."""

import inspect
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import permutations
from math import lgamma, log, log1p, perm, prod, sqrt
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.cli.analysis.par import also_asked, par
from croupier.odds.custom_wagers import read_wager
from croupier.odds.shoe import parse_shoe
from croupier.odds.tickets import joint_census
from croupier.rules import TableRules, read_rules
from support.oracles.odds import VALUE, Shoe, fresh, next_hand, result, vigorish_cents
from support.par import census, depleted, exact, sheet_of, table, told
from support.project import ROOT

NJ: Final = ("--submission", table("nj-minibaccarat").path)
EXAMPLES: Final = ROOT / "docs" / "examples"

Law = Mapping[Fraction, Fraction]


def law_of(wager: str, decks: int = 8) -> Law:
    """Return the net result of a unit with its probability, by the oracle."""
    sample = table("nj-minibaccarat")
    ways: Counter[Fraction] = Counter()
    for coup, number in census(fresh(decks)).items():
        ways[result(wager, coup, sample.terms)[1]] += number
    total = sum(ways.values())
    return {net: Fraction(number, total) for net, number in ways.items()}


def summed(law: Law, wagers: int) -> Law:
    """Return the law of a sum, added one wager at a time in integers."""
    total = max(chance.denominator for chance in law.values())
    ways = {net: int(chance * total) for net, chance in law.items()}
    found = {Fraction(): 1}
    for _ in range(wagers):
        more: Counter[Fraction] = Counter()
        for net, number in found.items():
            for step, times in ways.items():
                more[net + step] += number * times
        found = dict(more)
    return {net: Fraction(number, total**wagers) for net, number in found.items()}


def band_of(law: Law, confidence: Fraction) -> tuple[Fraction, Fraction]:
    """Return the results with at most half of the rest below, and above."""
    outside = (1 - confidence) / 2
    below = Fraction()
    nets = sorted(law)
    for low in nets:
        below += law[low]
        if below > outside:
            break
    above = Fraction()
    for high in reversed(nets):
        above += law[high]
        if above > outside:
            break
    return low, high


def bands(*words: object) -> dict[str, Any]:
    return {one["wager"]: one for one in sheet_of(*NJ, *words)["bands"]}


# --- bands ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wager", ["player", "tie", "bonus_player", "five_cards", "banker"])
@pytest.mark.parametrize("wagers", [1, 7, 24])
def test_the_exact_band_is_that_of_wagers_added_one_by_one(wager: str, wagers: int) -> None:
    law = summed(law_of(wager), wagers)
    assert sum(law.values()) == 1
    found = bands("--rounds", wagers, "--wager", wager)[wager]["bands"]
    assert [exact(one["confidence"]) for one in found] == [
        Fraction(9, 10), Fraction(19, 20), Fraction(99, 100),
    ]  # fmt: skip
    for one in found:
        low, high = band_of(law, exact(one["confidence"]))
        assert exact(one["exact_low"]) == 1 + low / wagers
        assert exact(one["exact_high"]) == 1 + high / wagers


def test_the_normal_band_follows_from_mean_and_variance() -> None:
    law = law_of("bonus_banker")
    mean = sum(net * chance for net, chance in law.items())
    variance = sum(net**2 * chance for net, chance in law.items()) - mean**2
    words = ("--rounds", "1e4,5e5", "--confidence", "97.5", "--wager", "bonus_banker")
    found = bands(*words)["bonus_banker"]
    assert exact(found["return_to_player"]) == 1 + mean
    for one, wagers in zip(found["bands"], (10_000, 500_000), strict=True):
        assert (one["wagers"], exact(one["confidence"])) == (wagers, Fraction(39, 40))
        reach = NormalDist().inv_cdf(0.9875) * sqrt(float(variance) / wagers)
        assert one["normal_low"] == pytest.approx(1 + float(mean) - reach, abs=1e-12)
        assert one["normal_high"] == pytest.approx(1 + float(mean) + reach, abs=1e-12)


@pytest.mark.parametrize("wager", ["bonus_player", "tie", "banker"])
def test_simulated_samples_lie_in_a_band_as_often_as_it_says(wager: str) -> None:
    law, samples, wagers = law_of(wager), 100_000, 1_000
    generator = np.random.default_rng(33)
    drawn = generator.multinomial(wagers, [float(one) for one in law.values()], samples)
    # Nets are multiples of a twentieth at most, so integers compare exactly.
    steps = np.array([int(net * 20) for net in law])
    sums = drawn @ steps
    for one in bands("--rounds", wagers, "--wager", wager)[wager]["bands"]:
        low, high = (
            int((exact(one[key]) - 1) * wagers * 20) for key in ("exact_low", "exact_high")
        )
        outside = float(1 - exact(one["confidence"])) / 2
        room = 4 * sqrt(outside / samples)
        assert np.mean(sums < low) <= outside + room
        assert np.mean(sums <= low) >= outside - room
        assert np.mean(sums > high) <= outside + room
        assert np.mean(sums >= high) >= outside - room


def binomial_band(chance: float, wagers: int, outside: float) -> tuple[int, int]:
    """Return the numbers of hits with at most ``outside`` below, and above."""
    logs = [
        lgamma(wagers + 1) - lgamma(hits + 1) - lgamma(wagers - hits + 1)
        + hits * log(chance) + (wagers - hits) * log1p(-chance)
        for hits in range(wagers + 1)
    ]  # fmt: skip
    pmf = np.exp(logs)
    low = int(np.argmax(np.cumsum(pmf) > outside))
    high = wagers - int(np.argmax(np.cumsum(pmf[::-1]) > outside))
    return low, high


def test_bands_agree_from_where_a_binomial_has_them_agree() -> None:
    found = bands("--rounds", "10", "--wager", "tie")["tie"]["agree_from"]
    chance = float(law_of("tie")[Fraction(8)])
    grid = [step * 10**power for power in range(1, 6) for step in (1, 2, 5)]
    for one in found:
        confidence = float(exact(one["confidence"]))
        agrees = []
        for wagers in grid:
            low, high = binomial_band(chance, wagers, (1 - confidence) / 2)
            reach = (
                9
                * NormalDist().inv_cdf((1 + confidence) / 2)
                * sqrt(chance * (1 - chance) * wagers)
            )
            mean = 9 * chance * wagers
            near = max(abs(9 * low - mean + reach), abs(9 * high - mean - reach)) <= reach / 100
            agrees.append(near)
        runs = [wagers for at, wagers in enumerate(grid) if all(agrees[at : at + 3]) and at + 3 <= len(grid)]  # fmt: skip
        assert one["wagers"] == runs[0]


def test_a_sheet_says_at_which_numbers_its_bands_are_compared() -> None:
    words = ("--law", "us-nj/minibaccarat@2011-02-22", "--wager", "player", "--confidence", "99")
    bands = sheet_of(*words, "--rounds", "248")["bands"][0]
    # By chance the lattice is near at 200, 500, and 1,000 wagers; at 248 it is not.
    assert bands["agree_from"] == [{"confidence": "99/100", "wagers": 200}]
    band = bands["bands"][0]
    reach = (band["normal_high"] - band["normal_low"]) / 2
    ends = [(band[f"exact_{end}"], band[f"normal_{end}"]) for end in ("low", "high")]
    assert max(abs(float(exact(low)) - high) for low, high in ends) > reach / 100
    shown = " ".join(CliRunner().invoke(main, ["par", *words, "--rounds", "248"]).stdout.split())
    assert "begins with the first of three in a row. Between these, steps of the payouts" in shown


def test_a_rare_award_has_a_band_and_one_too_rare_says_so() -> None:
    path = table("ma-royal-9").path
    words = ("--submission", path, "--wager", "royal_9", "--rounds", "100,1e12")
    few, many = sheet_of(*words, "--confidence", "90")["bands"][0]["bands"]
    assert exact(few["exact_low"]) < exact(few["exact_high"])
    assert (many["exact_low"], many["exact_high"]) == (None, None)


# --- the RTP by stake ----------------------------------------------------------------------------


def package_rows(name: str, *words: object) -> dict[str, dict[str, Fraction]]:
    """Return the figures of a package by row; none if there is no such package."""
    packages = {one["id"]: one for one in sheet_of(*NJ, *words)["packages"]}
    rows = packages[name]["rows"] if name in packages else []
    return {one["id"]: {key: exact(value) for key, value in one["figures"].items()} for one in rows}


def test_the_return_by_stake_is_that_of_rounded_vigorish_and_the_worst_is_named() -> None:
    rows = package_rows("banker_by_stake", "--wager", "banker", "--stakes", "1..80/0.05")
    ends = [rows.pop(name) for name in ("worst", "best")]
    law = law_of("banker")
    won, lost = law[Fraction(19, 20)], law[Fraction(-1)]
    # Five percent, upward to five cents, from the minimum of $25.
    returns = {
        cents: 1 + won * Fraction(cents - vigorish_cents(cents, Fraction(1, 20), 5), cents) - lost
        for cents in range(2500, 8001, 5)
    }
    shown = {}
    for one in rows.values():
        for cents in range(int(one["from"]), int(one["to"]) + 1, 5):
            shown[cents] = one["return_to_player"]
    assert shown == returns
    for found, rtp in zip(ends, (min(returns.values()), max(returns.values())), strict=True):
        stake = min(cents for cents, one in returns.items() if one == rtp)
        assert found == {"from": stake, "to": stake, "return_to_player": rtp}
    text = CliRunner().invoke(main, ["par", *map(str, NJ), "--stakes", "25..80/0.05"]).stdout
    assert f"worst, ${float(ends[0]['from']) / 100:.2f}" in text


def test_wagers_without_rounding_have_one_return_and_limits_apply() -> None:
    rows = package_rows("tie_by_stake", "--stakes", "1..600/1")
    tie = 9 * law_of("tie")[Fraction(8)]
    # The limits are $5 to $500.
    assert rows["500"] == {"from": 500, "to": 50_000, "return_to_player": tie}
    assert rows.keys() == {"worst", "best", "500"}
    assert package_rows("tie_by_stake", "--stakes", "1..4/1") == {}


# --- tickets -------------------------------------------------------------------------------------


def joint(stakes: Mapping[str, int], shoe: Shoe) -> Counter[tuple[Fraction, ...]]:
    """Count the net results in cents of wagers together, coup by coup."""
    sample = table("nj-minibaccarat")
    ways: Counter[tuple[Fraction, ...]] = Counter()
    for coup, number in census(shoe).items():
        ways[tuple(s * result(w, coup, sample.terms)[1] for w, s in stakes.items())] += number
    return ways


@pytest.mark.parametrize("shoe", [*map(fresh, (1, 2, 4, 8)), *map(depleted, (2, 3, 5, 11))])
@pytest.mark.parametrize(
    "stakes",
    [
        {"player": 10_000, "tie": 1_000},
        {"player": 10_000, "tie": 1_000, "bonus_player": 2_500},
        {"banker": 20_000, "player": 2_500, "bonus_banker": 500, "six_cards": 1_000},
    ],
    ids=len,
)
def test_a_ticket_is_that_of_coups_enumerated(stakes: dict[str, int], shoe: Shoe) -> None:
    words = ",".join(f"{wager}={cents // 100}" for wager, cents in stakes.items())
    (found,) = sheet_of(*NJ, "--shoe", told(shoe), "--ticket", words)["tickets"]
    ways = joint(stakes, shoe)
    total = sum(ways.values())
    nets: Counter[Fraction] = Counter()
    for each, number in ways.items():
        nets[sum(each, Fraction())] += number
    mean = sum(net * number for net, number in nets.items()) / total
    square = sum(net**2 * number for net, number in nets.items()) / total
    assert exact(found["mean_cents"]) == mean
    assert exact(found["house_edge"]) == -mean / sum(stakes.values())
    assert exact(found["variance_square_cents"]) == square - mean**2
    gains = sum(number for net, number in nets.items() if net > 0)
    assert exact(found["hit_frequency"]) == Fraction(gains, total)
    assert exact(found["push_frequency"]) == Fraction(nets[Fraction()], total)
    assert (found["min_net_cents"], found["max_net_cents"]) == (min(nets), max(nets))
    shown = {one["net_cents"]: exact(one["probability"]) for one in found["nets"]}
    assert shown == {net: Fraction(number, total) for net, number in nets.items() if number}
    assert sum(int(one["ways"]) for one in found["nets"]) == int(found["total_ways"])
    wagers = list(stakes)
    for one in found["covariances"]:
        a, b = wagers.index(one["wager"]), wagers.index(one["other"])
        both, first, second = (
            sum(prod(nets[at] for at in places) * number for nets, number in ways.items()) / total
            for places in ((a, b), (a,), (b,))
        )
        assert exact(one["square_cents"]) == both - first * second
    assert len(found["covariances"]) == len(wagers) ** 2


def test_covariances_add_up_to_the_variance_of_the_ticket() -> None:
    (found,) = sheet_of(*NJ, "--ticket", "banker=100,five_cards=20,bonus_banker=5")["tickets"]
    every = sum(exact(one["square_cents"]) for one in found["covariances"])
    assert every == exact(found["variance_square_cents"])


def test_a_waiver_of_vigorish_is_in_the_ticket() -> None:
    path = table("nj-minibaccarat-total-cards").path
    (found,) = sheet_of("--submission", path, "--ticket", "banker=100,six_cards=100")["tickets"]
    total = mean = 0
    for coup, number in census(fresh(8)).items():
        net = (coup.banker > coup.player) - (coup.banker < coup.player)
        net += 2 if coup.cards == 6 else -1
        total += number
        mean += net * number
    assert exact(found["mean_cents"]) == Fraction(10_000 * mean, total)


SMALL: Final = ["9h", "9s", "Kd", "Qd", "Jc", "5c", "5d", "2h", "4s", "8d"]
"""Ten cards, of which six can leave in 151,200 orders."""


def dealt(cards: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Deal the two hands of a round by the oracle's rules."""
    hands: dict[str, list[str]] = {"P": [], "B": []}
    rest = list(cards)
    while whose := next_hand(*([VALUE[card[0]] for card in hand] for hand in hands.values())):
        hands[whose].append(rest.pop(0))
    return hands["P"], hands["B"]


def royal(hand: list[str]) -> frozenset[str]:
    """Return a nine and a jack, queen, or king among the first two cards, or nothing."""
    two = frozenset(hand[:2])
    ranks = {card[0] for card in two}
    return two if "9" in ranks and ranks & set("JQK") else frozenset()


def perfect_pairs(player: list[str], banker: list[str]) -> int:
    return sum(hand[0] == hand[1] for hand in (player, banker))


def counted(
    rules: TableRules, wagers: tuple[str, str], shoe: str, told_by: Callable[[Any], object]
) -> Counter[tuple[object, ...]]:
    """Return the joint census by counts and another fact, in ways of six cards."""
    found: Counter[tuple[object, ...]] = Counter()
    for facts, number in joint_census(rules, parse_shoe(shoe), dict.fromkeys(wagers, 1)).items():
        found[facts.player_count, facts.banker_count, told_by(facts)] += number
    return found


def test_royals_are_counted_together_with_the_counts() -> None:
    rules = read_rules(table("ma-royal-9").path)
    shoe = ",".join(f"{card}=1" for card in SMALL)
    found = counted(
        rules, ("player", "royal_9"), shoe,
        lambda facts: (
            frozenset(facts.player_royal.split()), frozenset(facts.banker_royal.split())
        ),
    )  # fmt: skip
    expected: Counter[tuple[object, ...]] = Counter()
    for cards in permutations(SMALL, 6):
        player, banker = dealt(cards)
        counts = (sum(VALUE[card[0]] for card in hand) % 10 for hand in (player, banker))
        expected[(*counts, (royal(player), royal(banker)))] += 1
    assert sum(expected.values()) == perm(10, 6)
    assert found == expected
    assert len({key[2] for key in found}) > 20


def test_pairs_of_a_custom_wager_are_counted_together_with_the_counts() -> None:
    rules = read_rules(table("nj-minibaccarat").path)
    wager = read_wager(EXAMPLES / "side-bets" / "perfect-pair.toml", rules)
    # Five cards twice each: ten cards in all, told apart here by their place.
    cards = ["9h", "Kd", "5c", "2h", "4s"] * 2
    shoe = ",".join(f"{card}=2" for card in cards[:5])
    found = counted(
        rules.with_offers(wager), ("tie", "perfect_pair"), shoe,
        lambda facts: sum(
            hand[0] == hand[1] for hand in (facts.player_dealt, facts.banker_dealt)
        ),
    )  # fmt: skip
    expected: Counter[tuple[object, ...]] = Counter()
    for six in permutations(cards, 6):
        player, banker = dealt(six)
        counts = (sum(VALUE[card[0]] for card in hand) % 10 for hand in (player, banker))
        expected[(*counts, perfect_pairs(player, banker))] += 1
    assert found == expected


# --- theoretical win -----------------------------------------------------------------------------


def test_the_theoretical_win_is_stake_by_edge_by_rounds() -> None:
    words = ("--rounds-per-hour", "70", "--seats", "7")
    edge = -sum(net * chance for net, chance in law_of("tie").items())
    for more, shoe in (((), 0), (("--rounds-per-shoe", "81"), 81)):
        rows = package_rows("theoretical_win", *words, *more, "--wager", "tie")
        for stake in (500, 50_000):
            won = {"per_seat_hour": stake * edge * 70, "per_hour": stake * edge * 70 * 7}
            won |= {"per_shoe": stake * edge * 81 * 7} if shoe else {}
            assert rows[f"tie_{stake}"] == won
        assert len(rows) == 2
    assert package_rows("theoretical_win") == {}


# --- wrong use -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--rounds", "many"), "not a number"),
        (("--rounds", "0"), "write a number from 1"),
        (("--confidence", "95"), "requires --rounds"),
        (("--rounds", "10", "--confidence", "100"), "100"),
        (("--stakes", "5..500"), "write LOW..HIGH/STEP"),
        (("--stakes", "500..5/5"), "in order"),
        (("--stakes", "1..5000/0.01"), "the maximum is 10,000 stakes"),
        (("--ticket", "player"), "write each wager once"),
        (("--ticket", "player=100,player=5"), "write each wager once"),
        (("--ticket", "player=1"), "outside the limits $25.00 to $5,000.00"),
        (("--ticket", "lucky_6=5"), "this table offers"),
        (("--ticket", "bonus_player=5"), "requires a wager on Player or Banker"),
        (("--ticket", "player=x"), "--ticket player=x"),
        (("--seats", "7"), "require --rounds-per-hour"),
        (
            ("--summary", "--seats", "7", "--stake", "50"),
            "one line for each wager: remove --seats, --stake",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused_with_its_reason(
    words: tuple[str, ...], reason: str
) -> None:
    done = CliRunner().invoke(main, ["par", *map(str, NJ), *words])
    assert done.exit_code == 2, done.output
    assert reason in " ".join(done.output.split())
    assert done.stdout == ""


def test_a_summary_has_the_ticket_that_was_asked_for() -> None:
    words = ["par", *map(str, NJ), "--ticket", "player=100,tie=10", "--summary"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0
    # Tie wins 8 to 1 while the stake on Player is returned; Player wins while Tie loses.
    for net in ("-$110.00", "+$80.00", "+$90.00"):
        assert net in done.stdout


def test_a_summary_shows_or_refuses_every_figure_that_can_be_asked_for() -> None:
    """An option without an effect on a summary would be left out without a word."""
    asked = {*inspect.signature(also_asked).parameters} - {"rules", "wagers"}
    options = {one.opts[0] for one in par.params if one.name in asked}
    of_tickets_and_bands = {
        "--rounds",
        "--confidence",
        "--ticket",
        "--bankroll",
        "--goal",
        "--within",
    }
    values = {"--stakes": "50..100/50", "--meter": "stax=100"}
    refused = options - of_tickets_and_bands
    assert len(refused) == len(options) - 6 > 3
    for option in refused:
        words = ["par", *map(str, NJ), "--summary", option, values.get(option, "7")]
        done = CliRunner().invoke(main, words)
        assert (done.exit_code, f"remove {option}" in done.output) == (2, True), option


def test_parts_are_empty_unless_asked_for() -> None:
    sheet = sheet_of(*NJ)
    assert [sheet[key] for key in ("bands", "tickets", "packages")] == [[], [], []]


def test_bands_name_the_extra_that_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, "croupier.odds.bands", raising=False)
    done = CliRunner().invoke(main, ["par", *map(str, NJ), "--rounds", "10"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--rounds requires numpy, which is in the extra croupier[kernels]" in done.stderr
