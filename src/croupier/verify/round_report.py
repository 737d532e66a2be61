"""Report of one round: actions, recorded payouts, and expected payouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from msgspec.structs import replace

from croupier import acts
from croupier.baccarat.coup import Hand, point_count
from croupier.money.settlement import Settled, settle
from croupier.odds.sheet import net_cents
from croupier.records.explanation import QUESTIONS, explain_settled
from croupier.records.header import LogError
from croupier.records.layout import layout_of
from croupier.records.log import possible
from croupier.records.narration import narrate
from croupier.records.reader import ReplayedEntry, ReplayedRound
from croupier.records.view.sight import closed_places
from croupier.rules import Outcome
from croupier.rules.documents import provenance
from croupier.table.people.duty import Duty
from croupier.table.people.offices import Actor

if TYPE_CHECKING:
    from croupier.records.reader import ChainOfLog
    from croupier.verify.round_documents import (
        LayoutAtEntry,
        PlaceOfRound,
        RoundReport,
        SeatOfRound,
        StepOfRound,
        WagerOfRound,
    )

_CLOSED: Final = "??"

OUTCOMES: Final[Mapping[Outcome, Literal["win", "lose", "push"]]] = {
    Outcome.WIN: "win",
    Outcome.LOSE: "lose",
    Outcome.PUSH: "push",
}


def report_of(  # noqa: PLR0913  (what a report is asked for with)
    log: Path,
    replay: ReplayedRound,
    reproduce: str,
    *,
    chain: ChainOfLog | None = None,
    seat: int | None = None,
    entry: int | None = None,
) -> RoundReport:
    """Report of a round.

    The layout is shown after entry ``entry``, by default before the first chip is collected. Raises
    ``LogError`` if there is no such round, entry or seat.
    """
    with possible(f"{log}: round {replay.number} is not a possible round"):
        shown_entry = replay.decided if entry is None else _entry(log, replay, entry)
        settlements = _settlements(replay)
        # Another patron may sit down before the layout is cleared.
        names = {
            number: patron.name
            for entry in (*replay.entries, replay.decided)
            for number, patron in entry.after.state.seats.items()
        }
        wagers = list(_wagers(replay, settlements))
        if seat is not None and seat not in {*names, *(wager["seat"] for wager in wagers)}:
            raise LogError(f"{log}: nobody sat at seat {seat} in round {replay.number}")
        seat_wagers = [wager for wager in wagers if seat in {None, wager["seat"]}]
        return {
            "format": "croupier-round-report/1",
            **provenance(replay.logged.rules, reproduce),
            "log": log.name,
            "record": chain,
            "round": replay.number,
            "seat": seat,
            **place_of(replay, seat),
            "result": _result(replay),
            "layout": _layout(shown_entry, settlements, seat),
            "steps": list(steps_of(replay.entries, seat)),
            "wagers": seat_wagers,
            "later": list(steps_of(replay.later, seat)),
            "corrected": bool(replay.corrections),
            "misread": any(
                isinstance(event, acts.CardMisread) and event.stands
                for event in replay.logged.events
            ),
            "seats": list(_seats(replay, seat_wagers, names)),
        }


def _entry(log: Path, replay: ReplayedRound, seq: int) -> ReplayedEntry:
    for entry in replay.entries:
        if entry.sequence == seq:
            return entry
    start, end = replay.entries[0].sequence, replay.entries[-1].sequence
    raise LogError(f"{log}: round {replay.number} has the entries {start} to {end}, and not {seq}")


def _settlements(replay: ReplayedRound) -> tuple[Settled, ...]:
    round_ = replay.logged
    facts = round_.facts(as_settled=True)
    if facts is None:
        return ()
    return tuple(settle(round_.rules, facts, round_.stakes, round_.meters))


def _result(replay: ReplayedRound) -> str:
    lines = narrate(replay.logged.events, replay.logged.rules.wagers)
    calls = [line.text for line in lines if line.kind == "spoken" and "wins" in line.text.lower()]
    if calls:
        return calls[-1].strip("“”")
    facts = replay.logged.facts(as_settled=True)
    return "void" if facts is None else "" if facts.winner is not None else "tie"


def _layout(entry: ReplayedEntry, results: tuple[Settled, ...], seat: int | None) -> LayoutAtEntry:
    position = entry.after
    state, rules = position.state, position.rules
    round_ = state.round
    hands: dict[str, list[str]] = {hand.value: [] for hand in Hand}
    totals: dict[str, int] = {}
    for hand in Hand if round_ is not None else ():
        dealt = () if round_ is None else round_.coup.hand(hand)
        ordinals = {place for places, place in closed_places(state, rules) if places is hand}
        hands[hand.value] = [
            _CLOSED if place in ordinals else card.notation for place, card in enumerate(dealt)
        ]
        if dealt and not ordinals:
            totals[hand.value] = point_count(dealt)
    has_facts = round_ is not None and round_.facts is not None
    wins = [result for result in results if has_facts and result.decision.outcome is Outcome.WIN]
    return {
        "entry": entry.sequence,
        "at": entry.at,
        "layout": layout_of(rules, ""),
        "stakes": [
            {"seat": number, "wager": wager, "cents": stake.cents}
            for (number, wager), stake in state.stakes.items()
            if seat in {None, number}
        ],
        "markers": {
            str(number): patron.owed_cents
            for number, patron in state.seats.items()
            if patron.owed_cents and seat in {None, number}
        },
        "names": {
            str(number): patron.name
            for number, patron in state.seats.items()
            if seat in {None, number}
        },
        "hands": hands,
        "totals": totals,
        "won": [[wager.seat, wager.wager] for wager in wins if seat in {None, wager.seat}],
    }


def place_of(replay: ReplayedRound, seat: int | None) -> PlaceOfRound:
    """Return when a round was played and, unless it is for one patron, who was on duty."""
    state = replay.entries[-1].before.state
    return {
        "began": replay.entries[0].at,
        "ended": replay.entries[-1].at,
        "gaming_date": None if state.gaming_date is None else str(state.gaming_date),
        "on_duty": [
            _actor_name(Actor(person=person, office=office))
            for office, persons in state[Duty].posts.items()
            for person in persons
            if seat is None
        ],
    }


def steps_of(entries: Sequence[ReplayedEntry], seat: int | None) -> Iterator[StepOfRound]:
    """Entries in words; with a seat, without those and those parts that are about another."""
    disputes: dict[int, int] = {}
    for entry in entries:
        seats = {actor.seat for actor in entry.by if actor.seat is not None}
        events = [_of_seat(event, seat, disputes) for event in entry.events]
        if seat is not None and seats and seat not in seats:
            continue
        lines, clauses = [], list[str]()
        for line in narrate(
            [event for event in events if event is not None], entry.before.rules.wagers
        ):
            details = [
                detail
                for detail in line.details
                if seat is None or detail.startswith(f"seat {seat} ")
            ]
            if line.details and not details:
                continue
            lines += [line.text, *details]
            clauses += line.clauses
        if lines:
            yield {
                "entry": entry.sequence,
                "at": entry.at,
                "by": [_actor_name(actor) for actor in entry.by],
                "lines": lines,
                "clauses": list(dict.fromkeys(clauses)),
            }


def _of_seat(event: acts.Event, seat: int | None, disputes: dict[int, int]) -> acts.Event | None:
    """Return what of a dispute or a correction concerns a seat; other events unchanged."""
    if isinstance(event, acts.DisputeOpened):
        disputes[event.dispute] = event.seat
    if seat is None or not isinstance(event, QUESTIONS):
        return event
    if isinstance(event, acts.SettlementCorrected):
        differences = tuple(one for one in event.differences if one.seat == seat)
        return replace(event, differences=differences)
    return event if disputes.get(event.dispute) == seat else None


def _actor_name(actor: Actor) -> str:
    seat = "" if actor.seat is None else f", seat {actor.seat}"
    office = "" if actor.office == actor.person else f" ({actor.office}{seat})"
    return f"{actor.person}{office}"


def _wagers(replay: ReplayedRound, settlements: tuple[Settled, ...]) -> Iterator[WagerOfRound]:
    round_ = replay.logged
    rules, facts = round_.rules, round_.facts(as_settled=True)
    payments: dict[tuple[int, str], int] = {}
    for entry in replay.entries:
        # A draw among wagers and a later correction are apart from what settlement paid.
        if any(
            isinstance(event, acts.StaxWon | acts.SettlementCorrected) for event in entry.events
        ):
            continue
        for event in entry.events:
            if isinstance(event, acts.WagerPaid | acts.AwardPaid | acts.HandPayDue):
                place = (event.seat, event.wager)
                payments[place] = payments.get(place, 0) + event.cents
    if facts is None:
        void = next((one.clauses for one in round_.events if isinstance(one, acts.RoundVoided)), ())
        for (number, wager), stake in round_.stakes.items():
            yield {
                "seat": number,
                "wager": wager,
                "title": rules.wagers[wager].title,
                "stake_cents": stake.cents,
                "outcome": "void",
                "owed_cents": 0,
                "paid_cents": payments.get((number, wager), 0),
                "vigorish_cents": 0,
                "net_cents": 0,
                "why": "the round is void, and the stake is returned",
                "clauses": list(void),
            }
        return
    for settlement in settlements:
        line = explain_settled(settlement, facts, rules, is_seated=False)
        yield {
            "seat": settlement.seat,
            "wager": settlement.wager,
            "title": rules.wagers[settlement.wager].title,
            "stake_cents": settlement.stake.cents,
            "outcome": OUTCOMES[settlement.decision.outcome],
            "owed_cents": settlement.won_cents,
            "paid_cents": payments.get((settlement.seat, settlement.wager), 0),
            "vigorish_cents": settlement.vigorish_cents,
            "net_cents": net_cents((settlement,)),
            "why": line.text,
            "clauses": list(line.clauses),
        }


def nets_of(replay: ReplayedRound) -> dict[int, int]:
    """Return what the round brings each seat, in cents after vigorish and corrections."""
    settled = _settlements(replay)
    return {
        seat: net_cents(result for result in settled if result.seat == seat)
        + replay.corrected_cents(seat)
        for seat in sorted({seat for seat, _ in replay.logged.stakes})
    }


def _seats(
    replay: ReplayedRound, wagers: list[WagerOfRound], names: Mapping[int, str]
) -> Iterator[SeatOfRound]:
    nets = nets_of(replay)
    for seat in dict.fromkeys(sorted(wager["seat"] for wager in wagers)):
        seat_wagers = [wager for wager in wagers if wager["seat"] == seat]
        yield {
            "seat": seat,
            "patron": names.get(seat, ""),
            "staked_cents": sum(wager["stake_cents"] for wager in seat_wagers),
            "won_cents": sum(wager["owed_cents"] for wager in seat_wagers),
            "vigorish_cents": sum(wager["vigorish_cents"] for wager in seat_wagers),
            "corrected_cents": replay.corrected_cents(seat),
            "net_cents": nets[seat],
        }
