"""``croupier law interpretations``: the register, with what rests on each entry."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from croupier.law.interpretations import interpretations
from croupier.law.model import Interpretation
from support.command_line import croupier
from support.made_up_laws import shelf

REGISTER: Final = {
    entry.id: entry
    for entry in (
        Interpretation(
            "T90",
            "How many decks",
            "The text says five, and six.",
            "six",
            ("decks", "no.such.rule"),
            {"five": "Five will do.", "six": "Six are needed."},
            acknowledge=True,
            warnings={"five": "The house may not do it."},
            name="decks.how_many",
        ),
        Interpretation(
            "T91",
            "The burn",
            "Are ten cards ten?",
            "They are.",
            ("burn.count",),
            laws=("yy/game@2010-01-01",),
        ),
    )
}


@pytest.fixture(autouse=True)
def _made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("croupier.law.load.own_register", lambda _: (REGISTER, ()))
    with shelf(tmp_path, monkeypatch) as folder:
        path = folder / "new.toml"
        text = path.read_text(encoding="utf-8")
        marked = 'says = "or a shuffler"\ninterpretations = ["T90"]'
        path.write_text(text.replace('says = "or a shuffler"', marked), encoding="utf-8")
        yield


run = partial(croupier, "law", "interpretations")


def entry_in(told: str, entry: str) -> list[str]:
    """Return the lines of an entry, without blanks, up to the provenance."""
    lines = [" ".join(line.split()) for line in told.splitlines() if line.strip()]
    start = next(at for at, line in enumerate(lines) if line.startswith(f"{entry} "))
    return lines[start : lines.index("Provenance")]


def run_json(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--format", "json").stdout)


def test_an_entry_tells_the_doubt_the_reading_taken_the_others_and_what_rests_on_it() -> None:
    result = run("t90")
    assert result.exit_code == 0
    assert entry_in(result.stdout, "T90") == [
        "T90 How many decks",
        "Question The text says five, and six.",
        "Name decks.how_many",
        "Standing reading",
        "Required a submission must name the reading or it is refused",
        "Affected rules decks, no.such.rule",
        "Texts xx/game@2001-01-16, xx/game@2005-03-01, yy/game@2010-01-01",
        "Reading Says Status",
        "five Five will do. alternative",
        "six Six are needed. adopted",
        "WARNING five: The house may not do it.",
    ]


def test_an_entry_without_readings_tells_the_one_that_is_taken() -> None:
    assert "Adopted They are." in entry_in(run("T91").stdout, "T91")
    assert "alternative" not in run("T91").stdout


def test_with_a_law_it_tells_the_clauses_of_the_rules_and_those_in_doubt() -> None:
    lines = entry_in(run("--law", "xx/game").stdout, "T90")
    assert lines[-4:] == [
        "Text Rule Clauses",
        "xx/game@2001-01-16 decks XX-OLD:9.1(a)~old#1",
        "xx/game@2005-03-01 XX:1(a)#2",
        "xx/game@2005-03-01 decks XX:1(a)#1",
    ]
    assert not any(line.startswith("T91") for line in lines)


def test_a_text_of_one_day_can_be_named() -> None:
    told = run("--law", "xx/game@2001-01-16").stdout
    assert "xx/game@2001-01-16" in told
    assert "2005" not in told


def test_only_those_open_to_election_can_be_asked_for() -> None:
    assert [entry["id"] for entry in run_json()["interpretations"]] == ["T90", "T91"]
    assert [entry["id"] for entry in run_json("--electable")["interpretations"]] == ["T90"]
    assert "No entry of the register matches." in run("T91", "--electable").stdout


def test_the_register_for_a_program() -> None:
    first, second = run_json("--law", "yy/game")["interpretations"]
    (law,) = first.pop("laws")
    assert (law["law"], law["in_force_from"], len(law["law_hash"])) == ("yy/game", "2010-01-01", 64)
    assert law["clauses"] == []
    assert law["rules"] == [{"id": "decks", "cites": ["YY:1"]}]
    assert first == {
        "id": "T90",
        "name": "decks.how_many",
        "title": "How many decks",
        "problem": "The text says five, and six.",
        "reading": "six",
        "readings": {"five": "Five will do.", "six": "Six are needed."},
        "standing": "reading",
        "acknowledge": True,
        "warnings": {"five": "The house may not do it."},
        "rests": ["decks", "no.such.rule"],
    }
    assert second["laws"][0]["rules"] == [{"id": "burn.count", "cites": ["YY:1"]}]
    assert second["readings"] == {}
    assert second["name"] is None


def test_an_entry_is_found_by_its_name_too() -> None:
    named, numbered = run("decks.how_many").stdout, run("T90").stdout
    assert entry_in(named, "T90") == entry_in(numbered, "T90")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("T99",), "the register has no entry 'T99'; it has T90, T91"),
        (("--law", "zz/game"), "no regulation has the id 'zz/game'"),
    ],
)
def test_what_is_not_held_exits_with_two(arguments: tuple[str, ...], reason: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert reason in result.stderr


@pytest.mark.parametrize("columns", [80, 120])
def test_the_whole_register_fits_the_width(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    whole = {**interpretations(), **REGISTER}
    monkeypatch.setattr("croupier.law.load.own_register", lambda _: (whole, ()))
    lines = run(columns=columns).stdout.splitlines()
    headings = {line.split()[0] for line in lines if line}
    assert set(whole) <= headings
    assert all(len(line) <= columns and not line.endswith(" ") for line in lines)
