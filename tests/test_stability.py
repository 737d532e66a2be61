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


def test_every_line_of_a_document_that_is_dropped_is_found() -> None:
    dropped = {line for line in stable.kept() if line.split()[1] == "ledger"}
    assert len(dropped) > 10
    assert stable.gone(stable.kept(), stable.today() - dropped) == sorted(dropped)


def test_a_second_number_of_a_document_leaves_the_keys_of_the_first() -> None:
    line = {"format checkpoint croupier-checkpoint/1", "key checkpoint Checkpoint.stream"}
    both = line | {"format checkpoint croupier-checkpoint/2"}
    assert stable.gone(line, both - {"key checkpoint Checkpoint.stream"}) == [
        "key checkpoint Checkpoint.stream"
    ]


def test_documents_of_several_forms_and_keys_within_lists_are_kept() -> None:
    for line in (
        "key table-log HeaderLine.stream",
        "key run-answer CommandRefused.refused",
        "key checkpoint Checkpoint.signature",
        "key trust .key.public_key",
    ):
        assert line in stable.today(), line
        assert line in stable.kept(), line


def test_the_page_of_stability_is_short_and_names_what_pins_it() -> None:
    text = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8")
    assert len(text.split()) < 900
    pins = ("public_surface.tsv", "service_v1.txt", "stable.txt", "stores", "logs")
    for name in pins:
        assert f"`tests/data/{name}`" in text, name
        assert (stable.KEPT.parent / name).exists()
