"""Settlement of rounds from their cards and wagers, with validation."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from operator import index
from typing import Any, Self, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.api.result import Figures, Frame, TypedResult
from croupier.api.rules import GameRules
from croupier.baccarat.cards import Cards, cards_text, parse_cards
from croupier.baccarat.coup import WINNERS, Coup, CoupError, Hand, any_suit, in_dealing_order
from croupier.files.arguments import checks_types
from croupier.files.errors import PicklableError
from croupier.law.cite import once
from croupier.law.usage import money, under
from croupier.money.settlement import Settled, Stake, rounding_cites, settle
from croupier.rules import Outcome, TableRules
from croupier.table.settling.settling import vigorish_clauses
from croupier.table.wagering.together import above_limit_of_all
from croupier.table.wagering.wagering import unfit_stake

__all__ = [
    "Fault", "PlacedWager", "Round", "RoundError", "RoundResult", "WagerResult", "settle_round",
    "settle_rounds",
]  # fmt: skip

Hands = Mapping[str, Cards]
"""Cards by hand, as ``{"player": "Kd 5h 6c", "banker": "4c 2s Ah"}``."""


_HANDS = frozenset(hand.value for hand in Hand)
_OUTCOMES = tuple(outcome.value for outcome in Outcome)


class PlacedWager(Struct, frozen=True):
    """One wager on the layout: seat, wager id, and stake in cents.

    ``coupon_cents`` is the amount of a match play coupon with the chips, if any.
    """

    seat: int
    wager: str
    cents: int
    coupon_cents: int = 0


Wagers = Mapping[tuple[int, str], int] | Iterable[PlacedWager]


class Round(Struct, frozen=True):
    """A round to settle: its cards, wagers, and progressive meters in cents.

    ``cards`` are in dealing order, as ``"Kd 4c 5h 2s 6c Ah"``, or by hand.
    """

    cards: Cards | Hands
    wagers: Wagers = ()
    meters: Mapping[str, int] = field(default_factory=dict)


class Fault(Struct, frozen=True):
    """One error in a round to be settled.

    ``code`` is ``cards``, ``seat``, ``amount``, ``not_offered``, ``limit``, ``fraction_of_a_cent``,
    ``vigorish_above_win``, ``coupon``, ``needs_base``, ``not_together``, ``limit_of_all``,
    ``repeated``, ``meter`` or ``law``.
    ``where`` names the cards or the wager, and ``round`` is the index of the round from 0.
    ``clauses`` are the clauses violated.
    """

    code: str
    where: str
    message: str
    clauses: tuple[str, ...] = ()
    round: int = 0

    def __str__(self) -> str:
        law = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        return f"{self.where}: {self.message}{law}"


class RoundError(PicklableError, ValueError):
    """Rounds that cannot be settled; ``faults`` lists every error."""

    def __init__(self, faults: tuple[Fault, ...], *, numbered: bool = True) -> None:
        texts = (f"round {fault.round}: {fault}" if numbered else str(fault) for fault in faults)
        super().__init__("\n".join(texts))
        self.faults = faults


class WagerResult(TypedResult, frozen=True):
    """One settled wager, in cents.

    ``outcome`` is ``win``, ``lose`` or ``push``, ``line`` the name of the outcome as a log has it,
    and ``pays`` its payout or ``None``. ``net_cents`` is the patron's net result after vigorish; a
    coupon is not the patron's money. ``clauses`` are those of the outcome, its payout, and the
    vigorish charged or waived.
    """

    seat: int
    wager: str
    stake_cents: int
    coupon_cents: int
    outcome: str
    line: str
    pays: str | None
    won_cents: int
    vigorish_cents: int
    vigorish_waived: bool
    net_cents: int
    clauses: tuple[str, ...]

    @classmethod
    def _read(cls, data: object) -> Self:
        return _known(super()._read(data), "outcome", _OUTCOMES)

    def figures(self) -> Iterator[Figures]:
        """Yield the wager as one row."""
        yield _wagers_shown(f"Seat {self.seat}", (self,))


class RoundResult(TypedResult, frozen=True):
    """A settled round: both hands, the winner, and every wager in the order given."""

    player: tuple[str, ...]
    banker: tuple[str, ...]
    player_total: int
    banker_total: int
    winner: str
    wagers: tuple[WagerResult, ...]
    rules_hash: str

    @classmethod
    def _read(cls, data: object) -> Self:
        result = _known(super()._read(data), "winner", WINNERS)
        for wager in result.wagers:
            _known(wager, "outcome", _OUTCOMES)
        return result

    def _frame(self) -> Frame:
        return (RoundResult, WagerResult), ((self, wager) for wager in self.wagers)

    @property
    def net_cents(self) -> int:
        """Net result of all patrons, in cents."""
        return sum(wager.net_cents for wager in self.wagers)

    @checks_types
    def seat_net_cents(self, seat: int) -> int:
        """Return the net result of the patron at a seat, in cents."""
        return sum(wager.net_cents for wager in self.wagers if wager.seat == seat)

    def figures(self) -> Iterator[Figures]:
        """Yield the hands and the wagers."""
        hands = (
            ("Player", " ".join(self.player), str(self.player_total)),
            ("Banker", " ".join(self.banker), str(self.banker_total)),
        )
        yield Figures(f"Winner: {self.winner}", ("Hand", "Cards", "Total"), hands)
        if self.wagers:
            yield _wagers_shown("Wagers", self.wagers)


Read = TypeVar("Read", bound=TypedResult)


def _known(result: Read, name: str, words: Collection[str]) -> Read:
    if (word := getattr(result, name)) not in words:
        raise ValueError(f"{name}: {word!r} is none of {', '.join(words)}")
    return result


def _wagers_shown(title: str, wagers: Iterable[WagerResult]) -> Figures:
    return Figures(
        title,
        ("Seat", "Wager", "Stake", "Outcome", "Pays", "Vigorish", "Net", "Clauses"),
        [
            (
                str(wager.seat),
                wager.wager,
                money(wager.stake_cents + wager.coupon_cents),
                wager.outcome,
                wager.pays or "",
                money(wager.vigorish_cents),
                money(wager.net_cents),
                ", ".join(wager.clauses),
            )
            for wager in wagers
        ],
    )


@checks_types
def settle_round(
    rules: GameRules,
    cards: Cards | Hands,
    wagers: Wagers = (),
    *,
    meters: Mapping[str, int] | None = None,
) -> RoundResult:
    """Settle one round: winnings, losses and vigorish of every wager.

    ``cards`` are in dealing order or by hand; ``wagers`` are stakes in cents by seat and wager id,
    or ``PlacedWager`` objects. ``meters`` are the progressive meters in cents. Raises
    ``RoundError`` with every error: cards that the drawing table does not permit, seats, amounts,
    limits, and wagers not on offer.

    >>> from datetime import date
    >>> import croupier
    >>> rules = croupier.default_rules("us-nj/minibaccarat", date(2011, 2, 22))
    >>> result = croupier.settle_round(rules, "Kd 4c 5h 2s 6c Ah", {(3, "banker"): 10_000})
    >>> result.winner, result.wagers[0].net_cents
    ('banker', 9500)
    """
    return _settled_rounds(rules, (Round(cards, wagers, meters or {}),), numbered=False)[0]


@checks_types
def settle_rounds(rules: GameRules, rounds: Iterable[Round]) -> tuple[RoundResult, ...]:
    """Settle many rounds under the same rules.

    Raises ``RoundError`` with every error of every round, without settling any.
    """
    return _settled_rounds(rules, rounds, numbered=True)


def _settled_rounds(
    rules: GameRules, rounds: Iterable[Round], *, numbered: bool
) -> tuple[RoundResult, ...]:
    table = rules.table
    if table.missing:
        message = f"{table.law.id} settles nothing under {table.missing_in_words}"
        fault = Fault("law", "rules", f"no round is dealt under them: {message}")
        raise RoundError((fault,), numbered=False)
    faults: list[Fault] = []
    results = []
    for number, given in enumerate(rounds):
        if not isinstance(given, Round):
            raise TypeError(f"round {number} is a {type(given).__name__}: give a Round")
        round_ = given
        if hasattr(given.meters, "items"):
            shown = {meter: _whole(cents) for meter, cents in given.meters.items()}
            round_ = replace(given, meters=shown)
        checker = _Checker(table, number)
        coup = checker.coup(round_.cards)
        with under(table.law.usage):
            stakes = checker.stakes(round_)
            faults += checker.faults
            if coup is not None and not faults:
                results.append(_settle(table, coup, stakes, round_.meters))
    if faults:
        raise RoundError(tuple(faults), numbered=numbered)
    return tuple(results)


def _placed_wagers(wagers: Any) -> tuple[PlacedWager, ...]:
    if isinstance(wagers, Mapping):
        wagers = [
            PlacedWager(*key, cents) if isinstance(key, tuple) and len(key) == 2 else key
            for key, cents in wagers.items()
        ]
    placed_wagers = tuple(wagers) if isinstance(wagers, Iterable) else (wagers,)
    for item in placed_wagers:
        if not isinstance(item, PlacedWager):
            raise TypeError(f"wagers: {item!r}: give cents by (seat, wager), or PlacedWagers")
    return tuple(
        PlacedWager(_whole(one.seat), one.wager, _whole(one.cents), _whole(one.coupon_cents))
        for one in placed_wagers
    )


def _whole(value: Any) -> Any:
    """Return a whole number, such as numpy's, as an int, and anything else as it is."""
    try:
        return value if isinstance(value, bool) else index(value)
    except TypeError:
        return value


def texts_by_hand(cards: Mapping[str, Cards]) -> dict[Hand, str]:
    """Return the text of each hand. Raises ``ValueError`` for another key."""
    if not set(cards) <= _HANDS:
        raise ValueError(f"{cards!r}: write a text of cards, or one each for player and banker")
    return {Hand(name): cards_text(hand_cards) for name, hand_cards in cards.items()}


def dealt(rules: TableRules, cards: Cards | Hands) -> Coup:
    """Coup of the cards dealt so far, in dealing order or by hand.

    Raises ``ValueError`` for a nonexistent card, or one that the drawing table does not permit.
    """
    if not isinstance(cards, Mapping):
        return Coup.of(parse_cards(cards_text(cards)), rules.tableau)
    hands = {hand: parse_cards(text) for hand, text in texts_by_hand(cards).items()}
    return Coup.of(map(any_suit, in_dealing_order(rules.tableau, hands)), rules.tableau)


class _Checker:
    def __init__(self, rules: TableRules, number: int) -> None:
        self._rules = rules
        self._number = number
        self.faults: list[Fault] = []

    def _fault(self, code: str, place: str, message: str, clauses: tuple[str, ...] = ()) -> None:
        self.faults.append(Fault(code, place, message, clauses, self._number))

    def coup(self, cards: Cards | Hands) -> Coup | None:
        try:
            coup = dealt(self._rules, cards)
            if (hand := coup.due) is not None:
                raise CoupError(f"the {hand.title} still needs a card: {coup}")
        except (ValueError, TypeError) as error:
            self._fault("cards", "cards", str(error))
            return None
        # Every law has at least six decks, so a shoe has each card often enough.
        return coup

    def stakes(self, round_: Round) -> dict[tuple[int, str], Stake]:
        stakes: dict[tuple[int, str], Stake] = {}
        for bet in _placed_wagers(round_.wagers):
            place = f"seat {bet.seat}, {bet.wager}"
            if self._is_sound(bet, place):
                if (bet.seat, bet.wager) in stakes:
                    self._fault("repeated", place, "is there twice: add the stakes up")
                stakes[bet.seat, bet.wager] = Stake(bet.cents, bet.coupon_cents)
        for (seat, wager), stake in stakes.items():
            other_wagers = {other for place, other in stakes if place == seat and other != wager}
            refusal = unfit_stake(wager, *stake, other_wagers, self._rules)
            if refusal is not None:
                message = refusal.message.removeprefix(f"{wager}: ")
                self._fault(refusal.code, f"seat {seat}, {wager}", message, refusal.clauses)
        cents = ((wager, stake.cents) for (_, wager), stake in stakes.items())
        if refusal := above_limit_of_all(cents, self._rules):
            self._fault(refusal.code, "the round", refusal.message, refusal.clauses)
        self._meters(round_, stakes)
        return stakes

    def _is_sound(self, wager: Any, place: str) -> bool:
        seats = self._rules.submission.layout.seats
        if type(wager.seat) is not int:
            self._fault("seat", place, f"the seat is {wager.seat!r}: write an int, 1 to {seats}")
        elif not 1 <= wager.seat <= seats:
            self._fault("seat", place, f"the seats are 1 to {seats}")
        is_known = isinstance(wager.wager, str)
        if not is_known:
            self._fault("not_offered", place, "name the wager by its id, a text")
        tender = self._rules.cites("wagers.tender")
        are_cents = True
        for kind, cents, minimum in (
            ("stake", wager.cents, 1),
            ("coupon", wager.coupon_cents, 0),
        ):
            if type(cents) is not int or cents < minimum:
                are_cents = False
                message = f"the {kind} is {cents!r}: write whole cents, an int of {minimum} or more"
                self._fault("amount", place, message, tender)
        return is_known and are_cents and isinstance(wager.seat, int)

    def _meters(self, round_: Round, stakes: Mapping[tuple[int, str], Stake]) -> None:
        if not hasattr(round_.meters, "items"):
            kind = type(round_.meters).__name__
            raise TypeError(f"meters is a {kind}: give the amounts in cents by meter, as a mapping")
        offers = self._rules.offers
        meters = {meter for _, wager in stakes if wager in offers for meter in offers[wager].meters}
        for meter in sorted(meters | set(round_.meters), key=str):
            cents = round_.meters.get(meter)
            if meter not in self._rules.meter_seeds:
                self._fault("meter", "meters", f"{meter}: this table keeps no such meter")
            elif type(cents) is not int or cents < 0:
                self._fault("meter", "meters", f"{meter}: tell what it shows, in whole cents")


def _settle(
    rules: TableRules,
    coup: Coup,
    stakes: Mapping[tuple[int, str], Stake],
    meters: Mapping[str, int],
) -> RoundResult:
    facts = rules.facts_of(coup)
    return RoundResult(
        tuple(map(str, coup.player)),
        tuple(map(str, coup.banker)),
        facts.player_count,
        facts.banker_count,
        facts.winner_name,
        tuple(_wager(one, rules) for one in settle(rules, facts, stakes, meters)),
        rules.sha256,
    )


def _wager(one: Settled, rules: TableRules) -> WagerResult:
    decision = one.decision
    odds = decision.odds or decision.award
    is_lost = decision.outcome is Outcome.LOSE or decision.keeps_stake
    return WagerResult(
        one.seat,
        one.wager,
        one.stake.chips_cents,
        one.stake.coupon_cents,
        decision.outcome.value,
        decision.recorded_line or decision.line,
        None if odds is None else str(odds),
        one.won_cents,
        one.vigorish_cents,
        one.waived,
        one.won_cents - one.vigorish_cents - (one.stake.chips_cents if is_lost else 0),
        once(decision.clauses, vigorish_clauses(one, rules), rounding_cites(one, rules)),
    )
