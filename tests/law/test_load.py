"""The loader refuses a bad law file with every fault at once, each with its place and reason."""

from datetime import date
from pathlib import Path

import pytest

from croupier.law.elect import unsupported
from croupier.law.faults import LawError
from croupier.law.load import load_instrument
from croupier.law.model import Amendment, ClauseClass, Disposition
from croupier.law.values import Odds

GOOD = """\
[instrument]
id = "xx/game"
title = "A game"
authority = "Nobody"
citation = "X "
clause_prefix = "XX"
in_force_from = 2001-01-01
in_force_known = 2002-02-02
observed_on = 2003-03-03
partial = true
amended = [2001-01-01]
note = "Made up for a test."

[[amendment]]
on = 2001-01-01
sections = ["1", "2"]
by = "R.2000 d.1"
note = "The tie added."

[[clause]]
id = "XX:1(a)"
says = "the tie pays at least eight to one"
class = "A"

[[clause]]
id = "XX:1(b)"
says = "the table is green"
class = "C"
disposition = "checklist"
reason = "Seen to before opening."

[[rule]]
id = "wagers.tie.pays"
kind = "odds"
title = "What the tie pays"
cites = ["XX:1(a)"]
at_least = "8:1"
"""


def load(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "law.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(tmp_path: Path, text: str) -> list[str]:
    path = load(tmp_path, text)
    with pytest.raises(LawError) as refused:
        load_instrument(path)
    return str(refused.value).replace(str(path), "law.toml").splitlines()


def line_of(text: str, wanted: str) -> int:
    return text.splitlines().index(wanted) + 1


def test_a_good_file_is_read(tmp_path: Path) -> None:
    law = load_instrument(load(tmp_path, GOOD))
    assert (law.id, law.in_force_from) == ("xx/game", date(2001, 1, 1))
    assert law.clauses["XX:1(a)"].clause_class is ClauseClass.LOGIC
    assert law.rules["wagers.tie.pays"].at_least == Odds(8, 1)
    assert (law.disposition("XX:1(a)"), law.disposition("XX:1(b)")) == (
        Disposition.RULE,
        Disposition.CHECKLIST,
    )
    assert law.speak("XX:1(a)") == "X 1(a)"
    assert law.amendments == (
        Amendment(date(2001, 1, 1), ("1", "2"), "R.2000 d.1", "The tie added."),
    )


def test_an_amendment_need_tell_no_more_than_its_day_and_sections(tmp_path: Path) -> None:
    brief = GOOD.replace('by = "R.2000 d.1"\nnote = "The tie added."\n', "")
    assert brief != GOOD
    law = load_instrument(load(tmp_path, brief))
    assert law.amendments == (Amendment(date(2001, 1, 1), ("1", "2"), None, None),)
    assert load_instrument(load(tmp_path, without_amendment(GOOD))).amendments == ()


def without_amendment(text: str) -> str:
    head, _, rest = text.partition("[[amendment]]\n")
    return head + "[[clause]]" + rest.partition("[[clause]]")[2]


def test_a_file_that_is_not_toml_is_refused_with_its_line(tmp_path: Path) -> None:
    (detail,) = refusal(tmp_path, '[instrument]\nid = "xx\n')
    assert detail.startswith("law.toml:2:9: not TOML: ")


def test_an_unsupported_clause_may_bind_under_a_choice_alone(tmp_path: Path) -> None:
    text = GOOD.replace('class = "C"', 'class = "A"').replace(
        'disposition = "checklist"',
        'disposition = "unsupported"\nmeanwhile = "refuse"\n'
        'applies_when = { "wagers.tie.pays" = "9:1" }',
    )
    law = load_instrument(load(tmp_path, text))
    (clause,) = law.unsupported
    assert not unsupported(law, {"wagers.tie.pays": Odds(8, 1)})
    assert unsupported(law, {"wagers.tie.pays": Odds(9, 1)}) == (clause,)


def test_several_errors_are_told_at_once_each_with_its_line(tmp_path: Path) -> None:
    text = (
        GOOD.replace('class = "A"', 'class = "Z"')
        .replace('at_least = "8:1"', "at_least = 8.5")
        .replace("partial = true\n", "")
    )
    errors = refusal(tmp_path, text)
    clause, rule = (line_of(text, one) for one in ('class = "Z"', "at_least = 8.5"))
    assert errors == [
        f"law.toml:{clause}:1: XX:1(a): 'Z' is not one of A, B, C",
        f'law.toml:{rule}:1: wagers.tie.pays: 8.5 is not odds: write two integers from 1 to 999,999, such as "8:1", as a string',
        "law.toml:2:1: [instrument]: 'partial' is missing",
    ]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('class = "C"', 'class = "C"\ncolour = "green"', "XX:1(b): unknown key 'colour'"),
        ('says = "the table is green"\n', "", "XX:1(b): 'says' is missing"),
        ('says = "the table is green"', "says = 3", "XX:1(b): 'says' must be a nonempty string"),
        (
            'reason = "Seen to before opening."\n',
            "",
            "'disposition' and 'reason' must be given together",
        ),
        (
            'disposition = "checklist"',
            'disposition = "rule"',
            "only 'checklist', 'out-of-scope', and 'unsupported' may be given",
        ),
        (
            'disposition = "checklist"',
            'disposition = "checklist"\non_site = "A plate."',
            "XX:1(b): 'on_site' is of a clause without 'disposition'; use 'reason'",
        ),
        (
            'class = "A"',
            'class = "A"\napplies_when = { "wagers.tie.pays" = "8:1" }',
            "XX:1(a): only a clause of class C, unsupported, or with 'on_site' has",
        ),
        ('id = "XX:1(b)"', 'id = "XX:1(a)"', "XX:1(a): is defined twice as [[clause]]"),
        ('id = "XX:1(b)"', 'id = "YY:1(b)"', "YY:1(b): does not begin with XX:"),
        ('id = "XX:1(b)"\n', "", "[[clause]] number 2: has no id"),
        ('at_least = "8:1"', 'at_least_any = "A"', "'at_least_any' must be a table of names"),
        ('kind = "odds"', 'kind = "float"', "wagers.tie.pays: 'float' is not one of count, money"),
        ('at_least = "8:1"\n', "", "wagers.tie.pays: has neither a value nor an open choice"),
        ('at_least = "8:1"', 'at_least = "8"', "wagers.tie.pays: '8' is not odds"),
        (
            'at_least = "8:1"',
            'at_least = "8:0"',
            "wagers.tie.pays: '8:0' is not odds: write two integers from 1",
        ),
        ('cites = ["XX:1(a)"]', "cites = []", "wagers.tie.pays: cites no clause"),
        (
            'cites = ["XX:1(a)"]',
            'cites = "XX:1(a)"',
            "wagers.tie.pays: 'cites' must be a list of strings",
        ),
        (
            'cites = ["XX:1(a)"]',
            'cites = ["XX:9"]',
            "wagers.tie.pays: cites a clause that is not in this file: XX:9",
        ),
        ('cites = ["XX:1(a)"]', 'cites = ["XX:1(b)"]', "XX:1(a): has no disposition"),
        (
            "2001-01-01\nin_force_known",
            "2001-01-01T09:00:00\nin_force_known",
            "'in_force_from' must be a date",
        ),
        (
            "in_force_known = 2002-02-02",
            "in_force_known = 2002-02-02T09:00:00Z",
            "'in_force_known' must be a date",
        ),
        ("2001-01-01\nin_force_known", '"2001"\nin_force_known', "'in_force_from' must be a date"),
        ('note = "', 'colour = "green"\nnote = "', "[instrument]: unknown key 'colour'"),
        ("[instrument]", "[[instrument]]", "[instrument]: must be a table"),
        ("[[rule]]", "[rule]", "rule: must be a list of tables, [[rule]]"),
        ("[[rule]]", "[[rules]]", "[rules]: unknown table"),
        ("amended = [2001-01-01]", "amended = 2001-01-01", "'amended' must be a list of dates"),
        (
            "on = 2001-01-01",
            "on = 2001-01-02",
            "law.toml:15:1: 2001-01-02: is not one of the dates in",
        ),
        ("on = 2001-01-01", 'on = "2001"', "2001: 'on' must be a date"),
        ("on = 2001-01-01\n", "", "[[amendment]] number 1: 'on' is missing"),
        ('["1", "2"]', "[]", "2001-01-01: 'sections' is empty"),
        ('["1", "2"]', '"1"', "2001-01-01: 'sections' must be a list of strings"),
        ('by = "R.2000 d.1"', "by = 3", "2001-01-01: 'by' must be a nonempty string"),
        ('by = "R.2000 d.1"', 'order = "R"', "2001-01-01: unknown key 'order'"),
        ("[[amendment]]", "[amendment]", "amendment: must be a list of tables, [[amendment]]"),
        (
            'at_least = "8:1"',
            'at_least = "8:1"\napplies_when = { nothing = true }',
            "wagers.tie.pays: names no rule of this file: nothing",
        ),
        (
            'at_least = "8:1"',
            'at_least = "8:1"\napplies_when = { "wagers.tie.pays" = "8:1" }',
            "wagers.tie.pays: applies_when names wagers.tie.pays, which is defined later",
        ),
        (
            'at_least = "8:1"',
            'choices = ["8:1"]\ncites_by = { "9:1" = ["XX:1(a)"] }',
            "wagers.tie.pays: cites_by names no part of the rule: '9:1'",
        ),
        (
            'at_least = "8:1"',
            'at_least = "8:1"\ncites_by = { win = ["XX:1(b)"] }',
            "wagers.tie.pays: cites_by 'win' cites clauses that are not in 'cites': XX:1(b)",
        ),
        (
            'at_least = "8:1"',
            'at_least = "8:1"\napplies_when = "always"',
            "wagers.tie.pays: 'applies_when' must be a table",
        ),
        (
            'at_least = "8:1"',
            'at_least_any = { A = "table.A" }',
            "wagers.tie.pays: table 'A' names no rule: table.A",
        ),
    ],
)
def test_each_error_is_told_with_its_reason(
    tmp_path: Path, old: str, new: str, reason: str
) -> None:
    assert old in GOOD
    assert any(reason in detail for detail in refusal(tmp_path, GOOD.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("constraint", "reason"),
    [
        ('kind = "sometimes"', "'sometimes' is not one of requires"),
        ('kind = "uniform"\nrules = ["nothing"]', "names no rule of this file: nothing"),
        (
            'kind = "excludes"\nwhen = { nothing = 1 }\nthen = { "wagers.tie.pays" = "8:1" }',
            "names no rule of this file: nothing",
        ),
        (
            'kind = "requires"\nwhen = { "wagers.tie.pays" = "eight" }\nthen = { "wagers.tie.pays" = "8:1" }',
            "'eight' is not odds",
        ),
        ('kind = "notice"\nhours = 1', "unknown key 'hours'"),
    ],
)
def test_a_constraint_is_held_to_the_rules_of_its_file(
    tmp_path: Path, constraint: str, reason: str
) -> None:
    head = '[[constraint]]\nid = "a.tie"\nsays = "so"\ncites = ["XX:1(a)"]\n'
    text = f"{GOOD}\n{head}{constraint}\n"
    (detail,) = refusal(tmp_path, text)
    lines = text.splitlines()
    line, column, _ = detail.removeprefix("law.toml:").split(":", 2)
    # The fault is at its key, or at the id.
    assert line_of(text, 'id = "a.tie"') <= int(line) <= len(lines)
    assert column == "1"
    assert f": a.tie: {reason}" in detail


@pytest.mark.parametrize(
    ("kind", "value", "reason"),
    [
        ("count", "1.0", "is not a count"),
        ("count", "-1", "is not a count"),
        ("count", "true", "is not a count"),
        ("money", "0.05", "is not an amount of money"),
        ("money", '"0.5"', "is not an amount of money"),
        ("rate", '"5"', "is not a rate"),
        ("rate", "0.05", "must be a nonempty string"),
        ("flag", '"yes"', "must be true or false"),
        ("order", '"first"', "must be a nonempty list of words"),
        ("paytable", '{ win = "1" }', "is not odds"),
        ("paytable", "{}", "must be a nonempty table of rows"),
        ("procedure", "1", "a procedure has no value"),
    ],
)
def test_a_value_is_written_as_its_kind_wants_it(
    tmp_path: Path, kind: str, value: str, reason: str
) -> None:
    text = GOOD.replace('"odds"', f'"{kind}"').replace('at_least = "8:1"', f"value = {value}")
    errors = refusal(tmp_path, text)
    assert reason in errors[0]
