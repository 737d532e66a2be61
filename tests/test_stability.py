"""What a released version has stays: law ids, commands with their options, and keys of documents."""

import pytest

from support import stable
from support.project import ROOT


def test_nothing_that_was_released_is_gone() -> None:
    assert stable.gone(stable.kept(), stable.today()) == []


@pytest.mark.parametrize(
    "line",
    [
        "law us-nj/minibaccarat@2011-02-22",
        "clause us-nj/minibaccarat@2011-02-22 NJ-MINI:7.2(d)",
        "rule wagers.tie.pays",
        "command croupier law show",
        "option croupier verify --continues",
        "key par .wagers",
    ],
)
def test_what_is_taken_away_is_found(line: str) -> None:
    assert line in stable.kept()
    assert stable.gone(stable.kept(), stable.today() - {line}) == [line]


def test_a_document_with_a_new_number_may_lose_keys() -> None:
    before = {"format par croupier-par/5", "key par .wagers", "key odds .wagers"}
    after = {"format par croupier-par/6"}
    assert stable.gone(before, after) == ["key odds .wagers"]
    assert stable.gone(before, {"format par croupier-par/5", "key odds .wagers"}) == [
        "key par .wagers"
    ]


def test_the_page_of_stability_is_short_and_names_what_pins_it() -> None:
    text = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8")
    assert len(text.split()) < 900
    pins = ("public_surface.tsv", "service_v1.txt", "stable.txt", "stores", "logs")
    for name in pins:
        assert f"`tests/data/{name}`" in text, name
        assert (stable.KEPT.parent / name).exists()
