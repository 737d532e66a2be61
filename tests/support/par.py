"""What tests of the odds share: sheets from the command line, held against the oracle figure by figure."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import log, log1p, sqrt
from pathlib import Path
from typing import Any, Final

from click.testing import CliRunner, Result

from croupier.cli import main
from support.oracles.odds import (
    PAYTABLES,
    Coup,
    Shoe,
    Terms,
    Weighed,
    by_rank,
    coups,
    fresh,
    is_void,
    odds,
)
from support.project import ROOT, SUBMISSIONS

DEALT: Final = tuple(path.stem for path in SUBMISSIONS)
"""Every sample submission under which a table is dealt."""

Data = dict[str, Any]


def called(*arguments: object) -> Result:
    """Call the command line, as a user does."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@cache
def _printed(*arguments: str) -> str:
    result = called("par", *arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    return result.stdout


def sheet_of(*arguments: object) -> Data:
    """The sheet that ``croupier par`` gives to a program."""
    data: Data = json.loads(_printed(*map(str, arguments)))
    return data


def wagers_of(sheet: Mapping[str, Any]) -> dict[str, Data]:
    return {wager["id"]: wager for wager in sheet["wagers"]}


def exact(text: str) -> Fraction:
    """Read a fraction, which must be written as ``n/d`` and in its least terms."""
    numerator, _, denominator = text.partition("/")
    value = Fraction(int(numerator), int(denominator))
    assert text == f"{value.numerator}/{value.denominator}"
    return value


# --- what a submission elects, read without the program ----------------------------------------


@dataclass(frozen=True)
class Table:
    """A sample submission: its file as data, and what of it moves an edge."""

    path: Path
    data: Data
    terms: Terms
    decks: int

    @property
    def elections(self) -> Data:
        elections: Data = self.data["elections"]
        return elections

    def limits_cents(self, wager: str) -> list[int] | None:
        pair = self.data.get("limits", {}).get(wager)
        return None if pair is None else [int(Fraction(dollars) * 100) for dollars in pair]


@cache
def table(name: str) -> Table:
    path = ROOT / "submissions" / f"{name}.toml"
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    elections = data["elections"]
    wagers, vigorish = elections.get("wagers", {}), elections["vigorish"]
    paytable = wagers.get("bonus", {}).get("paytable", "A")
    own = isinstance(paytable, Mapping)
    terms = Terms(
        scheme=vigorish["scheme"],
        unwaived=Fraction(int(vigorish.get("rate_unwaived", "5%")[:-1]), 100),
        tie=odds(wagers["tie"]["pays"]),
        bonus={line: odds(pays) for line, pays in paytable.items()} if own else PAYTABLES[paytable],
        dragon_7=odds(wagers.get("dragon_7", {}).get("pays", "40:1")),
        literal=data.get("interpretations", {}).get("T41") == "literal",
    )
    # With a shuffler there are two batches, of which one is in the shoe.
    batches = 2 if elections.get("device") == "shuffler" else 1
    return Table(path, data, terms, elections["decks"] // batches)


# --- shoes -------------------------------------------------------------------------------------


@cache
def _census(cards: tuple[tuple[str, int], ...], *, literal: bool) -> Mapping[Coup, int]:
    return coups(dict(cards), literal=literal)


def census(shoe: Shoe, *, literal: bool = False) -> Mapping[Coup, int]:
    """What the oracle counts for a shoe; kept, as it takes a while."""
    return _census(tuple(sorted(by_rank(shoe).items())), literal=literal)


def depleted(seed: int) -> dict[str, int]:
    """A random shoe by card: from a nearly fresh one to a handful, some without a rank or two."""
    chance = random.Random(seed)
    decks = chance.choice((1, 6, 8))
    cards = [card for card, count in fresh(decks).items() for _ in range(count)]
    gone = set(chance.sample("A23456789TJQK", chance.choice((0, 0, 1, 4))))
    cards = [card for card in cards if card[0] not in gone]
    left = chance.sample(cards, chance.choice((6, 7, 13, len(cards) // 4, len(cards) - 20)))
    return {card: left.count(card) for card in sorted(set(left))}


def told(shoe: Shoe) -> str:
    """A shoe as ``--shoe`` takes it."""
    return ",".join(f"{name}={count}" for name, count in shoe.items())


# --- a wager of a sheet, figure by figure ------------------------------------------------------


def pays(net: Fraction) -> str:
    if net in {0, -1}:
        return "push" if net == 0 else "loses"
    return f"{net.numerator}:{net.denominator}" if net > 0 else f"takes {-net}"


def hold(wager: Data, wanted: Weighed) -> None:
    """Hold every figure of a wager against the oracle's."""
    name = wager["id"]
    lines = {(line["outcome"], line["pays"]): line for line in wager["lines"]}
    assert len(lines) == len(wager["lines"]), name
    ways = {(outcome, pays(net)): number for (outcome, net), number in wanted.lines.items()}
    assert {key: line["ways"] for key, line in lines.items()} == {key: str(number) for key, number in ways.items()}, name  # fmt: skip
    for (outcome, net), number in wanted.lines.items():
        line = lines[outcome, pays(net)]
        assert exact(line["probability"]) == Fraction(number, wanted.total), name
        assert exact(line["contribution"]) == Fraction(number, wanted.total) * net, name
    edge = -wanted.mean()
    void = sum(number for key, number in wanted.lines.items() if is_void(*key))
    resolved = Fraction(wanted.total - void, wanted.total)
    assert exact(wager["house_edge"]) == edge, name
    assert wager["house_edge_percent"] == float(edge * 100), name
    assert exact(wager["edge_per_resolved"]) == (edge / resolved if resolved else edge), name
    wins = [key[0] for key in wanted.lines if key[0] != "lose" and not is_void(*key)]
    assert exact(wager["hit_frequency"]) == wanted.chance(*wins), name
    assert exact(wager["push_frequency"]) == 1 - resolved, name
    assert exact(wager["variance"]) == wanted.variance(), name
    deviation = sqrt(wanted.variance())
    assert abs(wager["standard_deviation"] - deviation) < 1e-12 + 1e-12 * deviation, name
    assert abs(wager["volatility_index"] - 1.645 * deviation) < 1e-11 + 1e-11 * deviation, name
    hold_shape(wager, wanted)


def hold_shape(wager: Data, wanted: Weighed) -> None:
    """Hold cycles, shares of variance, skewness, and kurtosis against raw moments."""
    name, total = wager["id"], wanted.total
    raw = [
        sum((Fraction(ways) * net**power for (_, net), ways in wanted.lines.items()), Fraction())
        / total
        for power in range(5)
    ]
    mean, variance = raw[1], raw[2] - raw[1] ** 2
    if not variance:
        assert {line["variance_share"] for line in wager["lines"]} == {None}, name
        assert (wager["skewness"], wager["kurtosis"]) == (None, None), name
        return
    lines = {(line["outcome"], line["pays"]): line for line in wager["lines"]}
    for (outcome, net), ways in wanted.lines.items():
        line = lines[outcome, pays(net)]
        assert exact(line["cycle"]) == Fraction(total, ways), name
        part = Fraction(ways, total) * (net - mean) ** 2 / variance
        assert exact(line["variance_share"]) == part, name
    assert sum(exact(line["variance_share"]) for line in wager["lines"]) == 1, name
    third = raw[3] - 3 * mean * raw[2] + 2 * mean**3
    fourth = raw[4] - 4 * mean * raw[3] + 6 * mean**2 * raw[2] - 3 * mean**4
    skewness = float(third) / float(variance) ** 1.5
    assert abs(wager["skewness"] - skewness) <= 1e-9 * max(1, abs(skewness)), name
    assert exact(wager["kurtosis"]) == fourth / variance**2, name
    won = {key[1]: 0 for key in wanted.lines if key[0] != "lose" and not is_void(*key)}
    if not won:
        assert wager["top_award_wagers"] is None, name
        return
    top = sum(ways for (_, net), ways in wanted.lines.items() if net == max(won))
    wagers = wager["top_award_wagers"]
    if wagers > _SMALL_POWER:
        # log1p has no error that matters beside a tenth of a wager.
        assert abs(wagers - log(0.05) / log1p(-top / total)) <= 1 + 1e-9 * wagers, name
    else:
        missed = total - top
        assert 20 * missed**wagers <= total**wagers, name
        assert 20 * missed ** (wagers - 1) > total ** (wagers - 1), name


_SMALL_POWER: Final = 2_000
