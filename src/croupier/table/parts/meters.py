"""Meters of progressive wagers: their controller, their end, and their corrections.

An award that was missed is owed with the reading of its round. One that was paid wrongly goes back
into its meter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Final

from msgspec import Struct, field
from msgspec.structs import replace

from croupier import acts
from croupier.acts.fields import AwardNumber, Word
from croupier.acts.roles import Role
from croupier.law.cite import once
from croupier.law.sight import Sight
from croupier.money import ledger
from croupier.money.ledger import Posting
from croupier.rules import TableRules
from croupier.table.irregular.settled_again import Both, contributed
from croupier.table.machine import core, hooks
from croupier.table.machine.bookkeeping import moves
from croupier.table.machine.core import Action, Answer, Events, Refusal, no_seat
from croupier.table.machine.house import Entry, House, drawn, notes
from croupier.table.machine.offered import Field, Situation, also_offers, fills_in
from croupier.table.machine.state import (
    ANY_TIME,
    AT_TABLE,
    WITH_SHOE,
    Phase,
    TableState,
    with_slice,
)
from croupier.table.parts.progressive import Progressive

_CAUSES: Final = ("reset", "communication")


@core.keeps("controller", past_closing=True)
class Controller(Struct, frozen=True):
    """How the controller failed, what it showed if that differed, and awards due by hand since."""

    lost: Word = ""
    shown: Annotated[Mapping[str, int], Sight.HOUSE] = field(default_factory=dict)
    awards: tuple[AwardNumber, ...] = ()


def _cites(rules: TableRules) -> tuple[str, ...]:
    return rules.cites_reading("controller.lost")


def _differs(rules: TableRules) -> tuple[str, ...]:
    return (*_cites(rules), *rules.ruling("controller-differs"))


def _meters(state: TableState) -> Mapping[str, int]:
    return hooks.meters_shown.ask(state) or {}


def controller_lost(state: TableState, rules: TableRules) -> Refusal | None:
    controller = state[Controller]
    if not controller.lost:
        return None
    first = "accounting reconciles the meters" if controller.shown else "read the controller again"
    message = f"the controller of the meters failed ({controller.lost}): {first} first"
    return Refusal("controller", _differs(rules) if controller.shown else _cites(rules), message)


@hooks.before_wagers.join
def _no_wagers(state: TableState, rules: TableRules, wagers: Iterable[str]) -> Refusal | None:
    if rules.reading("controller.lost") == "recorded" or not rules.meter_shares.keys() & {*wagers}:
        return None
    return controller_lost(state, rules)


@hooks.due_by_hand.join
def _by_hand(state: TableState, rules: TableRules) -> tuple[str, ...] | None:
    failure = controller_lost(state, rules)
    return None if failure is None else failure.clauses


@hooks.before_hand_pay.join
def _waits(state: TableState, number: int, rules: TableRules) -> Refusal | None:
    return controller_lost(state, rules) if number in state[Controller].awards else None


@core.decides(acts.ReportController, ANY_TIME)
def _report(state: TableState, command: acts.ReportController, rules: TableRules) -> Answer:
    if not _meters(state):
        return Refusal("meters", _cites(rules), "this table has no meters")
    if command.cause not in _CAUSES:
        message = f"{command.cause!r}: a controller fails by {' or '.join(_CAUSES)}"
        return Refusal("cause", _cites(rules), message)
    if state[Controller].lost:
        message = f"its failure is on record ({state[Controller].lost}): read it once it is back"
        return Refusal("controller", _cites(rules), message)
    return (acts.ControllerLost(command.cause, _meters(state), _cites(rules)),)


core.applies(acts.ControllerLost)(lambda state, event: with_slice(state, Controller(event.cause)))


@core.decides(acts.ReadController, ANY_TIME)
def _read(state: TableState, command: acts.ReadController, rules: TableRules) -> Answer:
    controller, expected = state[Controller], _meters(state)
    if not controller.lost or controller.shown:
        # A reading that differed is not replaced by another one.
        first = (
            "accounting reconciles the meters" if controller.shown else "no failure is on record"
        )
        return Refusal("controller", _differs(rules), f"{first}: a failure is read once")
    if command.shown.keys() != expected.keys():
        names = ", ".join(expected)
        return Refusal("meters", _cites(rules), f"read every meter of this table: {names}")
    differs = command.shown != expected
    return (acts.ControllerRead(command.shown, expected, (_differs if differs else _cites)(rules)),)


@core.applies(acts.ControllerRead)
def _was_read(state: TableState, event: acts.ControllerRead) -> TableState:
    if event.shown == event.expected:
        return with_slice(state, Controller())
    return with_slice(state, replace(state[Controller], shown=event.shown))


@core.hears(acts.MetersReconciled)
def _reconciled(state: TableState, event: acts.MetersReconciled) -> TableState:
    if not state[Controller].shown or event.shown != event.expected:
        return state
    return with_slice(state, Controller())


@core.hears(acts.HandPayDue)
def _due(state: TableState, event: acts.HandPayDue) -> TableState:
    controller = state[Controller]
    if not controller.lost:
        return state
    return with_slice(state, replace(controller, awards=(*controller.awards, event.number)))


# --- bet sensors ---------------------------------------------------------------------------------


@core.decides(acts.ReportSensor, AT_TABLE)
def _sensor(state: TableState, command: acts.ReportSensor, rules: TableRules) -> Answer:
    clauses, feeding = rules.cites_reading("sensor.differs"), rules.feeding
    if feeding is None:
        return Refusal("not_offered", clauses, "no wager of this table has a bet sensor")
    if not command.reason.strip():
        return Refusal("reason", clauses, "say how it was seen: it stays on record")
    if refusal := no_seat(command.seat, rules):
        return refusal
    stake = state.stakes.get((command.seat, feeding.wager.id))
    if command.lit is (stake is not None):
        finding = "a chip lies there" if stake else "no chip lies there"
        return Refusal("no_difference", clauses, f"{finding}, as the sensor has it")
    cents = 0 if stake is None else stake.cents
    differed = acts.SensorDiffered(command.seat, command.lit, cents, command.reason, clauses)
    deal_has_begun = state.round is not None and state.round.coup.player
    if stake is None or deal_has_begun or rules.reading("sensor.differs") != "sensor":
        return (differed,)
    wager = (command.seat, feeding.wager.id, stake.chips_cents, stake.coupon_cents)
    return (differed, acts.WagerWithdrawn(*wager, once(clauses, rules.cites("wagers.royal_9"))))


core.no_effect(acts.SensorDiffered)


@also_offers(ANY_TIME)
def _of_the_controller(state: TableState, rules: TableRules) -> Iterator[Action]:
    controller = state[Controller]
    if _meters(state) and not controller.lost:
        yield Action(acts.ReportController, Role.FLOORPERSON, _cites(rules), must=False)
    if controller.lost and not controller.shown:
        yield Action(acts.ReadController, Role.FLOORPERSON, _cites(rules), must=False, awaited=True)


@also_offers(WITH_SHOE)
def _of_sensors(_state: TableState, rules: TableRules) -> Iterator[Action]:
    if rules.feeding is not None:
        clauses = rules.cites_reading("sensor.differs")
        yield Action(acts.ReportSensor, Role.FLOORPERSON, clauses, must=False)


@fills_in("ReportController.cause")
def _failure_cause(_situation: Situation, name: str) -> Field:
    return Field(name, "choice", choices=tuple((one, one) for one in _CAUSES), default=_CAUSES[1])


_RESERVE = "reserve"


@core.decides(acts.RetireMeters, Phase.CLOSED)
def _retire(state: TableState, command: acts.RetireMeters, rules: TableRules) -> Answer:
    before, clauses = state[Progressive], rules.ruling("meters-retired")
    if refusal := controller_lost(state, rules):
        return refusal
    if not command.reason.strip():
        return Refusal("reason", clauses, "say why the meters end: it stays on record")
    if not before.meters or command.into.keys() != before.meters.keys():
        names = ", ".join(before.meters) or "none"
        message = f"say of each meter where its money goes; meters of this table: {names}"
        return Refusal("meters", clauses, message)
    if state.gaming_date is None:
        return Refusal("not_opened", clauses, "the table was never opened: its meters are empty")
    if before.linked:
        message = f"{', '.join(before.linked)}: unlink the meters that tables share first"
        return Refusal("linked", clauses, message)
    seeds = {name: min(rules.meter_seeds[name], cents) for name, cents in before.meters.items()}
    contributed = {name: cents - seeds[name] for name, cents in before.meters.items()}
    fields = (before.commitment, command.reason, clauses)
    return (acts.MetersRetired(contributed, seeds, command.into, *fields),)


@moves(acts.MetersRetired)
def _posted(event: acts.MetersRetired) -> Iterator[Posting]:
    for name, cents in event.contributed.items():
        yield (ledger.meter(name), ledger.RESERVE, cents)
        yield (ledger.meter(name), ledger.SEED_FUNDING, event.seeds[name])


@core.applies(acts.MetersRetired)
def _retired(state: TableState, event: acts.MetersRetired) -> TableState:
    before = state[Progressive]
    waiting = Counter(before.waiting)
    waiting[_RESERVE] += before.reserve_cents - waiting.total()
    for name, cents in event.contributed.items():
        waiting[event.into[name]] += cents
    commitments = (*before.spent, event.commitment) if event.commitment else before.spent
    retired = Progressive(spent=commitments, reserve_cents=waiting.total(), waiting=dict(waiting))
    return with_slice(state, retired)


@hooks.on_opening.join
def _begin(state: TableState, rules: TableRules) -> Events:
    before = state[Progressive]
    if before.meters:
        return ()
    clauses = rules.ruling("meters-retired")
    amounts = {name: before.waiting.get(name, 0) for name in rules.meter_seeds}
    return tuple(
        acts.MeterReset(name, seed + amounts[name], amounts[name], clauses)
        for name, seed in rules.meter_seeds.items()
    )


@also_offers(Phase.CLOSED)
def _may_end(state: TableState, rules: TableRules) -> Iterator[Action]:
    if (
        state[Progressive].meters
        and state.gaming_date is not None
        and controller_lost(state, rules) is None
    ):
        clauses = rules.ruling("meters-retired")
        yield Action(acts.RetireMeters, Role.LICENSEE, clauses, must=False)


@hooks.meters_corrected.join
def _correct(
    state: TableState, entry: int, pair: Both, reset: Mapping[str, int], rules: TableRules
) -> Events | Refusal | None:
    was, now = (
        [(result.seat, result.wager) for result in results] for results in (pair.was, pair.now)
    )
    contributions = contributed(was, now, rules)
    awarded, seeds = _awards(pair, rules)
    awards = (result.decision.award for results in pair.changed for result in results.values())
    names = {one.meter for one in awards if one is not None and one.meter} | {*contributions}
    if not names:
        return None
    reset_since = {name for name in names if reset.get(name, 0) > entry}
    fed = () if rules.feeding is None else rules.cites_for("wagers.royal_9", "meters")
    clauses = once(fed, rules.ruling("award-in-error"))
    if refusal := _refused(state, rules, names, reset_since & {*(-awarded)}, clauses):
        return refusal
    if not awarded and not contributions:
        return None
    # A meter that was awarded since keeps what it shows: the house funds the award.
    # The order of a set would differ from process to process, and with it the log.
    for name in filter(reset_since.__contains__, awarded):
        seeds[name] = awarded[name]
    to_meter = rules.reading("meter_contribution.late") == "meter"
    gone = {name for name in reset_since if not to_meter or contributions[name] <= 0}
    clauses += rules.cites_reading("meter_contribution.late") if reset_since - gone else ()
    contributions = Counter({name: n for name, n in contributions.items() if name not in gone})
    meters, reserved = dict(state[Progressive].meters), 0
    for name in names:
        meters[name] += contributions[name] + seeds[name] - awarded[name]
    if "stax" in contributions:
        maximum = rules.value("wagers.royal_9.stax.must_hit_by", int)
        reserve = state[Progressive].reserve_cents
        reserved = max(meters["stax"] - maximum, min(0, contributions["stax"]), -reserve)
        meters["stax"] -= reserved
    seats = _participants(state, pair, rules)
    changes = (dict(awarded), dict(seeds), dict(contributions))
    return (acts.MetersCorrected(entry, meters, *changes, reserved, seats, clauses),)


def _awards(pair: Both, rules: TableRules) -> tuple[Counter[str], Counter[str]]:
    awarded, seeds = Counter[str](), Counter[str]()
    for results, sign in ((pair.now, 1), (pair.was, -1)):
        for result in results:
            award = result.decision.award
            if award is not None and award.meter is not None:
                awarded[award.meter] += sign * result.won_cents
                seeds[award.meter] += sign * rules.meter_seeds[award.meter]
    changes = ({name: n for name, n in counter.items() if n} for counter in (awarded, seeds))
    return Counter(next(changes)), Counter(next(changes))


def _refused(
    state: TableState, rules: TableRules, names: set[str], spent: set[str], clauses: tuple[str, ...]
) -> Refusal | None:
    """Refuse to correct meters that stay by election, are shared, or went to another patron."""
    message = ""
    if rules.reading("meter_award.correction") == "stands":
        message = "what a meter awarded stands as it was settled, as the licensee elects"
    elif linked := sorted(names & state[Progressive].linked.keys()):
        message = f"{', '.join(linked)}: tables share the meter, and it has gone on at the others"
    elif spent:
        message = f"{', '.join(sorted(spent))}: the meter has been awarded again since that round"
    return Refusal("meter", clauses, message) if message else None


def _participants(state: TableState, pair: Both, rules: TableRules) -> tuple[int, ...]:
    """Seats in the draw of the round on the layout. The draw of a round that has ended is over."""
    before, feeding = state[Progressive], rules.feeding
    round_ = state.round if state.phase is Phase.SETTLED else None
    if feeding is None or round_ is None or round_.number != pair.round or pair.is_drawn:
        return before.seats
    was, now = (
        {result.seat for result in results if result.wager == feeding.wager.id}
        for results in (pair.was, pair.now)
    )
    return tuple(sorted({*before.seats, *(now - was)} - (was - now)))


@core.applies(acts.MetersCorrected)
def _applied(state: TableState, event: acts.MetersCorrected) -> TableState:
    before = state[Progressive]
    reserve = before.reserve_cents + event.reserved_cents
    now = replace(before, meters=event.meters, seats=event.seats, reserve_cents=reserve)
    stax = before.meters.get("stax", 0)
    if not event.seats:
        # Nobody was drawn since: the next round is the first that may hit what this adds.
        late_cents = before.late_cents + max(0, event.meters.get("stax", 0) - stax)
        now = replace(now, late_cents=late_cents)
    elif not before.seats:
        # No wager of this round had fed the meters: they show what they did before it.
        now = replace(now, stax_before=stax - before.late_cents, late_cents=0)
    return with_slice(state, now)


@moves(acts.MetersCorrected)
def _posted_correction(event: acts.MetersCorrected) -> Iterator[Posting]:
    parts = (
        (event.contributed, ledger.CONTRIBUTIONS, 1),
        (event.seeded, ledger.SEED_FUNDING, 1),
        (event.awarded, ledger.AWARDED, -1),
    )
    for changes, account, sign in parts:
        for name, cents in changes.items():
            yield from ledger.moved(account, ledger.meter(name), sign * cents)
    yield from ledger.moved(ledger.meter("stax"), ledger.RESERVE, event.reserved_cents)


@notes(acts.MetersAdvanced)
def _metered(house: House, event: acts.MetersAdvanced, _entry: Entry) -> House:
    return replace(house, meters=event.meters)


@notes(acts.ProgressiveRoundEnded, acts.StaxWon)
def _draw_over(house: House, _event: acts.Event, entry: Entry) -> House:
    return drawn(house, entry)


@notes(acts.MeterReset)
def _emptied(house: House, event: acts.MeterReset, entry: Entry) -> House:
    return replace(house, reset={**house.reset, event.meter: entry.number})


@notes(acts.MetersCorrected)
def _meters_corrected(house: House, event: acts.MetersCorrected, _entry: Entry) -> House:
    last = {name: max(event.entry, house.reset.get(name, 0)) for name in event.awarded}
    return replace(house, reset={**house.reset, **last})
