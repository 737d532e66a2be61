"""Report of one round: actions, recorded payouts, and expected payouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from croupier import acts
from croupier.baccarat.coup import Hand, point_count
from croupier.money.settlement import Settled, settle
from croupier.odds.sheet import net_cents
from croupier.records.explanation import explain_settled
from croupier.records.header import LogError
from croupier.records.layout import layout_of
from croupier.records.log import possible
from croupier.records.narration import narrate
from croupier.records.reader import ReplayedEntry, ReplayedRound
from croupier.records.view.sight import closed_places
from croupier.rules import Outcome
from croupier.rules.documents import provenance
from croupier.table.people.offices import Actor

if TYPE_CHECKING:
    from croupier.records.reader import ChainOfLog
    from croupier.verify.round_documents import (
        LayoutAtEntry,
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
    played: ReplayedRound,
    reproduce: str,
    *,
    chain: ChainOfLog | None = None,
    seat: int | None = None,
    at: int | None = None,
) -> RoundReport:
    """Report of a round.

    The layout is shown after entry ``at``, by default before the first chip is collected. Raises
    ``LogError`` if there is no such round, entry or seat.
    """
    with possible(f"{log}: round {played.number} is not a possible round"):
        shown = played.decided if at is None else _entry(log, played, at)
        settled = _settled(played)
        names = {
            number: patron.name
            for entry in played.entries
            for number, patron in entry.after.state.seats.items()
        }
        wagers = list(_wagers(played, settled))
        if seat is not None and seat not in {*names, *(wager["seat"] for wager in wagers)}:
            raise LogError(f"{log}: nobody sat at seat {seat} in round {played.number}")
        mine = [wager for wager in wagers if seat in {None, wager["seat"]}]
        return {
            "format": "croupier-round-report/1",
            **provenance(played.logged.rules, reproduce),
            "log": log.name,
            "record": chain,
            "round": played.number,
            "seat": seat,
            "began": played.entries[0].at,
            "ended": played.entries[-1].at,
            "result": _result(played),
            "layout": _layout(shown, settled, seat),
            "steps": list(_steps(played, seat)),
            "wagers": mine,
            "seats": list(_seats(mine, settled, names)),
        }


def _entry(log: Path, played: ReplayedRound, at: int) -> ReplayedEntry:
    for entry in played.entries:
        if entry.sequence == at:
            return entry
    first, last = played.entries[0].sequence, played.entries[-1].sequence
    raise LogError(f"{log}: round {played.number} has the entries {first} to {last}, and not {at}")


def _settled(played: ReplayedRound) -> tuple[Settled, ...]:
    logged = played.logged
    facts = logged.facts()
    if facts is None:
        return ()
    return tuple(settle(logged.rules, facts, logged.stakes, logged.meters))


def _result(played: ReplayedRound) -> str:
    lines = narrate(played.logged.events, played.logged.rules.wagers)
    spoken = [line.text for line in lines if line.kind == "spoken" and "wins" in line.text.lower()]
    if spoken:
        return spoken[-1].strip("“”")
    facts = played.logged.facts()
    return "void" if facts is None else "" if facts.winner is not None else "tie"


def _layout(shown: ReplayedEntry, settled: tuple[Settled, ...], seat: int | None) -> LayoutAtEntry:
    position = shown.after
    state, rules = position.state, position.rules
    round_ = state.round
    hands: dict[str, list[str]] = {hand.value: [] for hand in Hand}
    totals: dict[str, int] = {}
    for hand in Hand if round_ is not None else ():
        dealt = () if round_ is None else round_.coup.hand(hand)
        closed = {at for one, at in closed_places(state, rules) if one is hand}
        hands[hand.value] = [
            _CLOSED if at in closed else card.notation for at, card in enumerate(dealt)
        ]
        if dealt and not closed:
            totals[hand.value] = point_count(dealt)
    known = round_ is not None and round_.facts is not None
    won = [one for one in settled if known and one.decision.outcome is Outcome.WIN]
    return {
        "entry": shown.sequence,
        "at": shown.at,
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
        "won": [[wager.seat, wager.wager] for wager in won if seat in {None, wager.seat}],
    }


def _steps(played: ReplayedRound, seat: int | None) -> Iterator[StepOfRound]:
    for entry in played.entries:
        others = {actor.seat for actor in entry.by if actor.seat is not None}
        if seat is not None and others and seat not in others:
            continue
        lines, clauses = [], list[str]()
        for line in narrate(entry.events, entry.before.rules.wagers):
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
                "by": [_named(actor) for actor in entry.by],
                "lines": lines,
                "clauses": list(dict.fromkeys(clauses)),
            }


def _named(actor: Actor) -> str:
    seat = "" if actor.seat is None else f", seat {actor.seat}"
    office = "" if actor.office == actor.person else f" ({actor.office}{seat})"
    return f"{actor.person}{office}"


def _wagers(played: ReplayedRound, settled: tuple[Settled, ...]) -> Iterator[WagerOfRound]:
    logged = played.logged
    rules, facts = logged.rules, logged.facts()
    paid: dict[tuple[int, str], int] = {}
    for event in logged.events:
        if isinstance(event, acts.WagerPaid):
            place = (event.seat, event.wager)
            paid[place] = paid.get(place, 0) + event.cents
    if facts is None:
        void = next((one.clauses for one in logged.events if isinstance(one, acts.RoundVoided)), ())
        for (number, wager), stake in logged.stakes.items():
            yield {
                "seat": number,
                "wager": wager,
                "title": rules.wagers[wager].title,
                "stake_cents": stake.cents,
                "outcome": "void",
                "owed_cents": 0,
                "paid_cents": paid.get((number, wager), 0),
                "vigorish_cents": 0,
                "net_cents": 0,
                "why": "the round is void, and the stake is returned",
                "clauses": list(void),
            }
        return
    for settlement in settled:
        line = explain_settled(settlement, facts, rules, seated=False)
        yield {
            "seat": settlement.seat,
            "wager": settlement.wager,
            "title": rules.wagers[settlement.wager].title,
            "stake_cents": settlement.stake.cents,
            "outcome": OUTCOMES[settlement.decision.outcome],
            "owed_cents": settlement.won_cents,
            "paid_cents": paid.get((settlement.seat, settlement.wager), 0),
            "vigorish_cents": settlement.vigorish_cents,
            "net_cents": net_cents((settlement,)),
            "why": line.text,
            "clauses": list(line.clauses),
        }


def _seats(
    wagers: list[WagerOfRound], settled: tuple[Settled, ...], names: Mapping[int, str]
) -> Iterator[SeatOfRound]:
    for seat in dict.fromkeys(sorted(wager["seat"] for wager in wagers)):
        mine = [wager for wager in wagers if wager["seat"] == seat]
        yield {
            "seat": seat,
            "patron": names.get(seat, ""),
            "staked_cents": sum(wager["stake_cents"] for wager in mine),
            "won_cents": sum(wager["owed_cents"] for wager in mine),
            "vigorish_cents": sum(wager["vigorish_cents"] for wager in mine),
            "net_cents": net_cents(settlement for settlement in settled if settlement.seat == seat),
        }
