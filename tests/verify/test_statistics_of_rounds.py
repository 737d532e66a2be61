"""Statistics of recorded rounds against what can be counted by hand."""

from collections.abc import Sequence
from itertools import combinations, groupby
from math import erfc, sqrt
from pathlib import Path

import pytest

from croupier.baccarat.coup import Facts
from croupier.rules import read_submission, table_rules
from croupier.verify.rounds.audit import audit_file
from croupier.verify.rounds.census import Runs, holm
from support.external_rounds import House, Round, csv_lines, shoes
from support.project import ROOT

NJ = table_rules(read_submission(ROOT / "submissions" / "nj-minibaccarat.toml"))
FACTS = {"P": Facts(7, 6, 2, 2), "B": Facts(6, 7, 2, 2), "T": Facts(6, 6, 2, 2)}


def counted(*shoes_told: str) -> Runs:
    runs = Runs()
    for number, results in enumerate(shoes_told):
        for one in results:
            runs.add(str(number), FACTS[one])
    return runs


def every_order(ones: int, number: int) -> list[int]:
    """Return the runs of every order of so many of one kind among a number."""
    found = []
    for places in combinations(range(number), ones):
        order = ["P" if at in places else "B" for at in range(number)]
        found.append(sum(1 for _ in groupby(order)))
    return found


@pytest.mark.parametrize(("results", "runs"), [("PPBBTBP", 3), ("PTBTP", 3), ("PBPBPB", 6)])
def test_runs_are_counted_with_ties_left_out(results: str, runs: int) -> None:
    told = results.replace("T", "")
    every = every_order(told.count("P"), len(told))
    mean = sum(every) / len(every)
    variance = sum((one - mean) ** 2 for one in every) / len(every)
    data = counted(results).as_data()
    assert data is not None
    assert data["runs"] == runs
    assert data["expected"] == pytest.approx(mean)
    assert data["z"] == pytest.approx((runs - mean) / sqrt(variance))
    assert data["p"] == pytest.approx(erfc(abs(data["z"]) / sqrt(2)))


def test_runs_end_with_their_shoe_and_shoes_add_up() -> None:
    one, other = counted("PPBPB").as_data(), counted("BBPBB").as_data()
    both = counted("PPBPB", "BBPBB").as_data()
    assert one is not None
    assert other is not None
    assert both is not None
    assert both["runs"] == one["runs"] + other["runs"]
    assert both["expected"] == pytest.approx(one["expected"] + other["expected"])


@pytest.mark.parametrize("results", ["", "T", "PPPP", "BTB"])
def test_results_of_one_hand_tell_nothing_of_order(results: str) -> None:
    assert counted(results).as_data() is None


@pytest.mark.parametrize(
    ("values", "adjusted"),
    [
        ([], []),
        ([0.04], [0.04]),
        # The least times 3, the next times 2, the last alone; none below one before it.
        ([0.04, 0.01, 0.03], [0.06, 0.03, 0.06]),
        ([0.5, 0.9], [1.0, 1.0]),
    ],
)
def test_p_values_are_adjusted_for_their_number(
    values: Sequence[float], adjusted: Sequence[float]
) -> None:
    assert holm(values) == pytest.approx(adjusted)


def report(path: Path, rounds: Sequence[Round]) -> tuple[float, float]:
    """Return of a file's census the statistic of its classes, and the adjusted p of its runs."""
    path.write_text("\n".join(csv_lines(rounds)))
    census = audit_file(path, NJ)["census"]
    assert census is not None
    assert census["chi_square"] is not None
    assert census["runs"] is not None
    assert census["tests"] == 2 + len(census["wagers"])
    for one in census["wagers"]:
        assert one["low"] is not None
        assert one["high"] is not None
        assert one["low"] < one["found"] < one["high"]
    assert census["runs"]["adjusted_p"] is not None
    return census["chi_square"]["statistic"], census["runs"]["adjusted_p"]


def test_right_rounds_are_not_unusual_and_sorted_ones_are(tmp_path: Path) -> None:
    rounds = list(shoes(House(("player",)), 6, 4))
    classes, runs = report(tmp_path / "right.csv", rounds)
    assert runs > 0.01
    # The same rounds of each shoe in an order that no shuffle makes: it is seen in the runs alone.
    resorted: list[Round] = []
    for _, shoe in groupby(rounds, key=lambda one: one.shoe):
        resorted += sorted(shoe, key=lambda one: one.winner)
    again, runs = report(tmp_path / "sorted.csv", resorted)
    assert again == pytest.approx(classes)
    assert runs < 1e-6
