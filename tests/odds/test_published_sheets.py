"""Published figures are met to the digit by what ``croupier par`` prints.

The figures are other people's: each row of the file names its source. What no law has as a wager is
asked for as a wager of one's own, in TOML.
"""

import csv
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from support.par import Data, exact, sheet_of, wagers_of
from support.project import ROOT

with (ROOT / "tests" / "data" / "published_figures.tsv").open(encoding="utf-8", newline="") as file:
    PUBLISHED: Final = [
        *((row["figure"], row["published"]) for row in csv.DictReader(file, delimiter="\t")),
        # 888casino.com, computer perfect play against the baccarat pairs bet.
        ("player pair hit %", "7.47"),
        ("player pair 11:1 HE%", "10.361"),
    ]

ROUNDED_TWICE: Final = {"total 5 EV"}
"""Published as three times the rounded chance of five cards, less one."""

SUBMISSIONS: Final = {
    "5%": "nj-minibaccarat",
    "4%": "nj-minibaccarat-4-percent",
    "six-pays-half": "nj-minibaccarat-six-pays-half",
    "dragon-7": "ma-ez",
    "tie 9:1": "ma-house-money",
}

Measure = Callable[[Data], int | Fraction]


class Where(NamedTuple):
    """Where a sheet has a figure: under which table, at which wager, and what of it."""

    table: str
    wager: str
    measure: Measure
    when: str = ""
    """What must be so, where the wager is one's own."""
    pays: str = "1:1"


def ways(*outcomes: str) -> Measure:
    return lambda wager: sum(
        int(line["ways"]) for line in wager["lines"] if line["outcome"] in outcomes
    )


def edge(wager: Data) -> Fraction:
    return 100 * exact(wager["house_edge"])


def gain(wager: Data) -> Fraction:
    return -exact(wager["house_edge"])


def hits(wager: Data) -> Fraction:
    return exact(wager["hit_frequency"])


WHERE: Final[Mapping[str, Where]] = {
    "combinations win_P": Where("5%", "player", ways("win")),
    "combinations win_B": Where("5%", "banker", ways("win")),
    "combinations win_T": Where("5%", "tie", ways("win")),
    "Dragon Bonus A player HE%": Where("5%", "bonus_player", edge),
    "Dragon Bonus A banker HE%": Where("5%", "bonus_banker", edge),
    "Dragon 7 combinations": Where("dragon-7", "dragon_7", ways("win")),
    "Panda 8 combinations": Where("dragon-7", "panda_8", ways("win")),
    "EZ banker HE%": Where("dragon-7", "banker", edge),
    "Dragon 7 HE%": Where("dragon-7", "dragon_7", edge),
    "Panda 8 HE%": Where("dragon-7", "panda_8", edge),
    "Dragon 7 SD": Where("dragon-7", "dragon_7", lambda one: Fraction(one["standard_deviation"])),
    "banker 5% HE%": Where("5%", "banker", edge),
    "banker_5pct HE%": Where("5%", "banker", edge),
    "banker_4pct HE%": Where("4%", "banker", edge),
    "banker no-comm 6 pays 1:2 HE%": Where("six-pays-half", "banker", edge),
    "player HE%": Where("5%", "player", edge),
    "tie_9to1 HE%": Where("tie 9:1", "tie", edge),
    "tie_8to1 HE%": Where("5%", "tie", edge),
    "player pair hit %": Where("5%", "pair", lambda one: 100 * hits(one), "player_pair = true"),
    "player pair 11:1 HE%": Where("5%", "pair_11", edge, "player_pair = true", "11:1"),
}
TOTALS: Final = {"4": "four_cards", "5": "five_cards", "6": "six_cards"}


def where(name: str) -> Where:
    """Return where the sheets have a published figure."""
    if name in WHERE:
        return WHERE[name]
    own = re.sub(r"\W", "_", name)
    if match := re.fullmatch(r"Dragon Bonus (player|banker) (win(\d)|nat_win|nat_tie)", name):
        line = {"nat_win": "natural", "nat_tie": "push"}.get(match[2], f"win_by_{match[3]}")
        return Where("5%", f"bonus_{match[1]}", ways(line))
    if match := re.fullmatch(r"P\(total cards=(\d)\)", name):
        return Where("5%", TOTALS[match[1]], hits)
    if match := re.fullmatch(r"total (\d) EV", name):
        return Where("5%", TOTALS[match[1]], gain)
    if match := re.fullmatch(r"(player|banker) wins with (\d) cards", name):
        when = f"winner = '{match[1]}', {match[1]}_cards = {match[2]}"
        return Where("5%", own, ways("yes"), when)
    if match := re.fullmatch(r"(player|banker) wins with (\d)", name):
        when = f"winner = '{match[1]}', {match[1]}_count = {match[2]}"
        return Where("5%", own, ways("yes"), when)
    if match := re.fullmatch(r"tie with (\d)", name):
        return Where("5%", own, ways("yes"), f"winner = 'tie', player_count = {match[1]}")
    match = re.fullmatch(r"(player|banker) final total (\d)", name)
    assert match is not None, name
    return Where("5%", own, ways("yes"), f"{match[1]}_count = {match[2]}")


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Mapping[str, Data]]:
    """The wagers of each table with eight decks, those of one's own among them."""
    folder: Path = tmp_path_factory.mktemp("own")
    own: list[Any] = []
    for name, _ in PUBLISHED:
        place = where(name)
        if place.when:
            path = folder / f"{place.wager}.toml"
            path.write_text(
                f'[wager]\nid = "{place.wager}"\ntitle = "{name}"\n'
                f'[[line]]\nname = "yes"\nwhen = {{ {place.when} }}\npays = "{place.pays}"\n',
                encoding="utf-8",
            )
            own += ["--own", path]
    return {
        table: wagers_of(
            sheet_of(
                "--submission",
                ROOT / "submissions" / f"{name}.toml",
                "--decks",
                8,
                *(own if table == "5%" else ()),
            )
        )
        for table, name in SUBMISSIONS.items()
    }


@pytest.mark.parametrize(("name", "published"), PUBLISHED)
def test_a_sheet_has_a_published_figure_to_its_last_digit(
    name: str, published: str, sheets: Mapping[str, Mapping[str, Data]]
) -> None:
    place = where(name)
    measured = place.measure(sheets[place.table][place.wager])
    if isinstance(measured, int):
        assert measured == int(published)
        return
    unit = Fraction(1, 10 ** len(published.partition(".")[2]))
    allowed = unit if name in ROUNDED_TWICE else unit / 2
    assert abs(measured - Fraction(published)) <= allowed


def test_all_published_figures_are_asked_for() -> None:
    assert len(PUBLISHED) == len({name for name, _ in PUBLISHED}) == 88
