"""``croupier blackjack --simulate``: what many rounds come to, by arithmetic of the test's own."""

import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from croupier.cli import main
from croupier.cli.analysis import blackjack_figures
from croupier.rules import read_submission, table_rules
from croupier.simulation.blackjack import BlackjackEngine, Dealing
from croupier.simulation.plan import WHOLE
from croupier.simulation.streaks import Sums, engine_for, naturals_of, runs_of, share_won, wagers_of
from support.dealt_again import replay_shoes
from support.volume import volume

SUBMISSIONS: Final = Path(__file__).parents[2] / "submissions"
STREAK: Final = SUBMISSIONS / "nj-blackjack-streak.toml"
BONUS: Final = SUBMISSIONS / "nj-blackjack-bonus.toml"


def run(*words: object, submission: Path = STREAK) -> Result:
    arguments = ["blackjack", "--submission", submission, "--simulate", *words]
    return CliRunner().invoke(main, list(map(str, arguments)), env={"COLUMNS": "80"})


def told(*words: object, submission: Path = STREAK) -> Any:
    result = run("--rounds", "2e5", "--format", "json", *words, submission=submission)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_the_seed_names_the_result_on_any_number_of_threads() -> None:
    first = told("--seed", 7, "--threads", 1)
    assert first == told("--seed", 7, "--threads", 3)
    assert first["results"] != told("--seed", 8)["results"]
    assert (first["rounds"], first["seed"], first["ended"]) == (200_000, 7, "rounds")
    assert sum(first["results"].values()) == first["rounds"]
    # Rounds of shoes that were dealt to the end, some 57.5 of each.
    assert 57 < first["rounds"] / first["shoes"] < 58
    chosen = told()
    assert 0 <= chosen["seed"] < 2**64
    assert chosen["reproduce"].endswith(f" --seed {chosen['seed']}")
    assert "--threads" not in first["reproduce"]


def test_a_streak_is_weighed_by_what_was_placed_and_won() -> None:
    data = told("--seed", 7)
    pays = tomllib.loads(STREAK.read_text())["elections"]["streak"]["pays"]
    won, lost = data["results"]["win"], data["results"]["lose"]
    assert [one["id"] for one in data["wagers"]] == [f"streak_{length}" for length in (2, 3, 4, 5)]
    for length, one in zip((2, 3, 4, 5), data["wagers"], strict=True):
        back = int(pays[str(length)].split(":")[0]) + 1
        edge = 1 - Fraction(back * one["won"], one["placed"])
        sheet = 1 - back * Fraction(won, won + lost) ** length
        assert one["house_edge"]["value"] == float(edge)
        assert one["par_house_edge"] == f"{sheet.numerator}/{sheet.denominator}"
        assert one["above_par"]["value"] == pytest.approx(float(edge - sheet))
        low, high = (one["house_edge"]["interval_99"][bound] for bound in ("low", "high"))
        reach = 2.5758293 * one["house_edge"]["standard_error"]
        assert (low, high) == pytest.approx((float(edge) - reach, float(edge) + reach))
        assert one["cites"]
    # As likely as not a round after any run is won as often as all of them.
    assert sum(one["rounds"] for one in data["runs"]) == won + lost
    assert all(abs(one["above_all"]["z"]) < 4.5 for one in data["runs"])


def test_the_sheet_is_that_of_the_par_command() -> None:
    data = told("--seed", 7)
    counts = ",".join(f"{name}={number}" for name, number in data["results"].items())
    words = ["par", "blackjack", str(STREAK), "--results", counts, "--format", "json"]
    sheets = json.loads(CliRunner().invoke(main, words).stdout)["wagers"]
    assert [one["house_edge"] for one in sheets] == [
        one["par_house_edge"] for one in data["wagers"]
    ]


def test_another_paytable_moves_the_wager_and_its_sheet(tmp_path: Path) -> None:
    richer = tmp_path / "richer.toml"
    richer.write_text(STREAK.read_text().replace('pays.2 = "3:1"', 'pays.2 = "4:1"'))
    before, after = (told("--seed", 7, submission=path)["wagers"][0] for path in (STREAK, richer))
    assert before["won"] == after["won"]
    chance = before["won"] / before["placed"]
    assert before["house_edge"]["value"] - after["house_edge"]["value"] == pytest.approx(chance)
    moved = Fraction(before["par_house_edge"]) - Fraction(after["par_house_edge"])
    assert float(moved) == pytest.approx(chance, rel=0.02)


def test_the_bonus_is_weighed_by_what_was_shown() -> None:
    data = told("--seed", 7, submission=BONUS)
    elections = tomllib.loads(BONUS.read_text())["elections"]["blackjack_bonus"]
    for stake, one in zip((1, 5), data["wagers"], strict=True):
        awards = [Fraction(row.split()[0]) for row in elections["schedule"][str(stake)]]
        *shown, lost = one["lines"].values()
        assert sum(shown) == data["naturals"]["number"] == one["won"]
        assert sum(shown) + lost == data["rounds"]
        # The award goes beside the stake, which comes back.
        given = sum(number * (award + stake) for number, award in zip(shown, awards, strict=True))
        edge = 1 - given / (stake * data["rounds"])
        assert one["house_edge"]["value"] == pytest.approx(float(edge))
        assert Fraction(one["par_house_edge"]) == Fraction(elections["house_advantage"][str(stake)])
        assert abs(one["above_par"]["z"]) < 4.5
    naturals = data["naturals"]
    share = naturals["number"] / data["rounds"]
    assert naturals["share"]["value"] == share
    assert naturals["above_first_round"]["value"] == pytest.approx(share - 256 / 5395)
    assert abs(naturals["above_first_round"]["z"]) < 4.5


@pytest.mark.parametrize("submission", [STREAK, BONUS])
def test_errors_are_those_that_seeds_show(submission: Path) -> None:
    rules = table_rules(read_submission(submission))
    values: dict[str, list[float]] = {}
    errors: dict[str, list[float]] = {}
    seeds = volume(60, 24)
    for seed in range(seeds):
        for name, (value, error) in estimates(rules, seed):
            values.setdefault(name, []).append(value)
            errors.setdefault(name, []).append(error)
    for name, found in values.items():
        ratio = stdev(found) / sqrt(fmean(error**2 for error in errors[name]))
        # Sixty seeds tell a deviation within a tenth or so, and there are some dozen of them; fewer
        # tell it by the root of their number less well.
        wider = sqrt(60 / seeds)
        assert 1 - 0.35 * wider < ratio < 1 + 0.4 * wider, name


def estimates(rules: Any, seed: int) -> Iterator[tuple[str, tuple[float, float]]]:
    engine = engine_for(rules, seed)
    sums = Sums(engine)
    for block in range(14):
        sums.add(engine.play(block, WHOLE))
    for one in wagers_of(rules, sums):
        yield one.title, (float(one.edge.value), one.edge.error)
        yield f"{one.title}, above", (float(one.excess.value), one.excess.error)
    for run_ in runs_of(sums):
        yield f"{run_.least} won", (float(run_.won.value), run_.won.error)
        yield f"{run_.least} won, above", (float(run_.excess.value), run_.excess.error)
    for name, share in (("won", share_won(sums)), ("natural", naturals_of(sums)[0])):
        yield name, (float(share.value), share.error)


def test_a_person_sees_a_table_that_fits_a_terminal() -> None:
    result = run("--rounds", "200,000", "--seed", 7)
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "Rounds         200,000\n" in result.stdout
    assert result.stderr.endswith("million rounds per second\n")
    shown = run("--rounds", "200000", "--seed", 7, submission=BONUS).stdout
    assert "bonus, $5" in shown
    assert "Share of resolved rounds" not in shown


@pytest.mark.parametrize(("blocks", "status"), [(20, 130), (5, 130)])
def test_an_interruption_leaves_what_was_played(
    blocks: int, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_stream: object, _play: object, _rounds: int) -> Iterator[Dealing]:
        engine = BlackjackEngine(7)
        yield from (engine.play(block, WHOLE) for block in range(blocks))
        raise KeyboardInterrupt

    monkeypatch.setattr(blackjack_figures, "exactly", interrupted)
    result = run("--rounds", "1e9", "--seed", 7)
    assert result.exit_code == status
    if blocks == 5:
        assert "too few to report" in result.stderr
    else:
        assert "WARNING Interrupted: all figures are for the rounds played." in result.stdout


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--rounds", "0"], "--rounds 0: write a number from 1 to"),
        (["--rounds", "-3"], "--rounds -3: write a number from 1 to"),
        (["--rounds", "1e99"], "--rounds 1e99: write a number from 1 to"),
        (["--rounds", "1e999999999"], "write a number from 1 to"),
        (["--rounds", "1e-3"], "not an integer"),
        (["--rounds", "99999"], "the minimum is 100,000"),
        (["--seed", "-1"], "from 0 to 18446744073709551615"),
        (["--seed", 2**64], "from 0 to 18446744073709551615"),
        (["--patrons", "2"], "--simulate plays one patron"),
        (["--threads", "0"], "0 is not in the range"),
        (["--results", STREAK], "--simulate applies to the reference game"),
    ],
)
def test_wrong_use_is_refused_with_its_reason(words: list[object], reason: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert reason in " ".join(result.stderr.replace("│", " ").split())
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--threads", "2"], "--threads requires --simulate"),
        (["--rounds", "1e7"], "too many to show one by one: add --simulate"),
        (["--format", "csv"], "--format csv requires --simulate"),
    ],
)
def test_what_goes_with_a_simulation_goes_with_nothing_else(words: list[str], reason: str) -> None:
    result = CliRunner().invoke(main, ["blackjack", "--submission", str(STREAK), *words])
    assert result.exit_code == 2
    assert reason in result.stderr


def test_a_schedule_too_fine_to_be_drawn_is_refused(tmp_path: Path) -> None:
    # Six awards more, of which each takes one part in 5395 from the house. Their primes have no
    # factor in common, so that all chances together are parts of some 5 * 10**21.
    primes = (967, 971, 977, 983, 991, 997)
    awards = [f'  "{prime - 1}.00 at 1/{5395 * prime}",\n' for prime in primes]
    last = '  "1000.00 at 1/5395",\n'
    text = BONUS.read_text().replace(last, last + "".join(awards))
    fine = tmp_path / "fine.toml"
    fine.write_text(text.replace('"649/5395"', '"643/5395"'))
    result = run("--rounds", "1e6", submission=fine)
    assert result.exit_code == 2
    assert "blackjack_bonus.schedule.1: its probabilities are in parts of" in result.stderr


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*sys.modules]:
        if name == "croupier.cli.analysis.blackjack_figures" or name.startswith(
            "croupier.simulation"
        ):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numpy", None)
    result = run()
    assert result.exit_code == 2
    assert "pip install 'croupier[kernels]'" in result.stderr


def test_the_net_result_of_each_round_is_its_settlement_in_words() -> None:
    engine = BlackjackEngine(7)
    found = dict(zip(engine.names, engine.play(0, WHOLE).numbers.tolist(), strict=True))
    rounds = replay_shoes(7, 0)
    expected: Counter[str] = Counter()
    for at, hands in enumerate(rounds.hands.tolist()):
        units = Fraction()
        dealer = int(rounds.dealer[at])
        for hand in range(hands):
            total, stake = int(rounds.totals[at, hand]), 1 + int(rounds.doubled[at, hand])
            if total > 21 or total < dealer <= 21:
                units -= stake
            elif total > dealer or dealer > 21:
                units += Fraction(3, 2) if rounds.naturals[at] else stake
            # Two totals of 21 differ if one alone is a natural: a patron's pays, a dealer's takes.
            elif total == 21 and rounds.results[at, hand] != 1:
                units += Fraction(3, 2) if rounds.naturals[at] else -stake
        expected[f"net {int(2 * units)}"] += 1
    assert {name: n for name, n in found.items() if name.startswith("net ") and n} == expected


def test_the_game_has_the_value_and_deviation_that_an_independent_program_measured() -> None:
    # A C program of its own: 100 million rounds, -0.448% with a 99% interval of 0.012 * 2.576.
    data = told("--seed", 7, "--rounds", "4e6")["game"]
    nets = {Fraction(net): number for net, number in data["rounds_by_net"].items()}
    rounds = sum(nets.values())
    mean = sum(net * number for net, number in nets.items()) / rounds
    variance = sum(net**2 * number for net, number in nets.items()) / rounds - mean**2
    assert rounds == 4_000_000
    assert data["expected_value"]["value"] == pytest.approx(float(mean), rel=1e-12)
    assert data["standard_deviation"] == pytest.approx(sqrt(variance), rel=1e-12)
    error = data["expected_value"]["standard_error"]
    assert error == pytest.approx(sqrt(variance / rounds), rel=0.2)
    assert abs(float(mean) + 0.00448) < 4 * sqrt(error**2 + 0.00012**2)
    # Eight decks with these customs vary by about 1.15 units a round.
    assert 1.14 < data["standard_deviation"] < 1.17
    words = "stands on all 17s", "after a split", "4 hands", "one card on each split ace", "3 to 2"
    assert all(one in data["rules"] for one in words)
