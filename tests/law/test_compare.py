"""Texts stand side by side, rule by rule."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from croupier.law.compare import OVERVIEW, ComparedRule, cell_in_words, overview, rows_below
from croupier.law.resolve import instruments, resolve
from support.made_up_laws import shelf


@pytest.fixture(autouse=True)
def _made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with shelf(tmp_path, monkeypatch):
        yield


def cells(rows: tuple[ComparedRule, ...], rule_id: str) -> list[str | None]:
    (row,) = (row for row in rows if row.id == rule_id)
    return [None if rule is None else cell_in_words(rule) for rule in row.cells]


def test_each_text_has_a_cell_in_each_row_and_none_where_it_has_no_such_rule() -> None:
    # The old text, the new one, and that of the other state.
    rows = overview(instruments())
    assert cells(rows, "decks") == ["at least 5", "at least 6", "6 to 8"]
    assert cells(rows, "wagers.tie.pays") == ["8:1", "at least 8:1", "at least 8:1"]
    assert cells(rows, "burn.count") == ["10", "10", "one of 8, 10"]
    assert cells(rows, "cut.from_ends") == [None, "cutter: at least 10", None]
    assert cells(rows_below(instruments()), "cut.execute") == [None, "procedure", None]


def test_the_overview_has_the_telling_rules_by_group() -> None:
    rows = overview(instruments())
    assert [(row.group, row.id) for row in rows] == [
        ("Decks", "decks"),
        ("Decks", "device"),
        ("Cut", "cut.from_ends"),
        ("Burn", "burn.count"),
        ("Odds", "wagers.tie.pays"),
    ]


def test_rules_are_found_by_name_and_not_by_the_beginning_of_one() -> None:
    texts = instruments()
    assert [row.id for row in rows_below(texts, ["cut"])] == ["cut.execute", "cut.from_ends"]
    assert [row.id for row in rows_below(texts, ["cut.", "decks"])] == [
        "decks",
        "cut.execute",
        "cut.from_ends",
    ]
    assert rows_below(texts, ["deck"]) == ()
    assert rows_below(texts, ["cut.execute.by"]) == ()


def test_all_rules_stand_once_family_by_family() -> None:
    rows = rows_below([resolve("yy/game", on="latest"), resolve("xx/game", on=date(2005, 3, 1))])
    assert [row.id for row in rows] == [
        "decks",
        "device",
        "burn.count",
        "wagers.tie.pays",
        "vigorish.rate",
        "cut.execute",
        "cut.from_ends",
    ]
    assert {row.group for row in rows if row.id.startswith("cut")} == {"cut"}


def test_a_row_has_the_title_that_most_texts_give_it(tmp_path: Path) -> None:
    path = tmp_path / "shelf" / "old.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Number of decks", "Decks of old"), encoding="utf-8")
    assert next(row.title for row in overview(instruments())) == "Number of decks"


def test_no_telling_rule_is_told_twice() -> None:
    rows = overview(instruments())
    assert len({row.id for row in rows}) == len(rows)
    assert {row.group for row in rows} <= set(OVERVIEW)
