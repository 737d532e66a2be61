"""What a rule or a constraint says is told in a line."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.law.load import load_instrument
from croupier.law.model import Constraint, ConstraintKind, Instrument
from croupier.law.wording import constraint_in_words, rule_in_words
from support.made_up_laws import NEW, without_contracts


@pytest.fixture
def law(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Instrument:
    without_contracts(monkeypatch)
    path = tmp_path / "law.toml"
    path.write_text(NEW, encoding="utf-8")
    return load_instrument(path)


@pytest.mark.parametrize(
    ("rule_id", "says"),
    [
        ("burn.count", "10"),
        ("vigorish.rate", "5%"),
        ("decks", "licensee elects: at least 6"),
        ("cut.from_ends", "cutter elects: at least 10"),
        ("cut.execute", "procedure"),
    ],
)
def test_a_rule_tells_its_value_or_what_it_leaves_open_and_to_whom(
    law: Instrument, rule_id: str, says: str
) -> None:
    assert rule_in_words(law.rules[rule_id]) == says


def test_a_fact_of_the_layout_is_no_election(law: Instrument) -> None:
    seats = replace(law.rules["decks"], by="layout")
    assert rule_in_words(seats) == "of the layout: at least 6"


SHUFFLER: Any = {"device": ("shuffler",)}


@pytest.mark.parametrize(
    ("kind", "ties", "says"),
    [
        (
            "requires",
            {"when": SHUFFLER, "then": {"burn.count": (10,)}, "at_least": {"decks": 12}},
            "when device = shuffler: burn.count = 10, decks at least 12",
        ),
        (
            "requires",
            {"when": SHUFFLER, "at_most": {"decks": 16}, "multiple_of": {"decks": 2}},
            "when device = shuffler: decks at most 16, decks a multiple of 2",
        ),
        (
            "excludes",
            {"when": SHUFFLER, "then": {"burn.count": (8, 10)}},
            "when device = shuffler: not burn.count = 8 or 10",
        ),
        ("uniform", {"rules": ("decks", "device")}, "alike in a pit: decks, device"),
        (
            "uniform",
            {"rules": ("decks",), "when": SHUFFLER, "across": "licensee"},
            "when device = shuffler: alike at all tables of the licensee: decks",
        ),
        (
            "uniform",
            {"rules": ("decks",), "beside": "faro"},
            "alike in a pit, next to a table of faro: decks",
        ),
        ("notice", {"rules": ("decks",), "to": ("Board",)}, "notice to Board: decks"),
        (
            "notice",
            {"rules": ("decks",), "to": ("Board", "patrons"), "minutes": 15},
            "notice to Board and patrons, 15 minutes before: decks",
        ),
        (
            "notice",
            {"rules": ("decks", "device"), "to": ("Board",), "when": SHUFFLER},
            "notice to Board: decks, device (only to device = shuffler)",
        ),
    ],
)
def test_a_constraint_tells_what_it_ties_together(
    law: Instrument, kind: str, ties: dict[str, Any], says: str
) -> None:
    constraint = Constraint("a.tie", ConstraintKind(kind), "so", ("XX:1(a)#1",), **ties)
    assert constraint_in_words(constraint, law) == says
