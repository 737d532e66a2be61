"""Forms of the tray as law data: their copies, who keeps each, and who signs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts.command import TERMS
from croupier.law.contracts import contracts, duty_warnings
from croupier.law.load import load_instrument
from croupier.law.model import Rule
from croupier.law.resolve import resolve, substituted
from croupier.law.values import Kind
from croupier.rules import TableRules, default_submission, table_rules
from croupier.table.machine.position import Actor, Stamp
from croupier.table.machine.session import RefusedError, TableSession
from support.command_line import told_with
from support.own_law import own_law

LAW, DAY = "us-nj/minibaccarat", date(2011, 2, 22)
IDA, NED = Actor("Ida", "dealer"), Actor("Ned", "floorperson")
CAY, CLARA = Actor("Cay", "cage"), Actor("Clara", "pit clerk")
FILL = {2_500: 4}
COPIES = {"original": "cage", "duplicate": "drop box", "triplicate": "pit clerk"}


@contextmanager
def ruled(forms: Mapping[str, Any]) -> Iterator[TableRules]:
    text = resolve(LAW, on=DAY)
    clause = next(iter(text.clauses))
    added = {
        name: Rule(
            name, Kind.TABLE if isinstance(value, dict) else Kind.ORDER, name, (clause,), value
        )
        for name, value in forms.items()
    }
    with substituted(replace(text, rules={**text.rules, **added})):
        yield table_rules(default_submission(LAW, DAY))


def opened(rules: TableRules) -> TableSession:
    session = TableSession(rules)
    session.execute(acts.OpenTable(100_000_000, "Ida", "Ned", DAY), Stamp((NED, IDA)))
    for one in (CAY, CLARA):
        session.execute(acts.AssignOffice(one.office, one.person), Stamp((NED,)))
    return session


def issued(session: TableSession) -> None:
    session.execute(acts.RequestFill(1, FILL), Stamp((NED,)))
    session.execute(acts.IssueFill(1, FILL), Stamp((CAY,)))


def test_each_form_is_completed_by_a_known_act() -> None:
    assert set(contracts().forms) <= set(TERMS)


def test_an_included_law_records_no_copies() -> None:
    session = opened(table_rules(default_submission(LAW, DAY)))
    issued(session)
    (received,) = session.execute(acts.ReceiveFill(1, FILL), Stamp((IDA, NED)))
    assert isinstance(received, acts.FillReceived)


def test_the_copies_of_a_fill_go_where_the_law_says_once_all_have_signed() -> None:
    forms = {
        "forms.fill.copies": COPIES,
        "forms.fill.signatures": ("dealer", "floorperson", "pit clerk"),
    }
    with ruled(forms) as rules:
        session = opened(rules)
        issued(session)
        with pytest.raises(RefusedError, match="pit clerk"):
            session.execute(acts.ReceiveFill(1, FILL), Stamp((IDA, NED)))
        received, copies = session.execute(acts.ReceiveFill(1, FILL), Stamp((IDA, NED, CLARA)))
        assert isinstance(received, acts.FillReceived)
        assert isinstance(copies, acts.CopiesDistributed)
        assert dict(zip(copies.copies, copies.keepers, strict=True)) == COPIES
        assert copies.signed == ("dealer", "floorperson", "pit clerk")
        assert copies.clauses == rules.law.rules["forms.fill.copies"].cites


def test_no_person_signs_twice() -> None:
    with ruled({"forms.fill.signatures": ("dealer", "floorperson", "pit clerk")}) as rules:
        session = opened(rules)
        issued(session)
        twice = (IDA, NED, Actor("Ned", "pit clerk"))
        with pytest.raises(RefusedError, match=r"two offices|not assigned"):
            session.execute(acts.ReceiveFill(1, FILL), Stamp(twice))


def test_the_closer_is_copied_at_the_closing_count_alone() -> None:
    with ruled({"forms.closer.copies": {"original": "accounting"}}) as rules:
        session = opened(rules)
        count = acts.CountInventory({2_500_000: 40}, closing=False)
        assert len(session.execute(count, Stamp((IDA, NED)))) == 1
        session.execute(acts.CloseTable(), Stamp((NED, IDA)))
        count = acts.CountInventory({2_500_000: 40}, closing=True)
        assert len(session.execute(count, Stamp((IDA, NED)))) == 2


def test_copies_that_check_nothing_are_warned_of() -> None:
    with ruled({"forms.fill.copies": dict.fromkeys(COPIES, "cage")}) as rules:
        assert "every copy stays" in dict(duty_warnings(rules.law.rules))["forms.fill.copies"]
    with ruled({"forms.fill.copies": COPIES}) as rules:
        assert not dict(duty_warnings(rules.law.rules))


@pytest.mark.parametrize(
    ("rule", "kind", "value", "fault", "line", "column"),
    [
        ("forms.fill.copies", "table", '{ original = "pocket" }', "row original must match", 7, 11),
        ("forms.fill.signatures", "order", '["patron"]', "'patron' is not implemented", 7, 1),
        ("forms.fills.copies", "table", '{ original = "cage" }', "did you mean forms.fill.", 3, 1),
    ],
)
def test_a_form_that_is_not_implemented_is_refused_with_its_place(  # noqa: PLR0917  (each is of the case)
    tmp_path: Path, rule: str, kind: str, value: str, fault: str, line: int, column: int
) -> None:
    path = own_law(tmp_path / "laws")
    text = path.read_text(encoding="utf-8")
    clause = next(iter(load_instrument(path).clauses))
    form = f'[[rule]]\nid = "{rule}"\nkind = "{kind}"\ntitle = "Who"\ncites = ["{clause}"]\n'
    path.write_text(f"{text}\n{form}value = {value}\n", encoding="utf-8")
    said = told_with(1, "law", "check", str(path)).stdout
    assert f":{text.count(chr(10)) + line}:{column}: {rule}: " in said
    assert fault in said
