"""Progressive meters after a round that fed or emptied them is settled again.

An award that was missed is owed with the reading of its round. One that was paid wrongly goes back
into its meter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from croupier import acts
from croupier.law.cite import once
from croupier.money import ledger
from croupier.money.ledger import Posting
from croupier.rules import TableRules
from croupier.table.irregular.settled_again import Both, contributed
from croupier.table.machine import core, hooks
from croupier.table.machine.bookkeeping import moves
from croupier.table.machine.core import Events, Refusal
from croupier.table.machine.house import Entry, House, notes
from croupier.table.machine.state import Phase, TableState, with_slice
from croupier.table.parts.progressive import Progressive
from croupier.table.settling.unclaimed_amounts import register_entry


@hooks.meters_corrected.join
def _correct(
    state: TableState, of: int, both: Both, reset: Mapping[str, int], rules: TableRules
) -> Events | Refusal | None:
    was, now = ([(one.seat, one.wager) for one in settled] for settled in (both.was, both.now))
    contributions = contributed(was, now, rules)
    awarded, seeded = _awards(both, rules)
    awards = (one.decision.award for settled in both.changed for one in settled.values())
    moved = {one.meter for one in awards if one is not None and one.meter} | {*contributions}
    if not moved:
        return None
    since = {name for name in moved if reset.get(name, 0) > of}
    clauses = once(_meter_cites(rules), register_entry("award-in-error", rules))
    if refusal := _refused(state, rules, moved, since & {*(-awarded)}, clauses):
        return refusal
    if not awarded and not contributions:
        return None
    # A meter that was awarded since keeps what it shows: the house funds the award.
    for name in since & awarded.keys():
        seeded[name] = awarded[name]
    contributions = Counter({name: contributions[name] for name in {*contributions} - since})
    meters, reserved = dict(state[Progressive].meters), 0
    for name in moved:
        meters[name] += contributions[name] + seeded[name] - awarded[name]
    if "stax" in contributions:
        most = rules.value("wagers.royal_9.stax.must_hit_by", int)
        reserve = state[Progressive].reserve_cents
        reserved = max(meters["stax"] - most, min(0, contributions["stax"]), -reserve)
        meters["stax"] -= reserved
    seats = _participants(state, both, rules)
    changes = (dict(awarded), dict(seeded), dict(contributions))
    return (acts.MetersCorrected(of, meters, *changes, reserved, seats, clauses),)


def _meter_cites(rules: TableRules) -> tuple[str, ...]:
    """Register entry on when wagers feed meters; none for a custom wager."""
    return () if rules.feeding is None else rules.cites_for("wagers.royal_9", "meters")


def _awards(both: Both, rules: TableRules) -> tuple[Counter[str], Counter[str]]:
    awarded, seeded = Counter[str](), Counter[str]()
    for settled, sign in ((both.now, 1), (both.was, -1)):
        for settlement in settled:
            award = settlement.decision.award
            if award is not None and award.meter is not None:
                awarded[award.meter] += sign * settlement.won_cents
                seeded[award.meter] += sign * rules.meter_seeds[award.meter]
    changes = ({name: n for name, n in counter.items() if n} for counter in (awarded, seeded))
    return Counter(next(changes)), Counter(next(changes))


def _refused(
    state: TableState, rules: TableRules, moved: set[str], taken: set[str], clauses: tuple[str, ...]
) -> Refusal | None:
    """Refuse to correct meters that stay by election, are shared, or went to another patron."""
    message = ""
    if rules.reading("meter_award.correction") == "stands":
        message = "what a meter awarded stands as it was settled, as the licensee elects"
    elif shared := sorted(moved & state[Progressive].linked.keys()):
        message = f"{', '.join(shared)}: tables share the meter, and it has gone on at the others"
    elif taken:
        message = f"{', '.join(sorted(taken))}: the meter has been awarded again since that round"
    return Refusal("meter", clauses, message) if message else None


def _participants(state: TableState, both: Both, rules: TableRules) -> tuple[int, ...]:
    """Seats in the draw of the round on the layout. The draw of an earlier round is over."""
    before, feeding = state[Progressive], rules.feeding
    lying = state.round if state.phase is Phase.SETTLED else None
    if feeding is None or lying is None or lying.number != both.round:
        return before.seats
    was, now = (
        {settlement.seat for settlement in settled if settlement.wager == feeding.wager.id}
        for settled in (both.was, both.now)
    )
    return tuple(sorted({*before.seats, *(now - was)} - (was - now)))


@core.applies(acts.MetersCorrected)
def _applied(state: TableState, event: acts.MetersCorrected) -> TableState:
    before = state[Progressive]
    reserve = before.reserve_cents + event.reserved_cents
    now = replace(before, meters=event.meters, seats=event.seats, reserve_cents=reserve)
    return with_slice(state, now)


@moves(acts.MetersCorrected)
def _posted(event: acts.MetersCorrected) -> Iterator[Posting]:
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


@notes(acts.MeterReset)
def _emptied(house: House, event: acts.MeterReset, entry: Entry) -> House:
    return replace(house, reset={**house.reset, event.meter: entry.number})


@notes(acts.MetersCorrected)
def _meters_corrected(house: House, event: acts.MetersCorrected, _entry: Entry) -> House:
    last = {name: max(event.entry, house.reset.get(name, 0)) for name in event.awarded}
    return replace(house, reset={**house.reset, **last})
