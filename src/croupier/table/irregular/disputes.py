"""Disputes about settled rounds: the discard rack permits that each hand is laid out again."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Annotated

from msgspec import Struct, field
from msgspec.structs import replace

from croupier import acts
from croupier.acts.disputes import DisputeNumber
from croupier.acts.fields import Count, EntryNumber, PatronName
from croupier.acts.roles import Role
from croupier.law.cite import cites, once
from croupier.law.sight import Sight
from croupier.rules import TableRules
from croupier.table.machine import core
from croupier.table.machine.core import Action, Answer, Refusal
from croupier.table.machine.offered import Field, Situation, also_offers, fills_in
from croupier.table.machine.position import Position, house_decides
from croupier.table.machine.state import ANY_TIME, AT_TABLE, Phase, TableState, with_slice


class Dispute(Struct, frozen=True):
    """A patron's open dispute about the round that an entry settled."""

    patron: PatronName
    settled: EntryNumber


@core.keeps("disputes", past_closing=True)
class Disputes(Struct, frozen=True):
    open: Annotated[Mapping[DisputeNumber, Dispute], Sight.HOUSE] = field(default_factory=dict)
    last: Count = 0


@house_decides(acts.OpenDispute, ANY_TIME)
def _open(position: Position, command: acts.OpenDispute) -> Answer:
    rules, settled_round = position.rules, position.house.settled_by(command.settled)
    if position.state.phase is Phase.CLOSED:
        message = "a patron disputes a round until the table closes"
        return Refusal("not_now", rules.ruling("dispute"), message)
    if not command.question.strip():
        return Refusal("reason", rules.ruling("dispute"), "say what the patron disputes")
    if settled_round is None or command.seat not in settled_round.sittings:
        message = f"entry {command.settled} settled no round of this gaming day"
        return Refusal(
            "entry", rules.ruling("dispute"), f"{message} with a patron at seat {command.seat}"
        )
    number, patron = position.state[Disputes].last + 1, settled_round.sittings[command.seat].patron
    fields = (command.seat, patron, command.settled, settled_round.round, command.question)
    return (acts.DisputeOpened(number, *fields, rules.ruling("dispute")),)


@core.applies(acts.DisputeOpened)
def _opened(state: TableState, event: acts.DisputeOpened) -> TableState:
    disputes = state[Disputes].open
    disputes_now = {**disputes, event.dispute: Dispute(event.patron, event.settled)}
    return with_slice(state, Disputes(disputes_now, event.dispute))


@cites("discard.order")
@house_decides(acts.ReconstructHand, AT_TABLE)
def _lay_out(position: Position, command: acts.ReconstructHand) -> Answer:
    rules, dispute = position.rules, position.state[Disputes].open.get(command.dispute)
    if dispute is None:
        return _unknown(command.dispute, rules)
    clauses = once(rules.cites("discard.order"), rules.ruling("dispute"))
    round_ = position.house.settled_by(dispute.settled)
    if round_ is None or position.house.entry_of(round_.round) is None:
        message = "the cards of that round have left the discard rack: nothing can be laid out"
        return Refusal("cards_gone", clauses, message)
    if not command.looked.strip():
        return Refusal("nobody", clauses, "name those who look at the cards")
    hands = round_.player, round_.banker
    return (acts.HandReconstructed(command.dispute, round_.round, *hands, command.looked, clauses),)


def _unknown(number: int, rules: TableRules) -> Refusal:
    return Refusal("no_dispute", rules.ruling("dispute"), f"no dispute {number} is open")


core.no_effect(acts.HandReconstructed)


@house_decides(acts.DecideDispute, ANY_TIME)
def _decide(position: Position, command: acts.DecideDispute) -> Answer:
    rules, dispute = position.rules, position.state[Disputes].open.get(command.dispute)
    if dispute is None:
        return _unknown(command.dispute, rules)
    if not (command.ruling.strip() and command.supervisor):
        message = "a ruling names the supervisor who gives it, and what is ruled"
        return Refusal("nobody", rules.ruling("dispute"), message)
    if not command.informed:
        message = f"{dispute.patron} is informed of the ruling before it is recorded"
        return Refusal("not_informed", rules.ruling("dispute"), message)
    if command.corrected is not None and command.corrected not in _corrections(position, dispute):
        message = (
            f"entry {command.corrected} did not correct the round that entry {dispute.settled}"
        )
        advice = "name the entry of its CorrectSettlement, or none"
        return Refusal("entry", rules.ruling("dispute"), f"{message} settled: {advice}")
    fields = (dispute.patron, command.ruling, command.supervisor, command.corrected)
    return (acts.DisputeDecided(command.dispute, *fields, rules.ruling("dispute")),)


def _corrections(position: Position, dispute: Dispute) -> Container[int]:
    house = position.house
    if (settled_round := house.settled_by(dispute.settled)) is not None:
        return settled_round.corrections
    # A round of an earlier day was corrected then, by an entry that is not in this record.
    return range(dispute.settled + 1, house.opened or position.sequence + 1)


@core.applies(acts.DisputeDecided)
def _decided(state: TableState, event: acts.DisputeDecided) -> TableState:
    disputes = state[Disputes]
    left = {number: dispute for number, dispute in disputes.open.items() if number != event.dispute}
    return with_slice(state, replace(disputes, open=left))


@core.hears(acts.TableOpened)
def _next_day(state: TableState, _event: acts.TableOpened) -> TableState:
    disputes = state[Disputes]
    return with_slice(state, Disputes()) if disputes.last and not disputes.open else state


@fills_in("dispute")
def _number(situation: Situation, name: str) -> Field:
    disputed = situation.house.disputed
    choices = tuple(
        (number, f"{number}: {one.patron}, {_said(disputed.get(number))}")
        for number, one in situation.state[Disputes].open.items()
    )
    return Field(name, "one", choices=choices, default=choices[0][0] if choices else None)


def _said(disputed: tuple[int, str] | None) -> str:
    return "round {}: {}".format(*disputed) if disputed else "a round of an earlier day"


@fills_in("DecideDispute.corrected")
def _correction(situation: Situation, name: str) -> Field:
    disputed = {dispute.settled for dispute in situation.state[Disputes].open.values()}
    rounds = filter(None, map(situation.house.settled_by, sorted(disputed)))
    choices = [
        (entry, f"Correction of round {one.round} (entry {entry})")
        for one in rounds
        for entry in one.corrections
    ]
    return Field(name, "choice", choices=((None, "no correction"), *choices))


@also_offers(ANY_TIME)
def _of_disputes(state: TableState, rules: TableRules) -> Iterator[Action]:
    ruling, is_open = rules.ruling("dispute"), state.phase in AT_TABLE
    if state.rounds and is_open:
        yield Action(acts.OpenDispute, Role.SUPERVISOR, ruling, must=False)
    if state[Disputes].open:
        if is_open:
            cited = rules.cites("discard.order")
            yield Action(acts.ReconstructHand, Role.SUPERVISOR, cited, must=False)
        yield Action(acts.DecideDispute, Role.SUPERVISOR, ruling, must=False, awaited=True)
