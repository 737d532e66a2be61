"""The schema of a rules submission: completion for an editor, and plain errors at the key."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema_rs import Draft202012Validator

from croupier.cli.common.schema import SCHEMAS
from croupier.law.elect import SubmissionError
from croupier.law.model import Instrument
from croupier.law.resolve import instruments
from croupier.records.submission_schema import days
from croupier.rules import (
    SubmissionDraft,
    draft_rules,
    key_of,
    read_submission,
    submission_of,
    table_rules,
    template,
)
from support import faulty_submissions as faulty
from support.faulty_submissions import SLIPS, Maker, Slip, slipped
from support.project import PLAIN, ROOT, SUBMISSIONS
from support.random_submissions import Tables, legal
from support.volume import volume

SCHEMA: Final = SCHEMAS["rules-submission"]()
SUBMISSION: Final = Draft202012Validator(SCHEMA)

Change = Callable[[dict[str, Any]], object]

drawn = partial(
    settings, max_examples=volume(8, 3, most=24), derandomize=True, deadline=None, database=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip

every_text = pytest.mark.parametrize("law", instruments(), ids=lambda law: law.key)
with_elections = pytest.mark.parametrize(
    "law", [law for law in instruments() if law.elections], ids=lambda law: law.key
)


def tables(path: Path) -> Any:
    """Return a submission as JSON would have it: its dates as text."""
    return as_json(tomllib.loads(path.read_text(encoding="utf-8")))


def as_json(written: Any) -> Any:
    return json.loads(json.dumps(written, default=str))


def errors(written: Any) -> dict[str, str]:
    """Return what is wrong, by the key at which it is reported."""
    return {
        ".".join(map(str, one.instance_path)): one.message
        for one in SUBMISSION.iter_errors(written)
    }


# --- the rules submission ----------------------------------------------------------------------


@pytest.mark.parametrize("path", SUBMISSIONS, ids=lambda path: path.stem)
def test_every_submission_is_as_the_schema_says(path: Path) -> None:
    assert SUBMISSION.is_valid(tables(path))


WRONG: Final[list[Change]] = [
    lambda one: one.pop("submission"),
    lambda one: one.pop("elections"),
    lambda one: one.update(colour={}),
    lambda one: one["submission"].pop("law"),
    lambda one: one["submission"].update(law="us-xx/minibaccarat"),
    lambda one: one["submission"].update(colour="red"),
    lambda one: one["elections"].update(decks=5),
    lambda one: one["elections"].update(decks="8"),
    lambda one: one["elections"].update(decks=8.5),
    lambda one: one["elections"].update(device="robot"),
    lambda one: one["elections"].update(colour="red"),
    lambda one: one["elections"]["vigorish"].update(scheme="6%"),
    lambda one: one["elections"]["vigorish"].update(rounded="yes"),
    lambda one: one["elections"]["wagers"]["tie"].update(pays="8-1"),
    lambda one: one["elections"]["wagers"]["tie"].update(pays=8),
    lambda one: one["elections"]["wagers"]["bonus"].update(paytable="D"),
    lambda one: one["elections"]["wagers"]["bonus"].update(paytable={"natural": "1:1"}),
    lambda one: one["elections"]["irregularity"].update(ten_extra=5),
    lambda one: one.update(interpretations={"T99": "none"}),
    lambda one: one.update(interpretations={"T03": "some"}),
    lambda one: one["table"].update(seats=0),
    lambda one: one["table"].update(numbering="up"),
    lambda one: one["limits"].update(insurance=[5, 500]),
    lambda one: one["limits"].update(tie=[5]),
    lambda one: one["limits"].update(tie=["5.5", 500]),
    lambda one: one["limits"].update(tie=[-5, 500]),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_a_submission_of_another_shape_is_refused_by_schema_and_program(number: int) -> None:
    written = tables(PLAIN)
    WRONG[number](written)
    assert not SUBMISSION.is_valid(written)
    if "submission" in written:
        written["submission"]["on"] = read_submission(PLAIN).on
    with pytest.raises(SubmissionError):
        table_rules(submission_of(written))


def nested(law: Instrument, drawn_tables: Tables) -> Any:
    """Return tables whose elections are nested, as the dotted keys of a file are."""
    elections: dict[str, Any] = {}
    for name, value in drawn_tables["elections"].items():
        known = any(name == rule.id for rule in law.elections)
        *above, last = key_of(law, name) if known else name.split(".")
        below = elections
        for key in above:
            below = below.setdefault(key, {})
            if not isinstance(below, dict):
                return None
        below[last] = value
    return as_json({**drawn_tables, "elections": elections})


@with_elections
def test_every_legal_submission_is_as_the_schema_says(law: Instrument) -> None:
    @drawn()
    @given(legal(law))
    def holds(drawn_tables: Tables) -> None:
        assert errors(nested(law, drawn_tables)) == {}

    holds()


@with_elections
def test_a_new_submission_is_as_the_schema_says_and_names_it(law: Instrument) -> None:
    text = template(draft_rules(SubmissionDraft(law, {}, {}, {})))
    assert text.startswith("#:schema rules-submission.schema.json\n")
    assert errors(as_json(tomllib.loads(text))) == {}


CAUGHT: Final[tuple[Maker, ...]] = (
    faulty.outside_the_choices, faulty.two_choices_at_once, faulty.missing, faulty.of_another_kind,
    faulty.what_is_settled, faulty.what_does_not_apply, faulty.an_unknown_wager,
    faulty.an_unknown_scheme, faulty.a_clash, faulty.a_doubt_not_acknowledged,
    faulty.limits_of_no_wager_here,
)  # fmt: skip
"""The slips that a schema can express: the others are of amounts and of values compared."""


def slips() -> Iterator[Any]:
    for maker, applies in SLIPS:
        for law in instruments():
            if maker in CAUGHT and law.elections and applies(law):
                yield pytest.param(law, maker, id=f"{law.key}-{maker.__name__}")


@pytest.mark.parametrize(("law", "maker"), [*slips()])
def test_a_slip_is_reported_at_its_key(law: Instrument, maker: Maker) -> None:
    @drawn()
    @given(slipped(law, maker))
    def holds(slip: Slip) -> None:
        written = nested(law, slip.tables)
        value = slip.tables["elections"].get(slip.where)
        if written is None or (isinstance(value, float) and value.is_integer()):
            # To JSON 8.0 is an integer, and to TOML a number of another kind.
            return
        assert (found := errors(written)), slip.where
        # Plain: one branch for each key, so no message shows a whole table.
        assert max(map(len, found.values())) < 300, found

    holds()


@pytest.mark.parametrize(
    ("change", "where", "told"),
    [
        (
            lambda one: one["elections"]["wagers"]["bonus"].update(paytabel="A"),
            "elections.wagers.bonus",
            "'paytabel' was unexpected",
        ),
        (
            lambda one: one["elections"]["wagers"]["bonus"].update(paytable="D"),
            "elections.wagers.bonus.paytable",
            '"D" is not one of "A", "B" or "C"',
        ),
        (
            lambda one: one["elections"]["vigorish"].pop("collection"),
            "elections.vigorish",
            '"collection" is a required property',
        ),
        (
            lambda one: one["elections"].pop("decks"),
            "elections",
            '"decks" is a required property',
        ),
        (lambda one: one["limits"].pop("tie"), "limits", '"tie" is a required property'),
        (
            lambda one: one["limits"].update(dragon_7=[5, 500]),
            "limits.dragon_7",
            "only with vigorish.scheme = dragon-7",
        ),
        (
            lambda one: one["elections"].update(device="shuffler"),
            "elections.decks",
            "8 is less than the minimum of 12",
        ),
        (
            lambda one: one["submission"].update(on="2011-02-21"),
            "submission.on",
            "does not match",
        ),
    ],
)
def test_an_error_names_its_key_in_one_sentence(change: Change, where: str, told: str) -> None:
    written = tables(PLAIN)
    change(written)
    found = errors(written)
    assert list(found) == [where]
    assert told in found[where]


def test_quoted_ids_are_for_the_program_alone() -> None:
    """An editor knows one spelling of each key; the program reads a quoted id as well."""
    written = tables(PLAIN)
    tie = written["elections"]["wagers"].pop("tie")
    written["elections"]["wagers.tie.pays"] = tie["pays"]
    assert "'wagers.tie.pays' was unexpected" in errors(written)["elections"]
    written["submission"]["on"] = read_submission(PLAIN).on
    assert table_rules(submission_of(written)).sha256 == table_rules(read_submission(PLAIN)).sha256


@every_text
def test_every_choice_of_a_law_is_in_the_schema_with_its_clauses(law: Instrument) -> None:
    elections = SCHEMA["$defs"][law.key]["properties"]["elections"]
    for rule in law.elections:
        known: Any = elections
        for key in key_of(law, rule.id):
            known = known["properties"][key]
        assert known["title"] == rule.title
        assert known["description"] == ", ".join(rule.cites)
        assert known.get("default") == rule.default
        for choice in rule.choices:
            shown = choice if isinstance(choice, int | str) else rule.written(choice)
            assert Draft202012Validator(known).is_valid(shown)


@pytest.mark.parametrize("path", SUBMISSIONS, ids=lambda path: path.stem)
def test_every_sample_names_its_schema_for_an_editor(path: Path) -> None:
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    named = first.removeprefix("#:schema ")
    assert (path.parent / named).resolve() == ROOT / "docs/schemas/rules-submission.schema.json"


SPANS: Final = [
    (date(2011, 2, 22), date(2011, 2, 22)),
    (date(1999, 7, 6), date(2001, 1, 16)),
    (date(2003, 12, 31), date(2004, 1, 1)),
    (date(2009, 9, 9), date(2020, 1, 10)),
    *((law.in_force_from, law.in_force_known) for law in instruments()),
]


@pytest.mark.parametrize(("first", "last"), SPANS)
def test_the_pattern_of_a_span_is_that_of_its_days(first: date, last: date) -> None:
    pattern = re.compile(days(first, last))
    around = [first - timedelta(days=400), last + timedelta(days=400)]
    day = around[0]
    while day <= around[1]:
        assert bool(pattern.search(day.isoformat())) == (first <= day <= last), day
        day += timedelta(days=1)


def test_the_spans_of_one_regulation_have_no_day_in_common() -> None:
    for one, other in pairwise(sorted(instruments(), key=lambda law: (law.id, law.in_force_from))):
        assert one.id != other.id or one.in_force_known < other.in_force_from
