"""Questions about offices, and Complimentary Vigorish Forms."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from croupier import acts
from croupier.acts import Command
from croupier.acts.command import TERMS, CommandTerms
from croupier.acts.roles import Role, offices_in_words
from croupier.baccarat.coup import Hand
from croupier.drills.kinds.allowed import permission
from croupier.drills.marking import rests_on, why_of
from croupier.drills.room import (
    Asking,
    FieldValues,
    Question,
    Shown,
    asks,
    cards_of,
    shown_stakes,
)
from croupier.law.usage import money, named
from croupier.rules import TableRules
from croupier.scenarios import Stage
from croupier.scenarios.people import DEALER, PIT_BOSS, PIT_CLERK, fitting_stake, least_stake
from croupier.table.machine.act_sheets import act_sheet
from croupier.table.machine.core import Events, Refusal, deciders
from croupier.table.machine.offered import Field
from croupier.table.machine.state import Phase
from croupier.table.parts.forms import FormBook
from croupier.table.people.duty import terms_under
from croupier.table.people.offices import Actor, may

_ASKED: Final = (
    Role.DEALER, Role.FLOORPERSON, Role.PIT_BOSS, Role.PIT_CLERK, Role.PATRON, Role.CURATOR,
    Role.CAGE, Role.ACCOUNTING, Role.SURVEILLANCE, Role.LICENSEE,
)  # fmt: skip
_CHOICES: Final = 4


@asks("offices", "Who does it: the office of each act")
def _offices(asking: Asking) -> Question | None:
    chance, room = asking.chance, asking.room
    name = chance.choose(tuple(room.starts))
    start, offered_acts = room.starts[name], room.offered(name)
    stage = start.stage.fork()
    if not offered_acts:
        return None
    act = chance.choose(offered_acts)
    try:
        command = act.make()
    except (ValueError, LookupError, StopIteration):
        return None
    row = terms_under(type(command).__name__, stage.rules)
    clauses = stage.rules.cites(row.rule) if row.rule in stage.rules.in_force else ()
    if not clauses:
        return None  # The house says who, and no regulation: nothing can be cited.
    roles = [
        role for role in _ASKED if role is not Role.CURATOR or stage.rules.applies("curator.offer")
    ]
    permissions = {role: _answer(stage, command, role) is None for role in roles}
    yes = [role for role, is_permitted in permissions.items() if is_permitted]
    no = [role for role, is_permitted in permissions.items() if not is_permitted]
    if not yes or len(no) < _CHOICES - 1 or "?" in act.words:
        return None
    right_role = act.who[0] if act.who[0] in yes else yes[0]
    chance.shuffle(no)
    choices = [right_role, *no[: _CHOICES - 1]]
    chance.shuffle(choices)
    consent_text = f", with the consent of {' and '.join(map(_words, row.together))}"
    text = f"This is for {' or '.join(map(_words, yes))}{consent_text if row.together else ''}"
    return Question(
        f"Who does this? {act.words}",
        (("Table", named(start.title)),),
        (
            Field(
                "who", "choice", "Who", choices=tuple((one.value, _title(one)) for one in choices)
            ),
        ),
        {"who": right_role.value},
        stage.fork(),
        (),
        partial(_who, stage, command, tuple(choices)),
        why=(
            (text, clauses),
            *_said_shown_placed(row, stage.rules),
            *rests_on(stage.rules, *deciders()[type(command)][1]),
        ),
        refused=partial(_refused, stage, command),
    )


def _said_shown_placed(
    act: CommandTerms, rules: TableRules
) -> Iterator[tuple[str, tuple[str, ...]]]:
    implemented = {act.rule, *deciders()[act.command][1]} & rules.in_force
    for step in act_sheet(act, rules.law).steps:
        if step.done and step.rule in implemented:
            yield f"{', '.join(step.done).capitalize()}: {step.says}", (step.clause,)


def _title(role: Role) -> str:
    words = _words(role)
    return words[:1].upper() + words[1:]


def _words(role: Role) -> str:
    return named(role.words)


def _answer(stage: Stage, command: Command, role: Role) -> Refusal | None:
    seat = getattr(command, "seat", None) if role is Role.PATRON else None
    refusal = may(stage.state, command, (Actor("somebody", role, seat=seat),), stage.rules)
    is_wrong = refusal is not None and refusal.code in {"not_your_office", "not_your_seat"}
    if is_wrong and role is Role.PATRON and refusal is not None and Role.PATRON in _does(command):
        return None
    if is_wrong and role is Role.CURATOR and Role.CURATOR in _does(command):
        return None
    return refusal if is_wrong else None


def _does(command: Command) -> tuple[Role, ...]:
    return TERMS[type(command).__name__].does


def _who(stage: Stage, command: Command, choices: tuple[Role, ...], events: Events) -> FieldValues:
    del events
    return {"who": next(role.value for role in choices if _answer(stage, command, role) is None)}


def _refused(stage: Stage, command: Command, answer: FieldValues) -> tuple[Refusal, ...]:
    role_name = answer.get("who")
    refusal = None if role_name is None else _answer(stage, command, Role(role_name))
    if role_name is None or refusal is None:
        return ()
    right_roles = named(offices_in_words(_does(command), "or"))
    message = f"this is for {right_roles}, not for {_words(Role(role_name))}"
    return (Refusal(refusal.code, refusal.clauses, message),)


# --- who turns a hand ---------------------------------------------------------------------------


@asks("holder", "Who turns each hand: the highest bettor, and who comes next")
def _holder(asking: Asking) -> Question | None:
    room, chance = asking.room, asking.chance
    stage = room.at("betting")
    if stage is None or not room.rules.elected("deal.option", "hand-over"):
        return None
    hand = chance.choose(tuple(Hand))
    unit = least_stake(room.rules, hand.value)
    stakes = {
        seat: {hand.value: fitting_stake(room.rules, hand.value, unit * (1 + chance.below(3)))}
        for seat in stage.state.seats
        if chance.below(4)
    }
    if not stakes:
        return None
    for seat, wagers in stakes.items():
        stage.execute(acts.PlaceWagers(seat, wagers))
    stage.deal(cards_of(asking, stage)[:4])
    old_stage = stage.fork()
    stage = old_stage.fork()
    while not _handed(hand, tuple(stage.events)) and stage.state.phase is Phase.DEALING:
        stage.go_on()
    events = tuple(stage.events)
    key = _handed(hand, events)
    if not key:
        return None
    seats = (*old_stage.state.seats,)
    choices = (
        *((f"seat-{seat}", f"Seat {seat}") for seat in seats),
        ("dealer", named("The dealer")),
    )
    given = tuple(one for one in events if isinstance(one, acts.CardsHanded) and one.hand is hand)
    layout = room.rules.submission.layout
    return Question(
        f"To whom is {hand.title} handed?",
        (("Seats", f"numbered {layout.numbering}"), *shown_stakes(room.rules, stakes)),
        (Field("holder", "choice", "Handed to", choices=choices),),
        key,
        old_stage,
        tuple(command for command, _ in stage.heard),
        partial(_handed, hand),
        why=(
            *why_of(given, room.rules),
            *rests_on(room.rules, "deal.holder", "irregularity.relinquish"),
        ),
    )


def _handed(hand: Hand, events: Events) -> FieldValues:
    for event in events:
        if isinstance(event, acts.CardsHanded) and event.hand is hand:
            return {"holder": f"seat-{event.seat}"}
    return {}


# --- Forms -------------------------------------------------------------------------------------


@asks("forms", "Complimentary Vigorish Forms: fields, signatures, and what becomes of them")
def _forms(asking: Asking) -> Question | None:
    room, chance = asking.room, asking.chance
    if not room.rules.applies("forms.prepared"):
        return None
    if asking.level == 1:
        return _who_signs(asking)
    if asking.level == 2 or chance.below(2):
        return _filled_in(asking)
    return _into_the_box(asking)


def _owing(asking: Asking) -> tuple[Stage, int, int] | None:
    stage = asking.room.at("second-round")
    if stage is None:
        return None
    owing = [seat for seat, patron in stage.state.seats.items() if patron.owed_cents]
    serial = stage.state[FormBook].next_serial
    if not owing or serial is None:
        return None
    for _ in range(asking.chance.below(3)):
        stage.execute(acts.VoidForm(serial, PIT_CLERK, PIT_BOSS))
        serial += 1
    return stage, asking.chance.choose(owing), serial


def _form_lines(stage: Stage, seat: int, serial: int) -> Shown:
    patron = stage.state.seats[seat]
    return (
        ("Seat", f"{seat}, {patron.name}, owes {money(patron.owed_cents)} of vigorish"),
        ("Forms", f"the last one used is {serial - 1}"),
    )


def _filled_in(asking: Asking) -> Question | None:
    debt = _owing(asking)
    if debt is None:
        return None
    stage, seat, serial = debt
    old_stage = stage.fork()
    form_command = acts.PrepareForm(serial, seat, PIT_CLERK, DEALER, PIT_BOSS, patron_signed=True)
    stage = old_stage.fork()
    stage.execute(form_command)
    events = tuple(stage.events)
    return Question(
        "The vigorish is waived, and a Form is prepared. What is filled in?",
        _form_lines(old_stage, seat, serial),
        (
            Field("serial", "count", "Number of the Form"),
            Field("amount", "cents", "Amount"),
            Field("patron", "text", "Patron"),
        ),
        _on_form(events),
        old_stage,
        (form_command,),
        _on_form,
        why=why_of(events, asking.room.rules),
    )


def _on_form(events: Events) -> FieldValues:
    event = next(event for event in events if isinstance(event, acts.FormPrepared))
    return {"serial": str(event.serial), "amount": money(event.cents), "patron": event.patron}


def _who_signs(asking: Asking) -> Question | None:
    debt = _owing(asking)
    if debt is None:
        return None
    stage, seat, serial = debt
    chance = asking.chance
    boss, has_signature = chance.choose((PIT_BOSS, PIT_BOSS, "")), bool(chance.below(2))
    statement = None if has_signature else chance.choose((None, "the patron left without signing"))
    number = chance.choose((serial, serial, serial + 1))
    command = acts.PrepareForm(
        number,
        seat,
        PIT_CLERK,
        DEALER,
        boss,
        patron_signed=has_signature,
        statement=statement,
        stated_by=DEALER if statement else None,
    )
    form_rows = (
        ("Form", f"number {number}"),
        ("Pit boss", "has signed" if boss else "has not signed"),
        ("Patron", "has signed" if has_signature else "has not signed"),
        ("Statement", f"{statement} (the dealer)" if statement else "none"),
    )
    details = (*_form_lines(stage, seat, serial), *form_rows)
    words = "The pit clerk and the dealer have signed. Can the Form be used?"
    return permission(stage, command, details, words=words)


def _into_the_box(asking: Asking) -> Question | None:
    stage = asking.room.at("form-prepared")
    if stage is None:
        return None
    chance = asking.chance
    serial = max(stage.state[FormBook].used)
    boss = chance.choose((PIT_BOSS, PIT_BOSS, f"another {PIT_BOSS}"))
    clerk = chance.choose((PIT_CLERK, PIT_CLERK, f"another {PIT_CLERK}"))
    command = acts.DropForm(serial, boss, clerk)
    details = (
        ("Form", f"number {serial}, signed by the {PIT_BOSS} and the {PIT_CLERK}"),
        ("Present", f"{boss}, {clerk}"),
    )
    words = "The dealer is about to drop the original. May it be dropped now?"
    return permission(stage, command, details, words=words)
