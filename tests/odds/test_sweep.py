"""A sweep has every legal set of elections once, and the figures of the sheets."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from functools import cache
from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier.law.faults import LawError
from croupier.law.interpretations import acknowledged
from croupier.law.resolve import AsOf, resolve
from croupier.odds.comparison import SweepFigure, SweepRow, sweep
from croupier.odds.par import par_sheet
from croupier.odds.sheet import fraction
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules, default_submission, table_rules
from support.oracles.odds import PAYTABLES, Terms, fresh, weighed
from support.par import called, census, exact, wagers_of
from support.texts import DAYS, dated

DECKS: Final = (6, 7, 8)
COUNTED: Final = ("four_cards", "five_cards", "six_cards")
SCHEME: Final = "vigorish.scheme"
UNWAIVED: Final = "vigorish.rate_unwaived"
PAYTABLE: Final = "wagers.bonus.paytable"

# What each law lets a licensee elect, by its text: vigorish schemes, and wagers beside the usual.
SCHEMES: Final = {
    "us-nj/minibaccarat": ("5%", "4%", "tie-25%", "six-pays-half", "dragon-7"),
    "us-nj/punto-banco": ("5%", "4%", "six-pays-half", "dragon-7"),
    "us-ma/minibaccarat": ("5%", "dragon-7"),
    "us-ny/mini-midi-baccarat": ("5%", "4%", "tie-25%", "six-pays-half", "dragon-7"),
}
WAIVED: Final = {"us-nj/minibaccarat", "us-nj/punto-banco"}
BESIDE: Final = {
    "us-nj/minibaccarat": (*COUNTED, "dragon_7"),
    "us-nj/punto-banco": (*COUNTED, "dragon_7"),
    "us-ma/minibaccarat": ("house_money", "dragon_7", "panda_8"),
    "us-ny/mini-midi-baccarat": ("dragon_7", "panda_8"),
}

Key = tuple[int, str, tuple[tuple[str, str], ...]]


@cache
def swept(law: str, on: AsOf) -> tuple[SweepRow | SweepFigure, ...]:
    """Sweep a text once for all tests."""
    return tuple(sweep(law, on))


@pytest.fixture(autouse=True)
def _once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the command show what is swept already."""
    monkeypatch.setattr("croupier.odds.comparison.sweep", swept)


def rows_of(law: str) -> tuple[SweepRow, ...]:
    return tuple(row for row in swept(law, DAYS[law]) if isinstance(row, SweepRow))


def expected(law: str) -> Iterator[Key]:
    """Yield every figure that a sweep must have: decks, wager, and the elections that bear on it."""
    for decks in DECKS:
        for wager in ("player", "tie", *BESIDE[law]):
            yield decks, wager, ()
        for scheme in SCHEMES[law]:
            yield decks, "banker", ((SCHEME, scheme),)
        for rate in ("4%", "5%") if law in WAIVED else ():
            yield decks, "banker", ((SCHEME, "total-cards"), (UNWAIVED, rate))
        for hand in ("player", "banker"):
            for paytable in "ABC":
                yield decks, f"bonus_{hand}", ((PAYTABLE, paytable),)


def written(value: str) -> str:
    """A rate as a submission has it."""
    return f"{Fraction(value) * 100}%" if "/" in value else value


def key_of(row: SweepRow) -> Key:
    return row.decks, row.wager, tuple((name, written(value)) for name, value in row.elections)


@pytest.mark.parametrize("law", SCHEMES)
def test_every_legal_set_of_elections_is_swept_once(law: str) -> None:
    assert Counter(map(key_of, rows_of(law))) == Counter(expected(law))


@pytest.mark.parametrize("law", SCHEMES)
def test_every_figure_of_a_sweep_is_the_oracles(law: str) -> None:
    for row in rows_of(law):
        chosen = dict(key_of(row)[2])
        terms = Terms(
            scheme=chosen.get(SCHEME, "5%"),
            unwaived=Fraction(int(chosen.get(UNWAIVED, "5%")[:-1]), 100),
            bonus=PAYTABLES[chosen.get(PAYTABLE, "A")],
        )
        wanted = weighed(row.wager, census(fresh(row.decks)), terms)
        assert row.house_edge == -wanted.mean(), row
        assert row.variance == wanted.variance(), row
        wins = {outcome for outcome, net in wanted.lines if net > 0}
        assert row.hit_frequency == wanted.chance(*wins), row


def table_for(law: str, row: SweepRow) -> TableRules:
    """The plain table with a row's elections, and with its wager on offer."""
    elections: dict[str, Any] = {"decks": row.decks, **dict(key_of(row)[2])}
    offered = {
        "wagers.bonus.offered": row.wager.startswith("bonus_"),
        "wagers.total_cards.offered": row.wager in COUNTED
        or elections.get(SCHEME) == "total-cards",
        "wagers.house_money.offered": row.wager == "house_money",
    }
    elections |= {name: True for name, on in offered.items() if on}
    if row.wager in {"dragon_7", "panda_8"}:
        elections[SCHEME] = "dragon-7"
    if (
        elections.get(SCHEME) == "six-pays-half"
        and "vigorish.posting" in resolve(law, on=DAYS[law]).rules
    ):
        elections["vigorish.posting"] = "beside the layout"
    text = resolve(law, on=DAYS[law])
    plain = default_submission(
        law, DAYS[law], **{name.replace(".", "__"): one for name, one in elections.items()}
    )
    return table_rules(replace(plain, readings=acknowledged(text)))


@pytest.mark.parametrize("law", SCHEMES)
def test_every_figure_of_a_sweep_stands_on_a_sheet(law: str) -> None:
    for row in rows_of(law):
        if row.decks != 8:
            continue
        sheet = par_sheet(table_for(law, row), ShoeComposition.of_decks(row.decks))
        wager = wagers_of(sheet)[row.wager]
        assert exact(wager["house_edge"]) == row.house_edge
        assert exact(wager["hit_frequency"]) == row.hit_frequency
        assert exact(wager["variance"]) == row.variance
        assert row.cites


def test_a_text_of_another_game_or_a_fragment_has_nothing_to_sweep() -> None:
    assert list(sweep("us-nj/blackjack-wagers", "latest")) == []
    assert list(sweep("us-nj/minibaccarat", date(2001, 1, 16))) == []
    with pytest.raises(LawError):
        list(sweep("us-xx/minibaccarat", "latest"))


# --- from the command line ---------------------------------------------------------------------


def test_a_sweep_is_given_to_a_program() -> None:
    result = called("par", "sweep", dated("us-ma/minibaccarat"), "--format", "json")
    assert result.exit_code == 0
    swept = json.loads(result.stdout)["figures"]
    rows = rows_of("us-ma/minibaccarat")
    assert [(one["decks"], one["wager"], one["elections"], one["house_edge"]) for one in swept] == [
        (row.decks, row.wager, dict(row.elections), fraction(row.house_edge)) for row in rows
    ]
    for one, row in zip(swept, rows, strict=True):
        assert one["house_edge_percent"] == float(row.house_edge * 100)
        assert exact(one["hit_frequency"]) == row.hit_frequency
        assert exact(one["variance"]) == row.variance
        assert one["cites"] == list(row.cites)


def test_a_sweep_is_given_to_a_spreadsheet() -> None:
    result = called(
        "par", "sweep", dated("us-ma/minibaccarat"), "--wager", "banker", "--format", "csv"
    )
    parts = list(csv.DictReader(io.StringIO(result.stdout)))
    rows = [row for row in parts if row["part"] == "Wagers"]
    assert {row["part"] for row in parts} == {"Wagers", "Clauses"}
    assert [(row["decks"], row["elections"]) for row in rows] == [
        (str(decks), f"{SCHEME}={scheme}") for decks in DECKS for scheme in ("5%", "dragon-7")
    ]
    assert f"{float(rows[-1]['house_edge_decimal']):.6f}" == "0.010183"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["us-xx/minibaccarat@latest"], "no regulation has the id"),
        ([dated("us-nj/blackjack-wagers")], "no table can be dealt under"),
        (["us-nj/minibaccarat", "--as-of", "2001-01-16"], "no table can be dealt under"),
        (
            [dated("us-nj/minibaccarat"), "--wager", "tie", "--wager", "royal_9"],
            "--wager royal_9: tables of us-nj/minibaccarat@2011-02-22 offer player, banker, tie",
        ),
        ([], "Missing argument"),
    ],
)
def test_a_sweep_of_nothing_exits_with_status_two(arguments: list[str], reason: str) -> None:
    result = called("par", "sweep", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert reason in result.stderr


# --- packages ----------------------------------------------------------------------------------


def test_a_sweep_has_the_waiver_with_every_companion_exactly() -> None:
    found = json.loads(called("par", "sweep", "us-nj/minibaccarat@2011-02-22", "--format", "json").stdout)  # fmt: skip
    told = {
        (one["decks"], one["row"], one["column"], one["elections"].get(UNWAIVED)): exact(
            one["value"]
        )
        for one in found["packages"]
        if one["elections"][SCHEME] == "total-cards"
    }
    for decks in DECKS:
        counted = census(fresh(decks))
        free = -weighed("banker", counted, Terms(scheme="none")).mean()
        for wager in COUNTED:
            companion = -weighed(wager, counted, Terms()).mean()
            for rate in ("4%", "5%"):
                assert told[decks, wager, "package_edge", rate] == (free + companion) / 2


def test_a_sweep_as_csv_has_the_packages_of_the_json() -> None:
    law = "us-ma/minibaccarat@2026-11-20"
    data = json.loads(called("par", "sweep", law, "--format", "json").stdout)["packages"]
    rows = csv.DictReader(io.StringIO(called("par", "sweep", law, "--format", "csv").stdout))
    told = [(row["package"], row["row"], row["column"], row["value"]) for row in rows if row["package"]]  # fmt: skip
    assert told == [(one["package"], one["row"], one["column"], one["value"]) for one in data]
    assert {"house_money", "house_money_table"} == {one["package"] for one in data}
