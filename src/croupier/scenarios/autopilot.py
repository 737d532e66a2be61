"""An autopilot that plays a table by its legal commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, time
from typing import Any, Final

from croupier import acts
from croupier.acts.roles import Role
from croupier.baccarat.cards import DECK, Card
from croupier.baccarat.coup import Hand
from croupier.baccarat.wagers import Moment
from croupier.money.stax import MemoryVault, Vault
from croupier.rules import Offer, TableRules
from croupier.scenarios.people import DEALER, FLOORPERSON, PIT_BOSS, PIT_CLERK, together
from croupier.scenarios.plainest import drawn_unseen, given_by, plainest, sets_first
from croupier.table.cards.chance import Chance
from croupier.table.dealing.dealing import card_due
from croupier.table.house.tray import Tray
from croupier.table.machine.core import Action, Events, Refusal, decide
from croupier.table.machine.position import Stamp
from croupier.table.machine.session import TableSession
from croupier.table.machine.state import Phase, TableState
from croupier.table.parts.forms import FormBook
from croupier.table.parts.progressive import Progressive, draw_terms, mystery_uncommitted
from croupier.table.parts.timed_decks import others
from croupier.table.settling.settling import owed_by_the_shoe

Wagering = Callable[[TableRules, int, Chance], Iterator[tuple[str, int]]]
"""A seat's wagers on a round: wager ids and cents, base wagers first."""

_BETWEEN_ROUNDS: Final = (Phase.BETTING, Phase.SHOE_COMPLETED)
_BEFORE_THE_SHOE: Final = frozenset(Phase) - {
    Phase.TO_BURN, Phase.BETTING, Phase.DEALING, Phase.DECIDED, Phase.SETTLED,
}  # fmt: skip
"""Phases in which the cards are not in a shoe for dealing."""

_TOTALS: Final = ("limits.differential", "limits.of_all_patrons")
_FORMS: Final = 100
_CHIPS_CENTS: Final = 500_000


def stake_for(offer: Offer, chance: Chance) -> int:
    """Return a valid stake of one to five times the minimum, in cents."""
    if offer.limit is None:
        return -(-2000 // offer.unit_cents) * offer.unit_cents * (1 + chance.below(5))
    cents = offer.limit.min_cents * (1 + chance.below(5))
    return min(cents, offer.limit.max_cents // offer.unit_cents * offer.unit_cents)


def everything(rules: TableRules, _: int, chance: Chance) -> Iterator[tuple[str, int]]:
    """Wager on one of the hands and on every other wager offered."""
    bases = [wager for wager, offer in rules.offers.items() if offer.wager.on is not None]
    base = chance.choose(bases)
    yield base, stake_for(rules.offers[base], chance)
    for wager, offer in rules.offers.items():
        if wager not in bases:
            yield wager, stake_for(offer, chance)


class Autopilot:
    """Runs a session: opens it, prepares shoes, deals them to the end, closes it.

    ``dealer_errors`` is the number of dealer errors per thousand steps, where one is possible.

    >>> from datetime import date
    >>> from croupier.rules import default_submission, table_rules
    >>> rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    >>> session = TableSession(rules)
    >>> pilot = Autopilot(session, Chance(seed=1))
    >>> pilot.open(gaming_date=date(2011, 2, 22))
    >>> pilot.play_shoe()
    >>> session.state.phase.name, 70 < session.state.rounds < 95, session.ledger.in_balance
    ('SHOE_COMPLETED', True, True)
    """

    def __init__(  # noqa: PLR0913  (each is a will that the dealer lacks)
        self,
        session: TableSession,
        chance: Chance,
        *,
        patrons: int | None = None,
        wagering: Wagering = everything,
        dealer_errors: int = 0,
        vault: Vault | None = None,
    ) -> None:
        self.session = session
        self.chance = chance
        self.wagering = wagering
        self.dealer_errors = dealer_errors
        layout = session.rules.submission.layout
        self.patrons = layout.seats if patrons is None else min(patrons, layout.seats)
        self._stack: list[Card] = []
        self._own_vault = MemoryVault(chance.secret)
        self._vault = self._own_vault if vault is None else vault
        self._random_draw = session.rules.elected("device", "continuous")
        self._how: dict[type[acts.Command], Callable[[Action], acts.Command]] = {
            acts.AcceptCut: self._cut,
            acts.CutStack: lambda _: acts.CutStack(self._position()),
            acts.InsertCuttingCards: self._insert,
            acts.DrawCard: self._draw,
            acts.CollectVigorish: lambda action: self._vigorish_of(_seat(action)),
            acts.AcceptShoe: self._take_shoe,
            acts.SettleHouseMoney: self._house_money,
            acts.EndProgressiveRound: self._end_round,
        }

    def open(self, gaming_date: date, *, inventory_cents: int = 100_000_000) -> None:
        """Open the table with its former tray, seat the patrons, and prepare a shoe."""
        counted_cents = self.session.state[Tray].closing_cents
        cents = inventory_cents if counted_cents is None else counted_cents
        self._do(acts.OpenTable(cents, DEALER, FLOORPERSON, gaming_date))
        for command in self._staff():
            # Assignments of the previous day are still valid.
            self._try(command)
        for command in self._arrivals():
            self._do(command)
        self._advance(Phase.BETTING)

    def _do(self, command: acts.Command) -> None:
        self.session.execute(command, self._stamp(command))

    def _try(self, command: acts.Command) -> Events | Refusal:
        return self.session.try_execute(command, self._stamp(command))

    def _stamp(self, command: acts.Command) -> Stamp:
        return Stamp(given_by(self.session.state, command, self.session.rules))

    def _staff(self) -> Iterator[acts.Command]:
        rules = self.session.rules
        if rules.applies("forms.prepared"):
            yield acts.AssignOffice(Role.PIT_BOSS, PIT_BOSS)
            yield acts.AssignOffice(Role.PIT_CLERK, PIT_CLERK)
        if rules.applies("shuffle.three_dealers"):
            for number in range(1, 4):
                yield acts.AssignOffice(Role.DEALER, f"{DEALER} {number}")

    def _arrivals(self) -> Iterator[acts.Command]:
        rules = self.session.rules
        book = self.session.state[FormBook]
        if rules.applies("forms.prepared") and book.next_serial is None:
            yield acts.ReceiveForms(PIT_CLERK, book.last_serial + 1, book.last_serial + _FORMS)
        state = self.session.state
        if rules.applies("decks.change") and state.at is None and state.gaming_date is not None:
            yield acts.RecordTime(datetime.combine(state.gaming_date, time(), UTC))
        yield acts.ReceiveCards(rules.value("decks", int), name=others(state, rules))
        for seat in range(1, self.patrons + 1):
            yield acts.SeatPatron(seat, f"Patron {seat}")
            yield acts.BuyChips(seat, _CHIPS_CENTS)

    def play_shoe(self, rounds: int | None = None) -> None:
        """Deal the shoe, or ``rounds`` (needed if continuous), and collect all vigorish."""
        if self._random_draw and rounds is None:
            raise ValueError("a continuous device never ends a shoe: give a number of rounds")
        state = self.session.state
        if state.phase is Phase.SHOE_COMPLETED:
            self._advance(Phase.BETTING)
        last = None if rounds is None else state.rounds + rounds
        while self.session.state.phase is not Phase.SHOE_COMPLETED:
            state = self.session.state
            if state.phase is Phase.BETTING and state.rounds == last:
                break
            self._round()
        self._collect()

    def _collect(self) -> None:
        for seat, patron in self.session.state.seats.items():
            if patron.owed_cents:
                self._carry_out(self._vigorish_of(seat))

    def _round(self) -> None:
        with self.session.together():
            self.step()
            while self.session.state.phase not in _BETWEEN_ROUNDS:
                self.step()

    def take_over(self) -> None:
        """Continue at another dealer's table, reshuffling cards and replacing lost secrets."""
        if self.session.state.phase is not Phase.CLOSED:
            # A person already assigned is refused.
            for command in self._staff():
                self._try(command)
        state = self.session.state
        if state.phase is Phase.OPEN:
            # Deliveries already made are refused.
            for command in self._arrivals():
                self._try(command)
        in_shoe = state.shoe.unseen if state.phase not in _BEFORE_THE_SHOE else ()
        self._stack = [
            card for card, count in zip(DECK, in_shoe, strict=False) for _ in range(count)
        ] or self._full()
        self.chance.shuffle(self._stack)

    def memory(self, state: TableState) -> Mapping[str, object] | None:
        """Return what ``recall`` needs to continue from a state with the same cards.

        Chance must have a seed. ``None`` except between two rounds of a shoe.
        """
        if state.phase is not Phase.BETTING or state.stakes:
            return None
        if self._vault is not self._own_vault:
            return None  # What another vault keeps is written nowhere else.
        secret = self._own_vault.secret_of(state[Progressive].commitment)
        stack = "".join(card.notation for card in self._stack)
        return {**self._options, "drawn": self.chance.drawn, "secret": secret, "stack": stack}

    @property
    def _options(self) -> dict[str, object]:
        return {"patrons": self.patrons, "dealer_errors": self.dealer_errors}

    def recall(self, memory: Mapping[str, Any]) -> None:
        """Continue from another dealer's ``memory``. Raises ``ValueError`` for other options."""
        if any(memory[name] != option for name, option in self._options.items()):
            raise ValueError("the options are not those that the log was begun with")
        self.chance.go_on_after(memory["drawn"])
        if memory["secret"]:
            self._own_vault.remember(memory["secret"])
        stack = memory["stack"]
        self._stack = [Card.of(stack[index : index + 2]) for index in range(0, len(stack), 2)]

    def close(self) -> None:
        # A log may have been cut between the last round of a shoe and its vigorish.
        self._collect()
        for seat in tuple(self.session.state.seats):
            self._do(acts.LeaveTable(seat))
        while self._owes():
            if (action := self.session.due()) is not None:
                self._carry_out(self._command(action))
        while command := sets_first(self.session.state, self.session.rules):
            self._do(command)
        self._do(acts.CloseTable())
        if self.session.rules.applies("forms.prepared"):
            self._do(acts.EndGamingDay(PIT_CLERK))

    def _owes(self) -> bool:
        state = self.session.state
        return state.phase.in_play or owed_by_the_shoe(state, self.session.rules) is not None

    def step(self) -> None:
        state = self.session.state
        is_empty = state.phase is Phase.BETTING and not state.stakes
        if is_empty and mystery_uncommitted(state, self.session.rules):
            self._carry_out(acts.CommitMystery(self._vault.commit()))
        if is_empty and not state.simulate_with:
            self._wager()
        if self.dealer_errors and self._slip(self.session.legal()):
            return
        action = self.session.due()
        if action is None:
            raise RuntimeError(f"no command is due, and the table is {state.phase.value}")
        self._carry_out(self._command(action))

    def _advance(self, phase: Phase) -> None:
        while self.session.state.phase is not phase:
            self.step()

    def _command(self, action: Action) -> acts.Command:
        self._move_cards(action.command)
        maker = self._how.get(action.command)
        if maker is None:
            return plainest(self.session.state, self.session.rules, action)
        return maker(action)

    def _carry_out(self, command: acts.Command) -> None:
        self._do(command)
        if isinstance(command, acts.PrepareForm):
            self._do(acts.DropForm(command.serial, PIT_BOSS, PIT_CLERK))

    def _wager(self) -> None:
        session, rules = self.session, self.session.rules
        for seat in tuple(session.state.seats):
            wanted = dict(self.wagering(rules, seat, self.chance))
            stakes = {wager: wanted[wager] for wager in together(rules, wanted)}
            total = sum(stakes.values())
            if session.state.seats[seat].chips_cents < total:
                self._do(acts.BuyChips(seat, _CHIPS_CENTS + total))
            # A seat for which the totals of all patrons leave no room sits the round out.
            place = self._try if any(map(rules.applies, _TOTALS)) else self._do
            place(acts.PlaceWagers(seat, stakes))

    def _cut(self, action: Action) -> acts.Command:
        if self.chance.below(3):
            return acts.DeclineCut(_seat(action))
        return acts.AcceptCut(_seat(action), self._position())

    def _position(self) -> int:
        minimum = self.session.rules.bound("cut.from_ends")
        return minimum + self.chance.below(len(self._stack) - 2 * minimum + 1)

    def _take_shoe(self, action: Action) -> acts.Command:
        seat = _seat(action)
        if self.chance.below(3) == 0:
            return acts.DeclineShoe(seat)
        return acts.AcceptShoe(seat, designate_dealer=self.chance.below(2) == 0)

    def _house_money(self, _: Action) -> acts.Command:
        state, rules = self.session.state, self.session.rules
        additions = {}
        for seat in state.seats:
            wagers = [
                offer.wager for name, offer in rules.offers.items() if (seat, name) in state.stakes
            ]
            bases = [wager.id for wager in wagers if wager.on is not None]
            has_early_wager = any(wager.settled_at is Moment.FOUR_CARDS for wager in wagers)
            if bases and has_early_wager and self.chance.below(2):
                additions[seat] = bases[0]
        for seat, base in tuple(additions.items()):
            # Only winners whose wager can take the payout may add it.
            if isinstance(decide(state, acts.SettleHouseMoney({seat: base}), rules), Refusal):
                del additions[seat]
        return acts.SettleHouseMoney(additions)

    def _end_round(self, _: Action) -> acts.Command:
        state = self.session.state
        commitment, terms = state[Progressive].commitment, draw_terms(state, self.session.rules)
        if not commitment:
            return acts.EndProgressiveRound()
        if terms is None or not self._vault.holds(commitment):
            return acts.ReplaceMystery("the secret was lost with whoever kept it")
        return acts.EndProgressiveRound(self._vault.release(commitment, terms))

    def _full(self) -> list[Card]:
        cards = [card for _ in range(self.session.rules.decks_per_shoe) for card in DECK]
        self.chance.shuffle(cards)
        return cards

    def _move_cards(self, command: type[acts.Command]) -> None:
        mixed = (acts.ShuffleCards, acts.ExchangeBatches, acts.ReturnDiscards)
        if command in mixed or (command is acts.LoadShoe and self._random_draw):
            self._stack = self._full()
        if command is acts.ReshuffleStack:
            self.chance.shuffle(self._stack)
        elif command is acts.LoadShoe:
            self._stack.reverse()  # The front of the stack is drawn first; a list pops its end.
        elif command is acts.ReturnDiscards:
            for card in self.session.state.kept:
                self._stack.remove(card)

    def _insert(self, _: Action) -> acts.Command:
        front = self.session.state.cut.position or 0
        self._stack = self._stack[front:] + self._stack[:front]
        return acts.InsertCuttingCards(self.session.rules.bound("cut.cutting_card_from_back"))

    def _draw(self, _: Action) -> acts.Command:
        card = self._stack.pop()
        unseen = drawn_unseen(self.session.state, self.session.rules)
        return acts.DrawCard(None if unseen else card)

    def _vigorish_of(self, seat: int) -> acts.Command:
        state = self.session.state
        patron = state.seats[seat]
        serial = state[FormBook].next_serial
        if patron.chips_cents >= patron.owed_cents:
            return acts.CollectVigorish(seat)
        if serial is None:
            self._do(acts.BuyChips(seat, _CHIPS_CENTS + patron.owed_cents))
            return acts.CollectVigorish(seat)
        return acts.PrepareForm(
            serial, seat, PIT_CLERK, DEALER, PIT_BOSS, patron_signed=False,
            statement="The patron declined.", stated_by=DEALER,
        )  # fmt: skip

    def _slip(self, actions: tuple[Action, ...]) -> bool:
        slips = [a for a in actions if a.command in {acts.DrawCardInError, acts.FindFaceUpCard}]
        if not slips or not self._stack or self.chance.below(1000) >= self.dealer_errors:
            return False
        card = self._stack.pop()
        if self.chance.choose(slips).command is acts.FindFaceUpCard:
            self._do(acts.FindFaceUpCard(card))
        else:
            # A due card is drawn in error if placed on Player's Hand instead of Banker's, or
            # exposed when it must be dealt face down.
            hand = Hand.PLAYER if card_due(self.session.state) else None
            disclosed = bool(self.chance.below(2))
            answer = self._try(acts.DrawCardInError(card, disclosed, hand))
            if isinstance(answer, Refusal):
                self._do(acts.DrawCardInError(card, disclosed=True, dealt_to=hand))
        return True


def _seat(action: Action) -> int:
    if action.seat is None:
        raise ValueError(f"{action.command.__name__} has no seat")
    return action.seat
