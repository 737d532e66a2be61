"""Vectors of single commands: accepted and refused commands at every start."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from itertools import product, starmap
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from croupier import acts
from croupier.acts import Command
from croupier.acts.command import TERMS
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.baccarat.wagers import BANKER, PLAYER, TIE, WAGERS
from croupier.money.stax import commitment_to
from croupier.records.codec import COMMANDS
from croupier.rules import TableRules
from croupier.scenarios.people import (
    DEALER,
    FLOORPERSON,
    NOON,
    PIT_BOSS,
    PIT_CLERK,
    SECRET,
    least_stake,
)
from croupier.scenarios.stage import Stage
from croupier.scenarios.starts import Start, Starts
from croupier.scenarios.vectors.documents import Refusals
from croupier.scenarios.vectors.plain import refused_data
from croupier.scenarios.vectors.reach import why_not
from croupier.scenarios.vectors.sites import WRONG_TIME, refused_at, sites
from croupier.table import Phase, Refusal
from croupier.table.cards.out_of_use import RetiredDecks
from croupier.table.machine.core import Events, decide
from croupier.table.parts.forms import FormBook

_NUMBERS: Final = re.compile(r"\d+")


class Accepted(NamedTuple):
    start: Start
    command: Command
    events: Events


class Refused(NamedTuple):
    start: Start
    command: Command
    refusal: Refusal
    site: str
    phase: str | None


class Answers(NamedTuple):
    """The distinct answers: accepted commands and refusals, one of each kind."""

    asked: int
    acts: tuple[Accepted, ...]
    refused: tuple[Refused, ...]


def answers(starts: Starts) -> Answers:
    count = 0
    acts: dict[object, Accepted] = {}
    refused: dict[object, Refused] = {}
    places: dict[object, str] = {}
    numberless: dict[str, str] = {}
    for start in starts.values():
        stage = start.stage
        phase = stage.state.phase.name.lower()
        for command in probes(stage):
            count += 1
            answer = decide(stage.state, command, stage.rules)
            if not isinstance(answer, Refusal):
                kinds = tuple((type(event), event.clauses) for event in answer)
                acts.setdefault((type(command), kinds), Accepted(start, command, answer))
                continue
            # Finding the place takes time; messages that differ only in numbers share one.
            message = numberless.get(answer.message)
            if message is None:
                message = numberless[answer.message] = _NUMBERS.sub("", answer.message)
            key = (type(command), answer.code, answer.clauses, message)
            if key not in places:
                places[key] = refused_at(stage.state, command, stage.rules)
            phase_asked = phase if (site := places[key]) == WRONG_TIME else None
            alike = (type(command), site, answer.code, answer.clauses, phase_asked)
            refused.setdefault(alike, Refused(start, command, answer, site, phase_asked))
    return Answers(count, tuple(acts.values()), tuple(refused.values()))


def refusals_data(answers_found: Answers, rules: TableRules) -> Refusals:
    names = {refusal.site for refusal in answers_found.refused}
    missed_sites = [site for site in sites() if site.name not in names]
    return {
        "asked": answers_found.asked,
        "places": [site.name for site in sites() if site.name in names],
        "not_reached": [{"place": site.name, "why": why_not(site, rules)} for site in missed_sites],
        "refusals": [
            {
                "start": refusal.start.name,
                "command": refusal.command.to_dict(),
                "refused": refused_data(refusal.refusal),
                "place": refusal.site,
            }
            for refusal in answers_found.refused
        ],
    }


_NOBODY: Final = ""
_OTHERS_SECRET: Final = "0" * 64
_TOO_MANY: Final = 10**7
"""More Forms than in any pad."""

_PROBED: Final[Mapping[str, tuple[Any, ...]]] = {
    "accepted": (True, False),
    "added": ({1: PLAYER.id}, {1: BANKER.id}, {1: TIE.id}, {2: PLAYER.id}),
    "at": (NOON, NOON.replace(tzinfo=None), NOON - timedelta(hours=1)),
    "by": (DEALER, FLOORPERSON, "patron"),
    "card": (Card.of("9h"), None),
    "cents": (100, 0),
    "chips": (100,),
    "case": ("no-device", "other-device", "soon"),
    "commitment": (commitment_to(SECRET), "my secret"),
    "coupon_cents": (0,),
    "damaged": (0, 2),
    "dealer": (DEALER, _NOBODY),
    "dealer_confirms": (True, False),
    "dealt_to": (None, *Hand),
    "designate_dealer": (False,),
    "disclosed": (False,),
    "even": (True, False),
    "face_up": (False, True),
    "first": (101, 1),
    "floorperson": (FLOORPERSON, _NOBODY),
    "gaming_date": (date(2030, 1, 2), date(2030, 1, 1), date(1999, 12, 31)),
    "gone": (PIT_CLERK, "another pit clerk"),
    "grounds": ("delay", "whim"),
    "hand": tuple(Hand),
    "kind": ("foreign", "surplus", "odd"),
    "ordinal": (0, 1, 3),
    "inventory_cents": (1_000_000, 0),
    "last": (200, 50, _TOO_MANY),
    "originals": ((),),
    "patron": ("Patron 9",),
    "patron_signed": (True, False),
    "pit_boss": (PIT_BOSS, _NOBODY, "another pit boss"),
    "pit_clerk": (PIT_CLERK, _NOBODY, "another pit clerk"),
    "preshuffled": (False,),
    "reason": ("the stack slipped", _NOBODY),
    "secret": (None, SECRET, _OTHERS_SECRET),
    "statement": (None,),
    "stated_by": (None,),
    "hand_begun": (True, False),
    "table": ("another table", _NOBODY),
    "taken_by": ("another pit clerk", _NOBODY),
    "amounts": ({},),
    "step": ("riffle", "strip", "plug", "turn", "cut", "juggle"),
    "supervisor": (FLOORPERSON, None),
    "notified": ((),),
}
"""Valid and invalid values tried for each field of a command."""

_CHANGING: Final = frozenset({Phase.CLOSED, Phase.BETTING})
"""Phases in which elections are tried: a change rebuilds all rules, and others refuse it."""


def probes(stage: Stage) -> Iterator[Command]:
    for name, kind in COMMANDS.items():
        if TERMS[name].house:
            continue  # No regulation says anything of it.
        if kind in {acts.AdoptElections, acts.RecordNotice}:
            yield from _elections(stage, kind)
        elif kind in {acts.PlaceWager, acts.PlaceWagers, acts.PlaceVerbalWager}:
            yield from _wagers(stage, kind)
        elif kind is acts.ReplaceForm:
            yield from _replacements(stage)
        else:
            if kind is acts.PrepareForm:
                yield from _unsigned_forms(stage)
            values = _tried(stage, kind)
            yield from starmap(kind, product(*(values[name] for name in kind.__struct_fields__)))


def _tried(stage: Stage, kind: type[Command]) -> Mapping[str, tuple[Any, ...]]:
    state, rules = stage.state, stage.rules
    decks, serial = rules.value("decks", int), state[FormBook].next_serial or 101
    seats = rules.submission.layout.seats
    free_seats = [seat for seat in range(1, seats + 1) if seat not in state.seats]
    serials_used = tuple(state[FormBook].used)[:1]
    values: dict[str, tuple[Any, ...]] = {
        "decks": (decks, decks + 1),
        "seat": (*state.seats, seats, 99),
        "to": (*tuple(state.seats)[:1], *free_seats[:1], 99),
        "serial": (*serials_used, serial, serial + 5),
        "position": (decks * 26 // rules.batches, 1),
        "from_back": (rules.bound("cut.cutting_card_from_back"), 1),
        "wager": (PLAYER.id, BANKER.id),
        "supervisor": (FLOORPERSON, _NOBODY),
        "name": ("", *state[RetiredDecks].gone[:1]),
    }
    if kind in {acts.CollectVigorish, acts.PrepareForm}:
        values["cents"] = (None, 0)
    if kind in {acts.FindFaceUpCard, acts.DrawCardInError}:
        values["card"] = (Card.of("9h"),)
    if kind is acts.DrawCardInError:
        values["seen_by"] = ((), *((seat,) for seat in [*state.seats][:1]), (99,))
    if kind is acts.UseHeldCard:
        values["disclosed"] = (False, True)
    if kind is acts.CorrectMisreadCard:
        values["hand"] = (None, *Hand)
        round_ = stage.state.round
        hands = () if round_ is None else (round_.coup.player[:1], round_.coup.banker[:1])
        cards = [*(card for hand in hands for card in hand), *stage.state.kept[-1:]]
        values["recorded"] = (*cards,) or (Card.of("2h"),)
        values["actual"] = (Card.of("9h"), Card.of("4d"))
    return {**_PROBED, **values}


def _unsigned_forms(stage: Stage) -> Iterator[Command]:
    serial = stage.state[FormBook].next_serial or 101
    for seat in stage.state.seats:
        command = acts.PrepareForm(
            serial, seat, PIT_CLERK, DEALER, PIT_BOSS, patron_signed=False, statement="no time"
        )
        yield from (replace(command, stated_by=name) for name in (DEALER, "a passer-by"))
        yield replace(command, dealer="another dealer", patron_signed=True)


def _replacements(stage: Stage) -> Iterator[Command]:
    book = stage.state[FormBook]
    serial, spoilt_serial = book.next_serial or 101, next(iter(book.used), 101)
    command = acts.ReplaceForm(
        serial, spoilt_serial, PIT_CLERK, DEALER, PIT_BOSS, patron_signed=False, statement="left",
        stated_by=DEALER,
    )  # fmt: skip
    yield command
    yield replace(command, serial=serial + 5)
    yield replace(command, spoilt=serial + 5)
    yield replace(command, pit_clerk="another pit clerk")
    yield replace(command, statement=None)


def _elections(stage: Stage, kind: type[Command]) -> Iterator[Command]:
    if kind is acts.RecordNotice:
        order = {"settlement.order": "payments-first"}
        for moment in (NOON, None, NOON.replace(tzinfo=None), NOON - timedelta(hours=1)):
            yield acts.RecordNotice(order, "surveillance", moment)
        yield acts.RecordNotice({}, "", NOON)
        return
    state = stage.state
    if state.phase is Phase.DECIDED or state.stakes:
        elections = {rule.id: rule.choices for rule in stage.rules.law.elections}
        if "wagers.tie.pays" in elections:
            yield acts.AdoptElections({"wagers.tie.pays": "11:1"})
        else:
            schemes = map(str, elections.get("vigorish.scheme", ()))
            yield from (acts.AdoptElections({"vigorish.scheme": scheme}) for scheme in schemes)
    if state.phase not in _CHANGING or state.rounds or state.kept or state.stakes:
        return
    decks = stage.rules.value("decks", int)
    yield acts.AdoptElections({"decks": decks - 2 if decks in {8, 16} else decks + 2})
    yield acts.AdoptElections({"wagers.royal_9.award_is": "to-one"})
    yield acts.AdoptElections({"wagers.royal_9.award_is": "for-one"})
    yield acts.AdoptElections({"irregularity.disclosed_card": "discard-one"})
    for rule in stage.rules.law.elections:
        for choice in (*rule.choices, *rule.at_least_any, *rule.one_of):
            if isinstance(choice, int | str):
                yield acts.AdoptElections({rule.id: choice})
    yield acts.AdoptElections({"wagers.tie.pays": "1:1"})
    # Royal 9 with two batches uses twelve or sixteen decks only.
    yield acts.AdoptElections({"decks": 16 if decks == 12 else 12})


def _wagers(stage: Stage, kind: type[Command]) -> Iterator[Command]:
    seated = tuple(stage.state.seats)
    seats = (*seated[:1], *seated[-1:], 99)
    for seat, wager in product(seats, dict.fromkeys((*WAGERS, *stage.rules.offers))):
        stake = least_stake(stage.rules, wager) if wager in stage.rules.offers else 100
        for cents in (stake, stake + 1, 1, 0, stake * 10**6):
            match kind:
                case acts.PlaceWager:
                    yield acts.PlaceWager(seat, wager, cents)
                    yield acts.PlaceWager(seat, wager, cents, 2 * stake)
                    yield acts.PlaceWager(seat, wager, cents, stake)
                    yield acts.PlaceWager(seat, wager, 1, cents - 1)
                case acts.PlaceWagers:
                    yield acts.PlaceWagers(seat, {wager: cents})
                case _:
                    yield acts.PlaceVerbalWager(seat, wager, cents, True, FLOORPERSON)  # noqa: FBT003
                    yield acts.PlaceVerbalWager(seat, wager, cents, False, None)  # noqa: FBT003
    yield acts.PlaceWagers(seats[0], {})
