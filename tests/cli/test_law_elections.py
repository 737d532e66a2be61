"""``croupier law elections``: all that a regulation leaves to the licensee, and nothing else."""

import json
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from croupier.law import load
from croupier.law.interpretations import interpretations
from croupier.law.resolve import instruments
from croupier.rules import default_submission, submission_of, table_rules
from support.command_line import croupier
from support.texts import NJ_MINI, dated

run = partial(croupier, "law", "elections")
NJ = dated("us-nj/minibaccarat")


def document(law: str) -> Any:
    return json.loads(run(law, "--format", "json").stdout)


def by_id(law: str) -> dict[str, Any]:
    return {one["id"]: one for one in document(law)["elections"]}


@pytest.mark.parametrize("law", [one.key for one in instruments()])
def test_it_lists_every_rule_that_its_file_leaves_open_to_the_licensee(law: str) -> None:
    written = tomllib.loads(
        (Path(load.__file__).parent / "instruments" / f"{law}.toml").read_text(encoding="utf-8")
    )
    open_rules = [
        (one["id"], one["cites"])
        for one in written.get("rule", [])
        if "value" not in one and one["kind"] != "procedure" and one.get("by", "licensee") == "licensee"
    ]  # fmt: skip
    found = document(law)
    assert [(one["id"], one["cites"]) for one in found["elections"]] == open_rules
    ties = [(one["id"], one["kind"], one["cites"]) for one in written.get("constraint", [])]
    assert [(one["id"], one["kind"], one["cites"]) for one in found["constraints"]] == ties


def test_each_has_its_choices_with_their_clauses_its_bounds_and_its_default() -> None:
    found = by_id(NJ)
    # 7.1(a) asks for six decks at least, and names no maximum.
    assert (found["decks"]["minimum"], found["decks"]["maximum"]) == (6, None)
    assert found["decks"]["choices"] == []
    # 7.3(c) takes five percent or four; 7.3(d) a quarter of the wager on a tie.
    scheme = {one["choice"]: one["cites"] for one in found["vigorish.scheme"]["choices"]}
    assert scheme["4%"] == ["NJ-MINI:7.3(c)#2"]
    assert scheme["tie-25%"] == ["NJ-MINI:7.3(d)#1", "NJ-MINI:7.3(d)#3"]
    # 7.3(b): eight to one or more; odds are written as a submission writes them.
    assert found["wagers.tie.pays"]["minimum"] == "8:1"
    # 7.3(h): table A, B, or C, or better.
    tables = found["wagers.bonus.paytable"]
    assert ([one["choice"] for one in tables["choices"]], tables["or_better"]) == (["A", "B", "C"], True)  # fmt: skip
    assert tables["applies_when"] == {"wagers.bonus.offered": [True]}
    portion = by_id(dated("us-ma/minibaccarat"))["wagers.house_money.portion"]
    assert (portion["minimum"], portion["maximum"]) == ("0%", "100%")


def test_every_choice_is_one_that_a_submission_may_write() -> None:
    plain = default_submission("us-nj/minibaccarat", NJ_MINI)
    for name in ("device", "vigorish.scheme", "wagers.tie.pays"):
        one = by_id(NJ)[name]
        for choice in [one["choice"] for one in one["choices"]] or [one["minimum"]]:
            read = {"submission": {"law": "us-nj/minibaccarat", "on": NJ_MINI}, "elections": {name: choice}}  # fmt: skip
            assert submission_of(read).elections[name] == choice
    assert table_rules(plain).settled["decks"] == by_id(NJ)["decks"]["default"]


def test_the_readings_that_may_be_elected_are_listed_with_what_rests_on_them() -> None:
    found = document(NJ)
    names = [one["id"] for one in found["readings"]]
    assert "T03" in names
    assert all(interpretations()[name].readings for name in names)
    (one,) = (entry for entry in found["readings"] if entry["id"] == "T03")
    assert [law["law"] for law in one["laws"]] == ["us-nj/minibaccarat"]
    assert found["elections"][0]["interpretations"]


def test_a_person_reads_the_same() -> None:
    shown = " ".join(run(NJ).stdout.split())
    # The caption names the text; each election its choices, default, condition, clauses, standing.
    assert NJ in shown
    for words in (
        "wagers.bonus.paytable", "A NJ-MINI:7.3(h)_Paytable_A", "Only with wagers.bonus.offered = true",
        "Open at least 6", "Default 8", "Clauses NJ-MINI:7.1(a)#1", "Standing text",
        "Binds when device = shuffler: decks at least 12", "T03",
    ):  # fmt: skip
        assert words in shown


def test_a_day_must_be_named() -> None:
    result = run("us-nj/minibaccarat")
    assert (result.exit_code, "give the date" in result.stderr) == (2, True)
