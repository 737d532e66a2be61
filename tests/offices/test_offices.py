"""Every act of a table in every office: the right ones let in, all others refused."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, Final

from msgspec.structs import replace

from croupier import acts
from croupier.acts import CardsReceived, Command
from croupier.acts.command import TERMS
from croupier.acts.roles import Role, includes
from croupier.baccarat.coup import Hand
from croupier.law.contracts import known_rule_ids
from croupier.table import Phase, Refusal, evolve
from croupier.table.machine.position import Stamp
from croupier.table.machine.session import TableSession
from croupier.table.machine.state import Patron, TableState, with_slice
from croupier.table.parts.curator import CuratorState
from croupier.table.people.duty import Duty
from croupier.table.people.offices import Actor, may
from support.cases import each
from support.table import rules_of

SEAT: Final = 5
STAFF: Final = {
    Role.ACCOUNTING: "Asta", Role.CAGE: "Carl", Role.DEALER: "Dunja", Role.FLOORPERSON: "Femke",
    Role.LICENSEE: "Lino", Role.PIT_BOSS: "Bram", Role.PIT_CLERK: "Kaja", Role.SUPERVISOR: "Sefa",
    Role.SURVEILLANCE: "Vito",
}  # fmt: skip

SECOND: Final = {
    Role.ACCOUNTING: "Zora", Role.FLOORPERSON: "Zeno", Role.PIT_CLERK: "Zita",
}  # fmt: skip
"""Who also holds an office that two act in together."""


def actor(office: Role, seat: int = SEAT) -> Actor:
    """Return who acts in an office at the table of these tests; a patron sits in a seat."""
    if office is Role.PATRON:
        return Actor(f"guest {seat}", office, seat=seat)
    return Actor(STAFF.get(office, "vault"), office)


def table() -> TableState:
    """Return a table at which every office is held, and three seats are taken."""
    state = TableSession(rules_of()).state
    duty = Duty()
    for office, person in STAFF.items():
        duty = duty.with_person(office, person)
    for office, person in SECOND.items():
        duty = duty.with_person(office, person)
    seats = {seat: Patron(f"guest {seat}", 500_00) for seat in (2, SEAT, 6)}
    return with_slice(replace(state, seats=seats), duty)


def plain(kind: type[Command], supervisor: str = STAFF[Role.SUPERVISOR]) -> Command:
    """Return a command with arguments of the right kind; the guard looks at nobody but persons."""
    names = TERMS[kind.__name__].names
    given: dict[str, Any] = {}
    for name, written in kind.__annotations__.items():
        if name in names:
            given[name] = supervisor if name == "supervisor" else STAFF[names[name]]
            if name != next(one for one, office in names.items() if office is names[name]):
                given[name] = SECOND[names[name]]
        elif name == "seat":
            given[name] = SEAT
        elif name == "hand":
            given[name] = Hand.PLAYER
        else:
            given[name] = {"int": 3, "bool": True}.get(written, "whatever")
    return kind(**given)


def cells() -> Iterator[tuple[type[Command], Role]]:
    """Yield every act with every office."""
    for kind in Command.__subclasses__():
        for office in Role:
            if office is not Role.CURATOR:
                yield kind, office


def test_every_act_of_a_table_has_its_row() -> None:
    assert set(TERMS) == {kind.__name__ for kind in Command.__subclasses__()}


def test_the_rule_of_each_row_is_one_of_some_regulation() -> None:
    assert {row.rule for row in TERMS.values()} - {""} <= known_rule_ids()


def test_a_row_names_the_fields_of_its_commands() -> None:
    for kind in Command.__subclasses__():
        assert TERMS[kind.__name__].names.keys() <= kind.__annotations__.keys(), kind


@each(("kind", "office"), list(cells()))
def test_every_office_in_the_place_of_every_other(kind: type[Command], office: Role) -> None:
    act = TERMS[kind.__name__]
    # Whoever names a second person of an office needs that one.
    others = (
        Actor(SECOND.get(one, "Zora"), one)
        if one is office or act.consents_of(one) > 1
        else actor(one)
        for one in act.together
        # A supervisor who gives an act consents to it.
        if act.consents_of(one) > 1 or one not in act.does or not includes(office, one)
    )
    by = (actor(office), *others)
    supervises = Role.SUPERVISOR in act.does and office in {Role.FLOORPERSON, Role.PIT_BOSS}
    command = plain(kind, STAFF[office]) if supervises else plain(kind)
    answer = may(table(), command, by, rules_of())
    if office in act.does or supervises:
        assert answer is None, answer
        return
    assert isinstance(answer, Refusal)
    # Two who give it and one who consents: a stranger in the place of the latter.
    among = office in act.together and not {*act.does}.isdisjoint(act.together)
    assert answer.code == ("not_on_duty" if among else "not_your_office")
    in_force = act.rule in rules_of().in_force
    assert bool(answer.clauses) is in_force


@each("kind", [row.command for name, row in TERMS.items() if row.together])
def test_an_act_that_takes_two_is_not_done_by_one(kind: type[Command]) -> None:
    row = TERMS[kind.__name__]
    doer = actor(row.does[-1])
    alone = may(table(), plain(kind), (doer,), rules_of())
    assert alone is not None
    assert alone.code == "consent_needed"
    both = (doer, *(Actor(doer.person, one) for one in row.together))
    refused = may(table(), plain(kind), both, rules_of())
    assert refused is not None
    assert refused.code in {"two_persons", "not_on_duty"}


def test_the_dealer_reports_a_misread_card_and_the_named_supervisor_consents() -> None:
    kind, floor, boss = acts.CorrectMisreadCard, actor(Role.FLOORPERSON), actor(Role.PIT_BOSS)
    named = plain(kind, floor.person)
    dealer = actor(Role.DEALER)
    assert may(table(), named, (floor,), rules_of()) is None
    assert may(table(), named, (dealer, floor), rules_of()) is None
    refused = may(table(), named, (dealer,), rules_of())
    assert refused is not None
    assert refused.code == "consent_needed"
    # Neither a second dealer nor a supervisor who is not named replaces the consent.
    for other, code in ((Actor("Zora", Role.DEALER), "not_on_duty"), (boss, "not_on_duty")):
        refused = may(table(), named, (dealer, other), rules_of())
        assert refused is not None
        assert refused.code == code


def test_a_patron_acts_for_no_other_seat() -> None:
    state, rules = table(), rules_of()
    stake = acts.PlaceWager(2, "banker", 25_00)
    assert may(state, stake, (actor(Role.PATRON, 2),), rules) is None
    assert may(state, stake, (actor(Role.PATRON, 6),), rules).code == "not_your_seat"  # type: ignore[union-attr]
    stranger = Actor("guest 6", Role.PATRON, seat=2)
    assert may(state, stake, (stranger,), rules).code == "not_your_seat"  # type: ignore[union-attr]


def test_the_dealer_may_enter_what_a_patron_says() -> None:
    by = (actor(Role.DEALER), actor(Role.PATRON, 2))
    assert may(table(), acts.WithdrawWager(2, "tie"), by, rules_of()) is None
    alone = may(table(), acts.WithdrawWager(2, "tie"), by[:1], rules_of())
    assert alone is not None
    assert alone.code == "not_your_office"


def test_only_a_patron_acts_from_a_seat() -> None:
    sits = Actor(actor(Role.DEALER).person, Role.DEALER, seat=2)
    seating, withdrawing = acts.SeatPatron(5, "guest 5"), acts.WithdrawWager(2, "tie")
    assert may(table(), seating, (actor(Role.DEALER),), rules_of()) is None
    for act, by in (seating, (sits,)), (withdrawing, (actor(Role.PATRON, 2), sits)):
        refused = may(table(), act, by, rules_of())
        assert refused is not None
        assert "only a patron acts from a seat" in refused.message


def test_the_curator_draws_and_no_other_patron() -> None:
    state = with_slice(table(), replace(CuratorState(), chosen=True, curator=6))
    draw = acts.DrawCard(None)
    assert may(state, draw, (actor(Role.PATRON, 6),), rules_of()) is None
    assert may(state, draw, (actor(Role.PATRON, 2),), rules_of()).code == "not_your_office"  # type: ignore[union-attr]


def test_somebody_who_is_not_assigned_does_nothing() -> None:
    stranger = (Actor("Dunja's sister", Role.DEALER),)
    refusal = may(table(), acts.InspectCards(), stranger, rules_of())
    assert refusal is not None
    assert refusal.code == "not_on_duty"


OPENING: Final = acts.OpenTable(3_000_000, "Dunja", "Femke", date(2011, 2, 22))


def opened() -> TableSession:
    """Return a table that two persons have opened together."""
    session = TableSession(rules_of())
    by = (Actor("Femke", Role.FLOORPERSON), Actor("Dunja", Role.DEALER))
    session.execute(OPENING, Stamp(by))
    return session


def by(person: str, office: Role) -> Stamp:
    """Return the stamp of one person's command."""
    return Stamp((Actor(person, office),))


def test_whoever_inspected_the_cards_does_not_verify_them_after_a_relief() -> None:
    session = opened()
    session.execute(acts.ReceiveCards(8), by("Dunja", Role.DEALER))
    session.execute(acts.InspectCards(), by("Dunja", Role.DEALER))
    session.execute(acts.RelieveDealer("Goran"), by("Femke", Role.FLOORPERSON))
    session.execute(acts.AssignOffice("pit boss", "Bram"), by("Femke", Role.FLOORPERSON))
    session.execute(acts.RelieveFloorperson("Dunja"), by("Bram", Role.PIT_BOSS))
    answer = session.try_execute(acts.VerifyCards("Dunja"), by("Dunja", Role.FLOORPERSON))
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.clauses) == ("two_persons", ("NJ-MINI:7.4(b)#1",))
    session.execute(acts.RelieveFloorperson("Hedda"), by("Bram", Role.PIT_BOSS))
    session.execute(acts.VerifyCards("Hedda"), by("Hedda", Role.FLOORPERSON))


def test_a_dealer_who_was_relieved_does_nothing_more() -> None:
    session = opened()
    session.execute(acts.RelieveDealer("Goran"), by("Femke", Role.FLOORPERSON))
    answer = session.try_execute(acts.ReceiveCards(8), by("Dunja", Role.DEALER))
    assert isinstance(answer, Refusal)
    assert answer.code == "not_on_duty"
    session.execute(acts.ReceiveCards(8), by("Goran", Role.DEALER))


def test_one_name_does_not_hold_two_offices() -> None:
    session = opened()
    for office, person in (("floorperson", "Dunja"), ("surveillance", "Femke")):
        answer = session.try_execute(acts.AssignOffice(office, person))
        assert isinstance(answer, Refusal)
        assert answer.code == "two_offices"
    same = TableSession(rules_of()).try_execute(
        acts.OpenTable(3_000_000, "Ivo", "Ivo", date(2011, 2, 22))
    )
    assert isinstance(same, Refusal)
    assert same.code == "two_persons"


def test_whoever_watches_does_not_deal_on_the_same_day() -> None:
    session = opened()
    session.execute(acts.AssignOffice("surveillance", "Vito"))
    session.execute(acts.EndAssignment("surveillance", "Vito"))
    answer = session.try_execute(acts.RelieveDealer("Vito"))
    assert isinstance(answer, Refusal)
    assert answer.code == "two_offices"
    session.execute(acts.AssignOffice("surveillance", "Vito"))


def test_an_open_table_keeps_a_dealer_and_a_floorperson() -> None:
    session = opened()
    for office, person in (("dealer", "Dunja"), ("floorperson", "Femke")):
        answer = session.try_execute(acts.EndAssignment(office, person))
        assert isinstance(answer, Refusal)
        assert answer.code == "needed"


def test_where_several_deal_it_is_said_who_is_relieved() -> None:
    session = opened()
    session.execute(acts.AssignOffice("dealer", "Jelle"))
    answer = session.try_execute(acts.RelieveDealer("Goran"))
    assert isinstance(answer, Refusal)
    assert answer.code == "relieved"
    session.execute(acts.RelieveDealer("Goran", "Jelle"))
    assert session.state[Duty].persons(Role.DEALER) == ("Dunja", "Goran")


def test_a_stranger_assigns_nobody_at_an_open_table() -> None:
    session = opened()
    for office in (Role.PIT_BOSS, Role.LICENSEE):
        answer = session.try_execute(
            acts.AssignOffice("surveillance", "Mallory"), by("Mallory", office)
        )
        assert isinstance(answer, Refusal)
        assert answer.code == "not_on_duty"


def test_before_anybody_is_known_somebody_assigns_the_first() -> None:
    session = TableSession(rules_of())
    session.execute(acts.AssignOffice("pit boss", "Bram"), by("Lino", Role.LICENSEE))
    answer = session.try_execute(
        acts.AssignOffice("pit clerk", "Kaja"), by("Mallory", Role.LICENSEE)
    )
    assert isinstance(answer, Refusal)
    session.execute(acts.AssignOffice("pit clerk", "Kaja"), by("Bram", Role.PIT_BOSS))


def test_whoever_inspected_the_decks_before_these_may_verify_these() -> None:
    session = opened()
    session.execute(acts.ReceiveCards(8), by("Dunja", Role.DEALER))
    session.execute(acts.InspectCards(), by("Dunja", Role.DEALER))
    state = session.state
    assert state[Duty].doers("InspectCards", "") == ("Dunja",)
    for event in (CardsReceived(8, preshuffled=True, name="", clauses=()),):
        state = evolve(replace(state, phase=Phase.OPEN), event)
    assert state[Duty].doers("InspectCards", "") == ()
