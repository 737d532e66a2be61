"""A law says which offices give an act, and which consent to it; some separations stay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts.command import TERMS
from croupier.acts.roles import POSTED, Role
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.law.contracts import contracts, duty_rule, duty_warnings
from croupier.law.faults import LawError
from croupier.law.load import load_instrument
from croupier.law.model import Rule
from croupier.law.resolve import resolve, substituted
from croupier.law.values import Kind
from croupier.records.view.seen import seen_acts
from croupier.records.view.sight import Viewer
from croupier.rules import TableRules, default_submission, table_rules
from croupier.scenarios.plainest import given_by
from croupier.scenarios.stage import Stage
from croupier.table import Phase
from croupier.table.machine.act_sheets import act_sheets
from croupier.table.machine.offered import acts as offered
from croupier.table.people.duty import terms_under
from croupier.table.people.offices import Actor, may
from support.command_line import told_with
from support.own_law import own_law

LAW, DAY = "us-nj/minibaccarat", date(2011, 2, 22)
CLAUSE = "NJ-MINI:7.5(g)"
IDA, NED = Actor("Ida", "dealer"), Actor("Ned", "floorperson")
BEA, SUE = Actor("Bea", "pit boss"), Actor("Sue", "surveillance")
RECUT = acts.RequireRecut("Bea", "the cut was uneven")


@contextmanager
def ruled(duties: Mapping[str, tuple[str, ...]]) -> Iterator[TableRules]:
    text = resolve(LAW, on=DAY)
    clause = next(iter(text.clauses))
    added = {
        f"duties.{name}": Rule(f"duties.{name}", Kind.ORDER, name, (clause,), offices)
        for name, offices in duties.items()
    }
    with substituted(replace(text, rules={**text.rules, **added})):
        yield table_rules(default_submission(LAW, DAY))


def opened(rules: TableRules) -> Stage:
    stage = Stage(rules)
    stage.execute(acts.OpenTable(100_000_000, "Ida", "Ned", DAY))
    for person, office in (("Bea", "pit boss"), ("Sue", "surveillance")):
        stage.execute(acts.AssignOffice(office, person))
    return stage


def refused(stage: Stage, command: acts.Command, *by: Actor) -> str | None:
    answer = may(stage.state, command, by, stage.rules)
    if answer is None:
        return None
    assert answer.clauses or stage.rules.law.id == LAW
    return answer.code


def test_the_contracts_name_the_offices_that_give_each_act_in_any_case() -> None:
    for group in contracts().duties:
        for act in group.acts:
            assert not group.offices or set(group.offices) == set(map(str, TERMS[act].does)), act
            assert not TERMS[act].draws, "no card is known before a consent"
    assert set(contracts().consents) == set(map(str, POSTED))


def test_a_law_without_duties_has_those_of_the_program() -> None:
    rules = table_rules(default_submission(LAW, DAY))
    assert all(terms_under(act, rules) is terms for act, terms in TERMS.items())


def test_the_office_that_a_law_names_gives_the_act_and_no_other() -> None:
    with ruled({"require_recut": ("pit boss",)}) as rules:
        stage = opened(rules)
        assert refused(stage, RECUT, BEA) is None
        named = acts.RequireRecut("Ned", "the cut was uneven")
        assert refused(stage, named, NED) == "two_persons"
        assert refused(stage, RECUT, NED) == "not_your_office"
        answer = may(stage.state, RECUT, (NED,), rules)
        assert answer is not None
        assert answer.clauses == rules.law.rules["duties.require_recut"].cites
        sheet = next(one for one in act_sheets(rules.law) if one.act == "RequireRecut")
        assert sheet.by == ("pit boss",)
        assert [one.person for one in given_by(stage.state, RECUT, rules)] == ["Bea"]


def test_the_office_that_a_law_names_consents() -> None:
    with ruled({"require_recut.consent": ("surveillance",)}) as rules:
        stage = opened(rules)
        assert refused(stage, RECUT, BEA) == "consent_needed"
        assert refused(stage, RECUT, BEA, SUE) is None
        assert refused(stage, RECUT, BEA, Actor("Bea", "surveillance")) is not None
        assert len(given_by(stage.state, RECUT, rules)) == 2


def test_the_sheet_of_an_act_calls_offices_as_the_law_does() -> None:
    law = resolve(LAW, on=DAY)
    called = replace(law, usage=replace(law.usage, offices={"pit boss": "casino supervisor"}))
    sheets = {one.act: one for one in act_sheets(called)}
    assert sheets["RelieveFloorperson"].by == ("casino supervisor",)
    assert "pit boss" not in sheets["DropForm"].says
    # The paraphrases still say pit boss: under this law that is no office.
    assert {person for step in sheets["DropForm"].steps for person in step.persons} == {
        "dealer", "pit clerk"
    }  # fmt: skip


def test_what_is_offered_has_the_offices_of_the_law() -> None:
    with ruled({"order_decks": ("pit boss",), "order_decks.consent": ("cage",)}) as rules:
        stage = opened(rules)
        stage.execute(acts.SeatPatron(1, "Ann"))
        stage.until(Phase.BETTING)
        act = next(one for one in offered(stage.state, rules) if one.command is acts.OrderDecks)
        assert (act.who, act.also) == ((Role.PIT_BOSS,), (Role.CAGE,))


MISREAD = acts.CorrectMisreadCard(Card.of("9h"), Card.of("9d"), "Ned", Hand.PLAYER, 1)


@pytest.mark.parametrize(
    ("duties", "enough", "lacking"),
    [
        ({}, ((IDA, NED), (NED,)), ((IDA,), (IDA, SUE))),
        (
            {"correct_misread_card.consent": ("surveillance",)},
            ((IDA, NED, SUE), (NED, SUE)),
            ((IDA, NED), (NED,), (IDA, SUE)),
        ),
        (
            {"correct_misread_card.consent": ("supervisor",)},
            ((IDA, NED, BEA), (NED, BEA)),
            ((NED,), (IDA,)),
        ),
        ({"correct_misread_card": ("dealer",)}, ((IDA, NED),), ((NED,), (IDA,))),
    ],
)
def test_a_law_adds_no_second_supervisor_to_the_correction_of_a_misread_card(
    duties: Mapping[str, tuple[str, ...]],
    enough: tuple[tuple[Actor, ...], ...],
    lacking: tuple[tuple[Actor, ...], ...],
) -> None:
    with ruled(duties) as rules:
        stage = opened(rules)
        for by in enough:
            assert refused(stage, MISREAD, *by) is None, by
        for by in lacking:
            assert refused(stage, MISREAD, *by) is not None, by
        by_itself = replace(MISREAD, supervisor="Ida")
        assert refused(stage, by_itself, IDA, NED) == "two_persons"


def test_a_supervisor_is_asked_for_the_consent_of_another_only_if_the_law_requires_one() -> None:
    asked = {
        (): [],
        ("surveillance",): ["surveillance"],
        ("supervisor",): ["supervisor"],
    }
    for consents, also in asked.items():
        duties = {"correct_misread_card.consent": consents} if consents else {}
        with ruled(duties) as rules:
            stage = opened(rules)
            stage.execute(acts.SeatPatron(1, "Ann"), acts.BuyChips(1, 100_000))
            stage.deal("9h 8d Kh")
            offers = offered(stage.state, rules)
            act = next(one for one in offers if one.command is acts.CorrectMisreadCard)
            for viewer, more in (("floorperson", []), ("dealer", ["supervisor"])):
                (seen,) = seen_acts(Viewer(viewer), [act])
                assert {*seen["also"]} == {*also, *more}, (viewer, consents)


def test_a_consent_that_a_law_adds_is_not_refused_under_an_entry_of_another_law() -> None:
    with ruled({"remove_cards.consent": ("surveillance",)}) as rules:
        answer = may(opened(rules).state, acts.RemoveCards(), (IDA,), rules)
        assert answer is not None
        assert (answer.code, answer.clauses) == (
            "consent_needed",
            rules.law.rules["duties.remove_cards.consent"].cites,
        )


# --- a law that gives everything to one person -----------------------------------------------------


def everything(office: str) -> Mapping[str, tuple[str, ...]]:
    return {
        duty_rule(act).removeprefix("duties."): (office,)
        for group in contracts().duties
        for act in group.acts
        if office in group.offices
    } | {
        f"{duty_rule(act).removeprefix('duties.')}.consent": (office,)
        for group in contracts().duties
        for act in group.acts
    }


def test_one_person_still_fills_no_tray_and_destroys_no_decks_alone() -> None:
    with ruled(everything("floorperson")) as rules:
        stage = opened(rules)
        # The floorperson gives and consents: two floorpersons do it, and the cage still issues.
        assert refused(stage, acts.RequestFill(1, {2_500: 4}), NED) == "consent_needed"
        issue = acts.IssueFill(1, {2_500: 4})
        assert refused(stage, issue, NED) == "not_your_office"
        assert refused(stage, acts.ReceiveFill(1, {2_500: 4}), NED) == "not_your_office"
        destroy = acts.DestroyDecks(1, "Ned", canceled=False)
        assert refused(stage, destroy, NED) == "consent_needed"
        twice = (NED, Actor("Ned", "surveillance"))
        assert refused(stage, destroy, *twice) in {"two_persons", "not_on_duty"}
        verify = acts.VerifyCards("Ida", accepted=True)
        assert refused(stage, verify, NED) == "two_persons"
        for act, terms in TERMS.items():
            assert set(terms.together) <= set(terms_under(act, rules).together)


def test_such_a_law_is_warned_of() -> None:
    with ruled(everything("floorperson")) as rules:
        said = dict(duty_warnings(rules.law.rules))
    assert "the floorperson alone gives this and 17 other acts" in said["duties.deal_for_curator"]
    assert "two persons" in said["duties.require_recut"]
    with ruled({"require_recut": ("pit boss",)}) as rules:
        assert not dict(duty_warnings(rules.law.rules))


@pytest.mark.parametrize(
    ("rule", "office", "fault"),
    [
        ("duties.require_recut", "dealer", "'dealer' is not implemented"),
        ("duties.require_recut", "pit bos", "did you mean pit boss?"),
        ("duties.require_recut.consent", "patron", "'patron' is not implemented"),
        ("duties.issue_fill", "dealer", "the program implements no rule of that id"),
        ("duties.verify_cards", "dealer", "the program implements no rule of that id"),
        ("duties.draw_card", "pit boss", "the program implements no rule of that id"),
    ],
)
def test_a_duty_that_separates_no_one_is_refused_with_its_place(
    tmp_path: Path, rule: str, office: str, fault: str
) -> None:
    path = own_law(tmp_path / "laws")
    text = path.read_text(encoding="utf-8")
    clause = next(iter(load_instrument(path).clauses))
    duty = f'[[rule]]\nid = "{rule}"\nkind = "order"\ntitle = "Who"\ncites = ["{clause}"]\n'
    path.write_text(f'{text}\n{duty}value = ["{office}"]\n', encoding="utf-8")
    key = "id" if "no rule of that id" in fault else "value"
    place = path.read_text(encoding="utf-8").rindex(f"\n{key} = ")
    line = path.read_text(encoding="utf-8").count("\n", 0, place) + 2
    said = told_with(1, "law", "check", str(path)).stdout
    assert f":{line}:1: {rule}: " in said
    assert fault in said
    with pytest.raises(LawError):
        load_instrument(path)


def test_law_check_prints_the_warning(tmp_path: Path) -> None:
    path = own_law(tmp_path / "laws")
    clause = next(iter(load_instrument(path).clauses))
    with path.open("a", encoding="utf-8") as file:
        for rule in ("duties.require_recut", "duties.require_recut.consent"):
            file.write(
                f'\n[[rule]]\nid = "{rule}"\nkind = "order"\ntitle = "Who"\ncites = ["{clause}"]\n'
                'value = ["pit boss"]\n'
            )
    said = told_with(0, "law", "check", str(path)).stdout
    assert "warning: duties.require_recut: the pit boss gives it and consents: two persons" in said
