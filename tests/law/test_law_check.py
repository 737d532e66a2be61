"""``croupier law check``: every fault with its place, grouped under its cause, and no traceback."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from croupier.law.faults import CODES, LawError, LawFault
from croupier.law.load import load_instrument
from support.command_line import croupier, told_with
from support.own_law import own_law, own_text
from support.volume import volume

_LINE: Final = re.compile(r"(?P<indent> *)(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<id>.+?): (?P<message>.+) \[(?P<code>[a-z-]+)\]")  # fmt: skip


@pytest.fixture
def law(tmp_path: Path) -> Path:
    return own_law(tmp_path)


def damaged(path: Path, *changes: tuple[str, str]) -> Path:
    text = path.read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    path.write_text(text, encoding="utf-8")
    return path


def lines_of(path: Path) -> list[re.Match[str]]:
    """Return the printed faults."""
    printed = told_with(1, "law", "check", path).stdout.splitlines()[:-1]
    found = [_LINE.fullmatch(line) for line in printed]
    assert all(found), printed
    return [one for one in found if one]


def test_a_good_file_is_accepted(law: Path) -> None:
    printed = told_with(0, "law", "check", law).stdout
    assert printed.endswith("accepted: xx-test/mini@2011-02-22, 207 clauses, 138 rules\n")


def test_a_folder_stands_for_its_law_files(law: Path, tmp_path: Path) -> None:
    assert (
        told_with(0, "law", "check", law.parent).stdout == told_with(0, "law", "check", law).stdout
    )
    (tmp_path / "empty").mkdir()
    said = told_with(2, "law", "check", tmp_path / "empty").stderr
    assert "empty: the folder has no law file: one has a table [instrument]" in said


def test_a_misspelled_id_is_one_fault_with_consequences_below_it(law: Path) -> None:
    damaged(law, ('id = "vigorish.scheme"', 'id = "vigorish.sceme"'))
    first, *others = lines_of(law)
    assert first["message"].endswith("no rule of that id; did you mean vigorish.scheme?")
    assert (first["indent"], first["code"]) == ("", "unknown-rule")
    lines = law.read_text(encoding="utf-8").splitlines()
    assert lines[int(first["line"]) - 1] == 'id = "vigorish.sceme"'
    assert others
    assert all(one["indent"] == "  " for one in others)
    # Read by a program, the same.
    data = json.loads(told_with(1, "law", "check", law, "--format", "json").stdout)
    (file,) = data["files"]
    assert [one["cause"] for one in file["faults"]] == [None] + ["vigorish.sceme"] * len(others)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('8 = "SSSSSSSSSSS"', '8 = "DDDDDDDDDDD"', "no card is drawn to a natural"),
        ('9 = "S" }', '9 = "D" }', "row 9 must match S, not 'D': no card is drawn to a natural"),
        ('5 = "DSSSSDDDDSS"', '5 = "DSSSSXDDDSS"', "row 5 must match [DS]{11}"),
    ],
)
def test_a_fault_of_a_drawing_table_is_told_at_its_row(
    law: Path, old: str, new: str, message: str
) -> None:
    damaged(law, (old, new))
    (fault,) = lines_of(law)
    assert message in fault["message"]
    line = law.read_text(encoding="utf-8").splitlines()[int(fault["line"]) - 1]
    assert line[int(fault["column"]) - 1 :].startswith(new)


def test_an_id_of_an_included_law_is_a_warning(law: Path) -> None:
    damaged(law, ('id = "xx-test/mini"', 'id = "us-nj/minibaccarat"'))
    warning, accepted = told_with(0, "law", "check", law).stdout.splitlines()
    reason = warning.removeprefix(
        f"{law}: warning: us-nj/minibaccarat: no folder of laws may have this file: "
    )
    assert reason.startswith("us-nj/minibaccarat is the id of an included regulation")
    assert "accepted: us-nj/minibaccarat@2011-02-22" in accepted
    refused = told_with(2, "--laws", law.parent, "law", "show", "us-nj/minibaccarat").stderr
    assert reason in refused
    (file,) = json.loads(told_with(0, "law", "check", law, "--format", "json").stdout)["files"]
    assert [one["id"] for one in file["warnings"]] == ["us-nj/minibaccarat"]


def test_a_rule_that_cannot_be_read_is_not_also_missing(law: Path) -> None:
    damaged(law, ('id = "decks"\nkind = "count"', 'id = "decks"\nkind = "cuont"'))
    cause, *consequences = lines_of(law)
    assert (cause["id"], cause["code"]) == ("decks", "shape")
    assert consequences
    assert all(one["indent"] for one in consequences)


@pytest.mark.parametrize(
    ("before", "after", "cause", "consequence"),
    [
        (
            'id = "XX-MINI:7.3(b)"', 'idx = "XX-MINI:7.3(b)"',
            "has no id; is 'idx' meant as it?", "cites a clause that cannot be read: XX-MINI:7.3(b)",
        ),
        (
            'id = "XX-MINI:7.3(b)"', 'id = " XX-MINI:7.3(b)"',
            "'id' must be a nonempty string without spaces around it, not \" XX-MINI:7.3(b)\"",
            "cites a clause that cannot be read: XX-MINI:7.3(b)",
        ),
        (
            'id = "decks"', "id = true",
            "'id' must be a nonempty string without spaces around it, not true", None,
        ),
        (
            'id = "XX-MINI:7.3(b)"\nsays', 'id = "XX-MINI:7.3(b)"\nsay',
            "unknown key 'say'; did you mean says?",
            "cites a clause that cannot be read: XX-MINI:7.3(b)",
        ),
        (
            '[[clause]]\nid = "XX-MINI:7.3(b)"', '[[claus]]\nid = "XX-MINI:7.3(b)"',
            "unknown table; did you mean clause?",
            "cites a clause that cannot be read: XX-MINI:7.3(b)",
        ),
        (
            'id = "XX-MINI:7.3(b)"', 'id = "XX-MIN:7.3(b)"',
            "does not begin with XX-MINI:", "cites a clause that is not in this file",
        ),
        (
            'id = "device"\nkind = "word"', 'id = "device"\nkind = "wrod"',
            "'wrod' is not one of", "names a rule that cannot be read: device",
        ),
        (
            'id = "wagers.tie.pays"\nkind = "odds"', 'id = "wagers.tie.pays"\nkind = "ods"',
            "'ods' is not one of",
            "has no disposition: what cites it, wagers.tie.pays, cannot be read and none is given",
        ),
        (
            'choices = ["5%", "4%",', 'choices = ["5%", "4 %",',
            "is not implemented", "vigorish.scheme is never 4%; it is 5%, or 4 %",
        ),
        ('clause_prefix = "XX-MINI"', 'clause_prefix = "XX-MIN"', "no clause begins with XX-MIN:", ""),
        ('clause_prefix = "XX-MINI"', "clause_prefix = 5", "must be a nonempty string", ""),
    ],
)  # fmt: skip
def test_a_fault_names_its_cause_and_what_follows_is_below_it(
    before: str, after: str, cause: str, consequence: str | None, law: Path
) -> None:
    damaged(law, (before, after))
    roots = [one for one in lines_of(law) if not one["indent"]]
    assert any(cause in one["message"] for one in roots), [one[0] for one in roots]
    if consequence is not None:
        assert len({one["id"] for one in roots}) == 1, [one[0] for one in roots]
        below = [one for one in lines_of(law) if one["indent"]]
        assert any(consequence in one["message"] for one in below) or not consequence


_TIED = '[[constraint]]\nid = "a.tie"\nsays = "so"\ncites = ["XX-MINI:7.3(b)"]\n'
_LUCKY = """
[[rule]]
id = "wagers.lucky"
kind = "wager"
title = "Lucky"
cites = ["XX-MINI:7.3(b)"]
value = { shape = "facts", title = "Lucky", lines = { win = { winner = "tie", cards = 4 } } }

[[rule]]
id = "wagers.lucky.pays"
kind = "paytable"
title = "What it pays"
cites = ["XX-MINI:7.3(b)"]
value = { win = "20:1" }
"""
_WHEN = 'when = { "vigorish.scheme" = "5%" }'


def rule(rule_id: str, kind: str, value: str) -> str:
    return f'[[rule]]\nid = "{rule_id}"\nkind = "{kind}"\ntitle = "t"\ncites = ["XX-MINI:7.3(b)"]\n{value}\n'


@pytest.mark.parametrize(
    ("added", "message"),
    [
        (_TIED + f'kind = "requires"\n{_WHEN}', "a.tie: a constraint of the kind requires needs 'then' or 'at_least'"),
        (_TIED + f'kind = "excludes"\n{_WHEN}', "a.tie: a constraint of the kind excludes needs 'then'"),
        (_TIED + 'kind = "uniform"', "a.tie: a constraint of the kind uniform needs 'rules'"),
        (_TIED + 'kind = "notice"\nrules = ["decks"]\nto = []', "a.tie: a constraint of the kind notice needs 'to'"),
        (_TIED + 'kind = "uniform"\nrules = ["decks"]\nminutes = 5', "a.tie: a constraint of the kind uniform has no 'minutes'"),
        (_TIED + f'kind = "requires"\n{_WHEN}\nat_least = {{ device = 2 }}', "a.tie: bounds device, which is not a count"),
        (_TIED + f'kind = "requires"\n{_WHEN}\nmultiple_of = {{ decks = 0 }}', "a.tie: no count is a multiple of 0"),
        (rule("wagers.not_together", "groups", 'value = [["player", "bankr"]]'), "no wager has the id 'bankr'; did you mean banker?"),
        (rule("limits.of_all_patrons", "awards", 'value = { lucky = "5.00" }'), "no wager has the id 'lucky'"),
        (rule("limits.differential", "money", "value = 500") + rule("limits.differential.between", "order", 'value = ["tie", "tie"]'), "must name 2 different wagers"),
        (rule("settlement.rounds_to", "money", "value = 0") + rule("settlement.rounding", "word", 'value = "up"'), "settlement.rounds_to: must be above zero"),
        (rule("shuffle.dealers", "count", "between = [8, 1]"), "shuffle.dealers: 'between' has its maximum first"),
        (rule("shuffle.dealers", "count", "value = 8\nchoices = [1, 8]"), "shuffle.dealers: has 'value' and 'choices': write one of them"),
        (rule("shuffle.dealers", "count", "between = [1, 8]\ndefault = 9"), "shuffle.dealers: 'default': 9 is out of range: 1 to 8"),
        (rule("shuffle.dealers", "count", "value = 8\ndefault = 8"), "shuffle.dealers: has a 'value', and so no 'default'"),
        (rule("limits.of_all_patrons", "awards", 'at_least = { tie = "5.00" }'), "a value of the kind awards has no minimum"),
        (_LUCKY.replace("winner", "winer"), "wagers.lucky: lines.win.winer: no such fact"),
        (_LUCKY.replace('{ win = "20:1"', '{ wins = "20:1"'), "wagers.lucky.pays: must pay exactly the lines win"),
        (_LUCKY.replace('shape = "facts"', 'shape = "fact"'), "wagers.lucky: shape = 'fact': no such shape"),
        (_LUCKY.replace("]\nvalue", ']\ncites_by = { wins = ["XX-MINI:7.3(b)"] }\nvalue', 1), "wagers.lucky: cites_by names no line of the wager: wins"),
    ],
)  # fmt: skip
def test_what_would_bind_no_one_is_refused_with_its_place(
    added: str, message: str, law: Path
) -> None:
    text = law.read_text(encoding="utf-8")
    law.write_text(f"{text}\n{added}\n", encoding="utf-8")
    (fault,) = lines_of(law)
    assert message in fault[0]
    assert int(fault["line"]) > len(text.splitlines())


def test_a_wager_of_a_known_shape_may_be_among_those_that_exclude_others(law: Path) -> None:
    text = law.read_text(encoding="utf-8")
    both = rule("wagers.not_together", "groups", 'value = [["lucky", "tie"]]')
    law.write_text(f"{text}\n{_LUCKY}\n{both}\n", encoding="utf-8")
    assert "accepted" in told_with(0, "law", "check", law).stdout


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("in_force_known = 2011-02-22", "in_force_known = 2011-02-21"), "'in_force_known' is before 'in_force_from'"),
        (("amended = [", "amended = [\n    2012-01-01,"), "'amended' has a day after 'in_force_from'"),
    ],
)  # fmt: skip
def test_the_days_of_a_text_are_in_order(change: tuple[str, str], message: str, law: Path) -> None:
    (fault,) = lines_of(damaged(law, change))
    assert message in fault["message"]
    assert fault["code"] == "order"


def test_another_kind_of_file_is_one_fault(law: Path) -> None:
    (table := law.with_name("table.toml")).write_text('[rules]\nlaw = "xx"\n', encoding="utf-8")
    (fault,) = lines_of(table)
    assert fault["message"] == "is not a law file: it has no table [instrument]"


def test_a_register_stands_for_the_laws_of_its_folder(law: Path) -> None:
    register = law.with_name("interpretations.toml")
    told = [
        told_with(0, "law", "check", *files).stdout
        for files in ([law], [register], [register, law])
    ]
    assert told[0].count("accepted") == 1
    assert told == told[:1] * 3


def test_what_toml_has_twice_is_said_plainly(law: Path) -> None:
    text = law.read_text(encoding="utf-8")
    for before, after in (
        ('id = "decks"', 'id = "decks"\nid = "decks"'),
        ('[[rule]]\nid = "decks"', '[rule]\nid = "decks"'),
        ('[[clause]]\nid = "XX-MINI:7.3(b)"', '[clause]\nid = "XX-MINI:7.3(b)"'),
    ):
        law.write_text(text, encoding="utf-8")
        damaged(law, (before, after))
        assert "not TOML: a key or table is given twice" in croupier("law", "check", law).stdout


def test_a_pay_rule_without_its_s_is_found(law: Path) -> None:
    damaged(law, ('id = "wagers.tie.pays"', 'id = "wagers.tie.pay"'))
    first, *others = lines_of(law)
    assert "did you mean wagers.tie.pays?" in first["message"]
    assert [(one["id"], one["code"]) for one in others] == [("wagers.tie.pays", "missing-rule")]


def test_an_unreadable_clause_causes_what_cites_it(law: Path) -> None:
    damaged(law, ('class = "A"', 'class = "Q"'))
    first, second = lines_of(law)
    assert law.read_text(encoding="utf-8").splitlines()[int(first["line"]) - 1] == 'class = "Q"'
    assert second["indent"] == "  "
    assert first["id"] in second["message"]


@pytest.mark.parametrize("text", ["[instrument\n", "a = 1\na = 2\n", "x = " + "[" * 999, "\ud800"])
def test_a_file_that_is_not_toml_exits_with_2_and_its_place(tmp_path: Path, text: str) -> None:
    path = tmp_path / "law.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    printed = told_with(2, "law", "check", path).stdout
    assert re.match(rf"{re.escape(str(path))}:\d+:\d+: law\.toml: .+ \[toml\]\n", printed)


def test_a_file_that_does_not_exist_exits_with_2(tmp_path: Path) -> None:
    assert croupier("law", "check", tmp_path / "none.toml").exit_code == 2


# --- damaged files -----------------------------------------------------------------------------

_VALUES: Final = ("3", "-1", "1.5", "true", '""', '"x"', "[]", "[1]", "[[]]", '["x"]', "{}", "{ a = 1 }",
                  "2011-02-22", '"8:1"', '"5%"', "{ a = { b = [] } }", "nan", "12:00:00")  # fmt: skip


def mutants(text: str, number: int, seed: int) -> Iterator[str]:
    """Yield damaged texts: keys, values, and lines changed, moved, repeated, and removed."""
    choose = random.Random(seed)
    lines = text.splitlines()
    for _ in range(number):
        changed = list(lines)
        for _ in range(choose.choice((1, 1, 1, 2, 5))):
            at = choose.randrange(len(changed))
            match choose.randrange(7):
                case 0:
                    del changed[at]
                case 1:
                    changed.insert(at, changed[choose.randrange(len(changed))])
                case 2:
                    key, equals, _ = changed[at].partition(" = ")
                    changed[at] = f"{key}{equals}{choose.choice(_VALUES)}" if equals else "[x]"
                case 3:
                    key, equals, value = changed[at].partition(" = ")
                    changed[at] = f"{key}{choose.choice('abs')}{equals}{value}"
                case 4:
                    changed[at] = changed[at].replace("[[", "[").replace("]]", "]")
                case 5:
                    line = changed[at]
                    where = choose.randrange(len(line) + 1)
                    changed[at] = line[:where] + choose.choice('"[]{}=.,#\\x') + line[where + 1 :]
                case _:
                    other = choose.randrange(len(changed))
                    changed[at], changed[other] = changed[other], changed[at]
        yield "\n".join(changed)


def faults_in(path: Path, text: str) -> tuple[LawFault, ...]:
    """Return the faults of a text; any other exception fails the test."""
    path.write_text(text, encoding="utf-8")
    try:
        load_instrument(path)
    except LawError as error:
        return error.faults
    return ()


def test_damaged_files_give_no_traceback_and_every_fault_has_its_place(tmp_path: Path) -> None:
    path = own_law(tmp_path)
    faulty = 0
    for text in mutants(own_text(), volume(250, 150, most=1000), 31):
        faults = faults_in(path, text)
        faulty += bool(faults)
        assert not faults or any(not one.cause for one in faults)
        for fault in faults:
            assert fault.code in CODES
            assert 1 <= (fault.place.line or 0) <= text.count("\n") + 2
            assert (fault.place.column or 0) >= 1
            assert "\n" not in fault.message
    assert faulty > 100
