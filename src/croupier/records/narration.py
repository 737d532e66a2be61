"""Tells what happened at a table in words: one line for each thing that a bystander would notice.

Runs of like events (one patron's wagers, the cards of a burn, the losers that are collected) are
told in one line. Each line keeps the clauses behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, TypeAlias

from croupier.baccarat.wagers import Wager
from croupier.cited import NarrationLine
from croupier.money.settlement import dollars
from croupier.records.irregularities import HANDS, IRREGULARITIES
from croupier.records.narrated_house import HOUSE
from croupier.records.narrated_people import PEOPLE, who
from croupier.table import events as e
from croupier.table.commands import Choice

__all__ = ["NarrationLine", "narrate", "odds_in_words", "short"]


_ORDINAL: Final = {1: "first", 2: "second", 3: "third"}


def _spoken(words: str) -> str:
    return f"“{words}”"


def _seat(seat: int | None) -> str:
    return "the dealer" if seat is None else f"seat {seat}"


def short(cents: int | None) -> str:
    """Write an amount without its cents where it has none, as a dealer would say it.

    An amount that is not for the reader is ``None``.
    """
    return "??" if cents is None else dollars(cents).removesuffix(".00")


def odds_in_words(odds: object) -> str:
    """Write odds as they are spoken.

    >>> odds_in_words("3:2")
    '3 to 2'
    """
    return str(odds).replace(":", " to ")


def _stake(cents: int | None, coupon_cents: int = 0) -> str:
    return short(cents) + (f" and a coupon for {short(coupon_cents)}" if coupon_cents else "")


def _dealt(event: e.CardDealt) -> str:
    how = "" if event.face_up else ", face down"
    told = {"held": "held", "irregular": "drawn in error", "early": "dealt before its time"}
    source = "" if event.source == "shoe" else f", the card {told[event.source]}"
    card = f"{_ORDINAL[event.ordinal]} card: {event.card}"
    return f"{HANDS[event.hand]}, {card}{source}{how}"


def _returned(event: e.CardsReturned) -> str:
    if event.seat is None:
        return f"The dealer turns the {HANDS[event.hand]}"
    return f"Seat {event.seat} returns the {HANDS[event.hand]}, face up"


def _relinquished(event: e.RightRelinquished) -> str:
    if event.by is None:
        return f"Seat {event.seat} relinquishes the right to turn the {HANDS[event.hand]}"
    return (
        f"The {event.by} requires seat {event.seat} to relinquish the {HANDS[event.hand]}: "
        f"{event.grounds}"
    )


def _cleared(event: e.LayoutCleared) -> str:
    player, banker = (" ".join(map(str, hand)) for hand in (event.player, event.banker))
    return f"Discarded: Player {player}, Banker {banker}"


def _by(person: str | None) -> str:
    return f" ({person})" if person else ""


def _form(event: e.FormPrepared) -> str:
    signed = (
        "signed by the patron"
        if event.patron_signed
        else f"not signed by the patron: {event.statement}{_by(event.stated_by)}"
    )
    return (
        f"Complimentary Vigorish Form {event.serial}: {short(event.cents)} owed by "
        f"{event.patron}, {signed}"
    )


def _elections(elections: Mapping[str, Choice]) -> str:
    return ", ".join(f"{rule_id} is {_chosen(value)}" for rule_id, value in elections.items())


def _chosen(value: Choice) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{line} {odds}" for line, odds in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


def _adopted(event: e.ElectionsAdopted) -> str:
    limits = (
        f"{wager} from {short(one.min_cents)} to {short(one.max_cents)}"
        for wager, one in event.limits.items()
    )
    told = dict.fromkeys(f"{one.to} at {one.at:%Y-%m-%d %H:%M} UTC" for one in event.notices)
    changes = ", ".join(filter(None, (_elections(event.elections), *limits)))
    after = f"; notice to {', '.join(told)}" if told else ""
    return f"From now on {changes}{after}"


_STEPS: Final = {
    "plug": "plugs the cards behind the cutting card",
    "riffle": "riffles the stack",
    "turn": "turns one half of the stack",
    "strip": "strips the stack",
}


def _curator(event: e.CuratorNamed) -> str:
    if event.seat is None:
        return "The dealer is the curator"
    deals = ", and has the dealer deal" if event.dealer_deals else ""
    return f"Seat {event.seat} takes the shoe as curator{deals}"


def _passed(event: e.ShoePassed) -> str:
    why = {"voluntary": "", "banker lost": ": Banker's Hand lost"}
    ground = why.get(event.grounds, f": {event.grounds}")
    ordered = "" if event.by is None else f", ordered by the {event.by}"
    return f"{_seat(event.seat).capitalize()} passes the shoe{ground}{ordered}"


def _meters(event: e.MetersAdvanced) -> str:
    shown = ", ".join(f"{meter} {short(cents)}" for meter, cents in event.meters.items())
    return f"The meters show {shown}"


def _read(event: e.MetersRead) -> str:
    shown = ", ".join(f"{meter} {short(cents)}" for meter, cents in event.shown.items())
    whose = f"linked as {event.link}" if event.link else "the table's own again"
    return f"The meters, {whose}, show {shown}"


def _reconciled(event: e.MetersReconciled) -> str:
    differ = [
        f"{meter} shows {short(cents)}, and {short(event.expected[meter])} stands behind it"
        for meter, cents in event.shown.items()
        if cents != event.expected[meter]
    ]
    due = f"; awards due by hand: {', '.join(map(str, event.due))}" if event.due else ""
    return f"The meters are reconciled: {'; '.join(differ) or 'all as their accounts'}{due}"


_TOLD: Final[dict[type[e.Event], tuple[str, Callable[[Any], str]]]] = {
    **PEOPLE,
    **HOUSE,
    e.TableOpened: ("act", lambda x: f"The table opens with {short(x.inventory_cents)} in chips"),
    e.CardsReceived: (
        "act",
        lambda x: f"{x.decks} decks are received{', pre-shuffled' if x.preshuffled else ''}",
    ),
    e.CardsInspected: ("act", lambda _: "The dealer inspects the cards"),
    e.CardsVerified: ("act", lambda x: f"{who(x.floorperson)} verifies the cards"),
    e.CardsRejected: ("act", lambda x: f"{who(x.floorperson)} rejects the cards"),
    e.MixFoundUneven: ("act", lambda x: f"{who(x.floorperson)} finds the mix uneven"),
    e.CardsSpread: (
        "act",
        lambda x: (
            f"{x.decks} decks are spread face up,{x.laid_out and f' in {x.laid_out}'} by deck, "
            "suit and sequence"
        ),
    ),
    e.SpreadViewed: ("act", lambda x: f"Seat {x.seat} looks at the cards"),
    e.CardsWashed: ("act", lambda _: "The cards are turned down, washed and stacked"),
    e.CardsStacked: ("act", lambda x: f"Batch {x.batch} is turned down and stacked"),
    e.BatchesExchanged: (
        "act",
        lambda x: (
            f"Batch {x.into_device} goes into the shuffler"
            + (f", and batch {x.out_of_device} comes out" if x.out_of_device else "")
        ),
    ),
    e.InspectionRequested: ("act", lambda x: f"Seat {x.seat} asks to see batch {x.batch}"),
    e.CardsShuffled: ("act", lambda x: f"{who(x.dealer or 'dealer')} shuffles"),
    e.ShuffleStepPerformed: ("act", lambda x: f"The dealer {_STEPS[x.step]}"),
    e.ShuffleDirected: ("act", lambda x: f"{who(x.supervisor)} directs a shuffle"),
    e.TimeRecorded: ("act", lambda x: f"It is {x.at:%Y-%m-%d %H:%M} UTC"),
    e.CardsRemoved: ("act", lambda _: "The decks are taken off the table"),
    e.ShoeOffered: ("act", lambda x: f"The shoe is offered to {_seat(x.seat)}"),
    e.ShoeDeclined: ("act", lambda x: f"Seat {x.seat} rejects the shoe"),
    e.CuratorNamed: ("act", _curator),
    e.ShoePassed: ("act", _passed),
    e.CardsCalled: ("spoken", lambda x: _spoken(x.words)),
    e.NoticeRecorded: (
        "act",
        lambda x: f"Notice to {x.to}, {x.at:%Y-%m-%d %H:%M} UTC: {_elections(x.elections)}",
    ),
    e.ElectionsAdopted: ("act", _adopted),
    e.FreeHandRequested: ("act", lambda x: f"Seat {x.seat} asks for a hand without wagers"),
    e.TurningPermitted: (
        "act",
        lambda x: f"Seat {x.seat} is permitted to turn the {HANDS[x.hand]}, which has no wagers",
    ),
    e.HouseMoneyDue: ("act", lambda _: "House Money is settled before any third card"),
    e.HouseMoneySettled: ("act", lambda _: "The game continues"),
    e.MysteryCommitted: (
        "act",
        lambda x: f"A mystery value is set, with commitment {x.commitment[:16]}…",
    ),
    e.MysteryReplaced: (
        "act",
        lambda x: f"The mystery value under the seal {x.commitment[:16]}… is given up: {x.reason}",
    ),
    e.MeterReset: ("money", lambda x: f"The {x.meter} meter shows {short(x.cents)} again"),
    e.MetersAdvanced: ("money", _meters),
    e.MetersRead: ("money", _read),
    e.PaidByHand: (
        "money",
        lambda x: (
            f"The cage pays {x.patron} {short(x.cents)} by hand, slip {x.slip} for award {x.number}"
        ),
    ),
    e.MetersReconciled: ("act", _reconciled),
    e.ProgressiveRoundEnded: (
        "act",
        lambda _: "The round is ended for the progressive wager: no draw",
    ),
    e.StaxWon: (
        "act",
        lambda x: (
            f"The mystery value {short(x.mystery_cents)} is hit; drawn among seats "
            f"{', '.join(map(str, x.seats))}: {x.words}"
        ),
    ),
    e.StackFeathered: ("act", lambda _: "The stack is left feathered"),
    e.FeatherVerified: ("act", lambda x: f"{who(x.floorperson)} finds the mix even"),
    e.StackLaced: ("act", lambda _: "One deck is laced into the stack"),
    e.StackReshuffled: ("act", lambda _: "The laced cards are shuffled again"),
    e.CutOffered: ("act", lambda x: f"The cut is offered to {_seat(x.seat)}"),
    e.CutDeclined: ("act", lambda x: f"Seat {x.seat} declines the cut"),
    e.StackCut: (
        "act",
        lambda x: f"{_seat(x.seat).capitalize()} cuts, {x.position} cards from the front",
    ),
    e.RecutRequired: ("act", lambda x: f"{who(x.supervisor)} orders a recut: {x.reason}"),
    e.ShoeLoaded: ("act", lambda x: f"Shoe {x.shoe} is loaded with {x.decks} decks"),
    e.PatronSeated: ("act", lambda x: f"{who(x.patron)} takes seat {x.seat}"),
    e.ChipsBought: ("money", lambda x: f"Seat {x.seat} buys chips for {short(x.cents)}"),
    e.PatronLeft: (
        "act",
        lambda x: f"{who(x.patron)} leaves seat {x.seat} with {short(x.chips_cents)} in chips",
    ),
    e.VerbalWagerConfirmed: (
        "act",
        lambda x: (
            f"Dealer and {x.supervisor} confirm the verbal wager of seat {x.seat}"
            if x.supervisor
            else f"The dealer confirms the verbal wager of seat {x.seat}"
        ),
    ),
    e.NoMoreBetsCalled: ("spoken", lambda x: _spoken(x.words)),
    e.CuttingCardAppeared: ("act", lambda _: "The cutting card appears and is set aside"),
    e.CardDealt: ("card", _dealt),
    e.BankerFirstRequested: (
        "act",
        lambda x: f"Seat {x.seat} asks that Banker's Hand be turned first",
    ),
    e.CardsHanded: ("act", lambda x: f"The {HANDS[x.hand]} is handed to seat {x.seat}"),
    e.CardsReturned: ("act", _returned),
    e.RightRelinquished: ("act", _relinquished),
    e.CardsOffered: ("act", lambda x: f"The {HANDS[x.hand]} is offered to {_seat(x.seat)}"),
    e.CardsAccepted: ("act", lambda x: f"Seat {x.seat} takes the {HANDS[x.hand]}"),
    e.CardsDeclined: ("act", lambda x: f"Seat {x.seat} declines the {HANDS[x.hand]}"),
    e.PointCountAnnounced: ("spoken", lambda x: _spoken(x.words)),
    e.ThirdCardRuled: ("ruling", lambda x: x.reason),
    e.ResultAnnounced: ("spoken", lambda x: _spoken(x.words)),
    e.LayoutCleared: ("act", _cleared),
    e.LastHandCalled: ("spoken", lambda x: _spoken(x.words)),
    e.ShoeCompleted: ("act", lambda x: f"Shoe {x.shoe} is completed"),
    e.DiscardsReturned: ("act", lambda _: "The cards go back into the device"),
    **IRREGULARITIES,
    e.TableIdle: (
        "act",
        lambda x: f"The table is idle: its cards are spread face {'up' if x.face_up else 'down'}",
    ),
    e.SpreadTurnedUp: ("act", lambda _: "The cards are turned face up"),
    e.FormsReceived: (
        "act",
        lambda x: f"{who(x.pit_clerk)} receives Complimentary Vigorish Forms {x.first} to {x.last}",
    ),
    e.FormPrepared: ("act", _form),
    e.VigorishDocumented: (
        "money",
        lambda x: f"{short(x.cents)} of the marker of seat {x.seat} is on Form {x.serial}",
    ),
    e.FormsHandedOver: (
        "act",
        lambda x: f"{who(x.pit_clerk)} hands the Forms over to {x.taken_by}",
    ),
    e.VigorishRestored: (
        "money",
        lambda x: f"Seat {x.seat} owes {short(x.cents)} again: Form {x.serial} is void",
    ),
    e.FormVoided: ("act", lambda x: f"Form {x.serial} is marked void and signed"),
    e.FormDropped: ("act", lambda x: f"The original of Form {x.serial} is dropped"),
    e.ComplimentaryRecorded: (
        "money",
        lambda x: f"{short(x.cents)} is recorded as a complimentary to {x.patron}",
    ),
    e.DuplicatesForwarded: (
        "act",
        lambda x: (
            f"To accounting: {len(x.duplicates)} duplicates, {len(x.void)} void Forms;"
            f" {len(x.unused)} unused"
            + (f"; the gaming day of {x.next_date} begins" if x.next_date else "")
        ),
    ),
    e.FormsCompared: (
        "act",
        lambda x: (
            f"Accounting matches {len(x.matched)} Forms; without original"
            f" {len(x.without_original)}, without duplicate {len(x.without_duplicate)}, of another"
            f" amount {len(x.differing)}"
        ),
    ),
    e.TableClosed: ("act", lambda _: "The table is closed"),
}


class _Told:
    """What a line of several wagers is told from: their titles, and what was staked on each."""

    def __init__(self, wagers: Mapping[str, Wager], events: Sequence[e.Event]) -> None:
        self._wagers: Final = wagers
        self._stakes: Final = {
            (one.seat, one.wager): _stake(one.cents, one.coupon_cents)
            for event in events
            if isinstance(event, (e.StakesReleased, e.StakesKept))
            for one in event.stakes
        }

    def wager(self, wager: str, cents: int, coupon_cents: int = 0) -> str:
        """Name a wager with its stake. Raises ``KeyError`` for one that the rules do not know."""
        return f"{self.title(wager)} {_stake(cents, coupon_cents)}"

    def title(self, wager: str) -> str:
        """Return the title of a wager. Raises ``KeyError`` for one that the rules do not know."""
        return self._wagers[wager].title

    def staked(self, run: Sequence[Any]) -> tuple[str, ...]:
        """Name several stakes, seat by seat."""
        return _by_seat(run, lambda x: self.wager(x.wager, x.cents, x.coupon_cents))

    def paid(self, event: e.WagerPaid) -> str:
        """Say what a wager pays: its stake, its winnings, and the odds."""
        return f"{self._placed(event)} pays {short(event.cents)} ({odds_in_words(event.odds)})"

    def awarded(self, event: e.AwardPaid | e.HandPayDue) -> str:
        """Say what an award is paid for, by its line."""
        title = self._wagers[event.wager].line_titles.get(event.line, event.line)
        return f"{self._placed(event)} pays {short(event.cents)} ({title.replace('_', ' ')})"

    def withdrawn(self, event: e.WagerWithdrawn) -> str:
        """Say which wager is withdrawn."""
        lay = self.wager(event.wager, event.cents, event.coupon_cents)
        return f"Seat {event.seat} withdraws {lay}"

    def _placed(self, event: e.WagerPaid | e.AwardPaid | e.HandPayDue) -> str:
        """Name a wager with the stake that was released or kept before it is paid."""
        stake = self._stakes.get((event.seat, event.wager))
        title = self.title(event.wager)
        return title if stake is None else f"{title} {stake}"


def _by_seat(run: Sequence[Any], tell: Callable[[Any], str]) -> tuple[str, ...]:
    """Tell of several wagers, seat by seat in the order in which they come."""
    return tuple(
        f"seat {seat}  " + ", ".join(map(tell, wagers))
        for seat, wagers in groupby(run, key=lambda one: one.seat)
    )


def _burned(run: Sequence[e.CardBurned]) -> tuple[str, ...]:
    return (", ".join(str(one.card) if one.shown else "unseen" for one in run),)


def _released(run: Sequence[e.StakesReleased]) -> list[e.Release]:
    return [one for event in run for one in event.stakes if one.outcome == "push"]


_Run: TypeAlias = Callable[[_Told, Sequence[Any]], tuple[str, ...]]

_RUNS: Final[dict[type[e.Event], tuple[str, str, _Run]]] = {
    e.CardBurned: ("card", "Burned:", lambda _, run: _burned(run)),
    e.WagerPlaced: ("money", "Wagers:", _Told.staked),
    e.WagersPlaced: (
        "money",
        "Wagers:",
        lambda told, run: tuple(
            f"seat {one.seat}  " + ", ".join(told.wager(*stake) for stake in one.stakes.items())
            for one in run
        ),
    ),
    e.LosingWagersCollected: (
        "money",
        "Losing stakes collected:",
        lambda told, run: told.staked([one for event in run for one in event.stakes]),
    ),
    e.StakesReleased: (
        "money",
        "Stakes returned (push or void):",
        lambda told, run: told.staked(_released(run)),
    ),
    e.WagerPaid: ("money", "Paid:", lambda told, run: _by_seat(run, told.paid)),
    e.StakesKept: (
        "money",
        "Stakes kept because their awards are paid for one:",
        lambda told, run: told.staked([one for event in run for one in event.stakes]),
    ),
    e.AwardPaid: ("money", "Awarded:", lambda told, run: _by_seat(run, told.awarded)),
    e.HandPayDue: (
        "money",
        "Awarded, to be paid by hand:",
        lambda told, run: _by_seat(run, lambda x: f"{told.awarded(x)}, number {x.number}"),
    ),
    e.PayoutAdded: (
        "money",
        "House Money placed on a wager by the dealer:",
        lambda told, run: _by_seat(run, lambda x: f"{short(x.cents)} on {told.title(x.to)}"),
    ),
    e.VigorishMarked: (
        "money",
        "Vigorish marked:",
        lambda _, run: _by_seat(run, lambda x: f"{short(x.cents)}, owing {short(x.owed_cents)}"),
    ),
    e.VigorishCollected: (
        "money",
        "Vigorish collected:",
        lambda _, run: _by_seat(run, lambda x: short(x.cents)),
    ),
    e.VigorishWaived: (
        "money",
        "No vigorish, because the total cards wagers reach the Banker wager:",
        lambda _, run: tuple(f"seat {one.seat}" for one in run),
    ),
}


def narrate(events: Sequence[e.Event], wagers: Mapping[str, Wager]) -> Iterator[NarrationLine]:
    """Yield what events come to in words; runs of like events make one line.

    ``wagers`` are those that the rules know, by id. Raises ``KeyError`` for an event of another.

    >>> from croupier.table.events import CutDeclined
    >>> [line.text for line in narrate([CutDeclined(7, ("NJ-MINI:7.5(d)#2",))], {})]
    ['Seat 7 declines the cut']
    """
    told = _Told(wagers, events)
    for kind_of_event, group in groupby(events, key=type):
        run = list(group)
        if kind_of_event in _RUNS:
            kind, text, tell_run = _RUNS[kind_of_event]
            if details := tell_run(told, run):
                yield NarrationLine(kind, text, _clauses(run), details)
            continue
        for event in run:
            if isinstance(event, e.WagerWithdrawn):
                yield NarrationLine("money", told.withdrawn(event), event.clauses)
                continue
            kind, tell = _TOLD[kind_of_event]
            yield NarrationLine(kind, tell(event), event.clauses)


def _clauses(run: Sequence[e.Event]) -> tuple[str, ...]:
    """Return the clauses of a run, each once, in the order in which they come."""
    return tuple(dict.fromkeys(clause for event in run for clause in event.clauses))
