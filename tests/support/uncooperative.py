"""Patrons who come, go, delay and refuse, dealers who slip, and a staff that has to close the table.

Mistakes are found at any moment: wrong cards, wrong stakes, wrong payments, a shoe that is empty.
After every step the ledger balances and no rack holds less than nothing.

A walk does at random whatever a table takes, in any order. At every so many steps the staff alone
brings a copy of the table to its close, in at most ``MOST_TO_CLOSE`` commands.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Final

from croupier import acts
from croupier.acts import Command
from croupier.acts.roles import Role
from croupier.baccarat.cards import DECK, Card
from croupier.baccarat.coup import Hand
from croupier.money.stax import commitment_to
from croupier.rules import TableRules
from croupier.scenarios.people import (
    DEALER,
    FLOORPERSON,
    NOON,
    PIT_BOSS,
    PIT_CLERK,
    SECRET,
    fitting_stake,
)
from croupier.scenarios.plainest import drawn_unseen, hand_meant, plainest
from croupier.table import Action, Phase, Refusal, TableState, legal
from croupier.table.dealing.dealing import holder_of
from croupier.table.house.tray import Tray
from croupier.table.irregular.disputes import Disputes
from croupier.table.machine.core import due
from croupier.table.machine.position import Position, Proposal, opening_position, propose
from croupier.table.parts.forms import FormBook
from croupier.table.parts.timed_decks import TimedDecks
from croupier.table.people.duty import Duty
from support.closing import closing_command

MOST_TO_CLOSE: Final = 3_000
"""More commands than the staff ever needs: a whole shoe of simulated rounds, and every seat."""

_SLIPS: Final = frozenset({acts.DrawCardInError, acts.FindFaceUpCard})

_CHIPS: Final = 40_000
_TRAYS: Final = (10**11, 200_000)
"""A tray that never runs short, and one that has to be filled."""
_LOST: Final = "d0" * 32
"""A commitment whose secret nobody has."""


class DeadEndError(AssertionError):
    """The staff cannot bring a table to its close."""


@dataclass
class Walk:
    """A table at which anything is done that is allowed, by chance; by its house as well."""

    rules: TableRules
    chance: random.Random
    clock: Callable[[], datetime | None] = lambda: None
    record: Callable[[Sequence[Proposal]], object] = lambda _: None
    position: Position = field(init=False)
    steps: int = 0
    closings: int = 0
    done: list[Command] = field(default_factory=list)
    uncited: dict[tuple[str, str], str] = field(default_factory=dict)
    """Refusals without a clause: the code and the command, with the first message."""

    def __post_init__(self) -> None:
        self.position = opening_position(self.rules)

    @property
    def state(self) -> TableState:
        """The state of the table now."""
        return self.position.state

    def go(self, steps: int, close_one_in: int = 10) -> None:
        """Take that many steps; bring a copy of the table to its close after one in some of them."""
        before = self.steps
        while self.steps - before < steps:
            if self.state.phase is Phase.CLOSED:
                self._open()
            for command in self._wishes():
                if self._took(command):
                    break
            else:
                self._go_on()
            if self.chance.randrange(close_one_in) == 0:
                self.close()

    def close(self) -> None:
        """Bring a copy of the table to its close. Raises ``DeadEndError`` where that fails."""
        position = self.position
        way: list[Command] = []
        self.closings += 1
        for _ in range(MOST_TO_CLOSE):
            if position.state.phase is Phase.CLOSED:
                self.steps += len(way)
                return
            try:
                command = closing_command(position)
            except Exception as error:
                raise DeadEndError(self._told(way, str(error))) from error
            answer = propose(position, command)
            way.append(command)
            if isinstance(answer, Refusal):
                raise DeadEndError(self._told(way, f"{answer.code}: {answer}"))
            position = answer.after
        raise DeadEndError(self._told(way, "it takes too long"))

    def _told(self, way: list[Command], why: str) -> str:
        last = [*self.done[-25:], "-- the staff alone:", *way[-12:]]
        elections = dict(self.rules.submission.elections)
        return "\n".join([why, self.rules.law.key, str(elections), *map(str, last)])

    @property
    def next_day(self) -> date:
        """The day after the last gaming day, or the first one."""
        last = self.state.gaming_date
        return self.rules.law.in_force_from if last is None else last + timedelta(days=1)

    def _took(self, command: Command) -> bool:
        answer = propose(self.position, command, at=self.clock())
        if isinstance(answer, Refusal):
            if not answer.clauses and answer.code != "paused":
                self.uncited.setdefault((answer.code, type(command).__name__), str(answer))
            return False
        self.record((answer,))
        self.position = answer.after
        assert self.position.ledger.in_balance, self._told([command], "out of balance")
        assert self.position.ledger.short is None, self._told([command], "less than nothing")
        self.done.append(command)
        self.steps += 1
        return True

    def _go_on(self) -> None:
        action = due(self.state, self.rules)
        if action is None or not self._took(self._command(action)):
            self._took(acts.SeatPatron(1, "Somebody"))
            self._took(acts.BuyChips(1, _CHIPS))
            if action is None and self.chance.random() < 0.2:
                self._took(closing_command(self.position))

    def _open(self) -> None:
        for form in self.state[FormBook].used.values():
            self._took(acts.DropForm(form.serial, form.pit_boss, form.pit_clerk))
        clerk = self.state[FormBook].custodian or PIT_CLERK
        # A day that ends again so soon after the last one needs a supervisor.
        if not self._took(acts.EndGamingDay(clerk)):
            self._took(acts.EndGamingDay(clerk, FLOORPERSON, "the table has closed"))
        chips = self.state[Tray].closing_cents or self.chance.choice(_TRAYS)
        staff = (self._on_duty(Role.DEALER, DEALER), self._on_duty(Role.FLOORPERSON, FLOORPERSON))
        opening = acts.OpenTable(chips, *staff, self.next_day)
        if not self._took(opening):
            why = propose(self.position, opening, at=self.clock())
            raise DeadEndError(self._told([opening], f"the table does not open again: {why}"))
        self._took(acts.RecordTime(NOON))
        for seat in self._some_seats():
            self._took(acts.SeatPatron(seat, f"Patron {seat}"))
            self._took(acts.BuyChips(seat, _CHIPS))

    def _on_duty(self, office: Role, otherwise: str) -> str:
        """Return who holds an office, or held it when the table closed."""
        return next(iter(self.state[Duty].persons(office)), otherwise)

    # --- what is wished for ---

    def _some_seats(self) -> list[int]:
        seats = range(1, self.rules.submission.layout.seats + 1)
        return self.chance.sample(seats, self.chance.randrange(min(4, len(seats)) + 1))

    def _wishes(self) -> Iterator[Command]:
        """Yield what somebody may wish to do now, most of it as things should go on."""
        draw = self.chance.random()
        idle = self.state.phase is Phase.BETTING and not self.state.stakes
        if idle and self.chance.random() < 0.4:
            self._everybody_wagers()
        if draw < 0.5:
            if (action := due(self.state, self.rules)) is not None:
                yield self._command(action)
        elif draw < 0.75:
            some = legal(self.state, self.rules)
            actions = [one for one in some if one.command not in _SLIPS]
            if actions:
                yield self._command(self.chance.choice(actions))
        elif draw < 0.92:
            yield from self._of_people()
        elif draw < 0.95:
            yield from self._of_the_house()
        elif draw < 0.97:
            yield from self._slips()
        else:
            yield from self._found()

    def _of_people(self) -> Iterator[Command]:
        seats = self.rules.submission.layout.seats
        seat, to = self.chance.randint(1, seats), self.chance.randint(1, seats)
        match self.chance.randrange(9):
            case 0 | 1:
                yield acts.SeatPatron(seat, f"Patron {seat} {self.steps}")
            case 2:
                yield acts.BuyChips(seat, _CHIPS)
            case 3:
                yield acts.LeaveTable(self._seated(seat))
            case 4:
                yield acts.ChangeSeat(self._seated(seat), to)
            case 5:
                yield acts.CollectVigorish(self._seated(seat))
                yield acts.ReceiveForms(PIT_CLERK, 1, 3)
            case 6:
                yield acts.DismissPatron(self._seated(seat), FLOORPERSON, "gone")
            case 7:
                yield acts.InsertCuttingCards(self.chance.choice([14, 230, 260, 300]))
            case _:
                self._everybody_wagers()

    def _of_the_house(self) -> Iterator[Command]:
        """Yield what the house may do at a table, and the loss of a secret."""
        seats = self.rules.submission.layout.seats
        seat, slips = self.chance.randint(1, seats), self.state[Tray].slips
        number = self.chance.choice([*slips]) if slips else 0
        chips = slips[number].chips if slips else {10_000: self.chance.randint(1, 50)}
        new_slip = max(self.state[Tray].used, default=0) + 1
        hand_over = ("another dealer", "a third dealer", DEALER)
        wishes: list[Command] = [
            acts.PauseTable("a spill"),
            acts.ResumeTable(),
            acts.ReserveSeat(seat, "A guest"),
            acts.ReleaseSeat(seat),
            acts.RequestFill(new_slip, {10_000: 20}),
            acts.IssueFill(number, chips),
            acts.ReceiveFill(number, chips),
            acts.RequestCredit(new_slip, {10_000: 3}),
            acts.IssueCredit(number, chips),
            acts.ReceiveCredit(number, chips),
            acts.VoidSlip(number, "miscounted"),
            acts.CountInventory({}),
            acts.RemoveDrop(self.state[Tray].box or "A 1", f"A {self.steps + 2}"),
            acts.WriteNote("a dispute"),
            acts.RelieveDealer(self.chance.choice(hand_over), reason="the shift ends"),
            acts.RelieveFloorperson(self.chance.choice(("Rosa", FLOORPERSON)), "a call"),
            acts.AssignOffice("pit boss", self.chance.choice(("Ines", PIT_BOSS))),
            acts.ReplaceMystery("the vault is shut"),
        ]
        self.chance.shuffle(wishes)
        yield from wishes

    def _everybody_wagers(self) -> None:
        if self.chance.random() < 0.3:
            kept = self.chance.random() < 0.5
            self._took(acts.CommitMystery(commitment_to(SECRET) if kept else _LOST))
        for one in self.state.present:
            for wager in self.rules.offers:
                if self.chance.random() < 0.6:
                    stake = fitting_stake(self.rules, wager, 10_000)
                    self._took(acts.PlaceWager(one, wager, stake))

    def _seated(self, other: int) -> int:
        return self.chance.choice([*self.state.seats]) if self.state.seats else other

    def _slips(self) -> Iterator[Command]:
        card = self._card()
        disclosed, to = self.chance.random() < 0.5, self.chance.choice([None, *Hand])
        viewers = [] if to is None else [holder_of(self.state, to, self.rules)]
        if (chance := self.chance.random()) < 0.2:
            alone = viewers if chance < 0.1 else [self._seated(1)]
            seen_by = tuple(seat for seat in alone if seat is not None)
            yield acts.DrawCardInError(card, disclosed=True, dealt_to=to, seen_by=seen_by)
        yield acts.DrawCardInError(card, disclosed, to)
        yield acts.FindFaceUpCard(card)

    def _found(self) -> Iterator[Command]:
        """Yield what may turn out to have gone wrong, in this round or in the last ones."""
        chance, state = self.chance, self.state
        card, other = self._card(), chance.choice(DECK)
        entry = chance.choice([*self.position.house.settled] or [1])
        wager, cents = self._wager(self.rules.offers)
        settled = self.position.house.settled_by(entry)
        seat = chance.choice([*settled.sittings] if settled and settled.sittings else [1])
        dispute = chance.choice([*state[Disputes].open] or [1])
        hand, ordinal = chance.choice([*Hand]), chance.randint(1, 3)
        dealt = [] if state.round is None else [*state.round.coup.player, *state.round.coup.banker]
        found: list[Command] = [
            acts.FindWrongCard(chance.choice(["surplus", "foreign", "damaged"]), FLOORPERSON, card),
            acts.FindShoeEmpty(FLOORPERSON),
            acts.FindBurnShort(FLOORPERSON, "counted", chance.random() < 0.5),
            acts.OrderDecks(FLOORPERSON, "worn"),
            acts.PassOverHeldCard(FLOORPERSON),
            acts.BeginSimulatedRound(),
            acts.VoidRound(),
            acts.CorrectMisreadCard(card, other, FLOORPERSON),
            acts.CorrectWager(entry, seat, wager, cents, "the camera"),
            acts.CorrectSettlement(entry, "a card", hand, ordinal, other),
            acts.CorrectSettlement(entry, "a stake", seat=seat, wager=wager, cents=cents),
            acts.CorrectSettlement(
                entry, "a payment", seat=seat, wager=wager, paid_cents=cents, returned=(seat,)
            ),
            acts.OpenDispute(seat, entry, "what was paid"),
            acts.ReconstructHand(dispute, "the camera"),
            acts.DecideDispute(dispute, "as settled", FLOORPERSON, informed=True),
            acts.ReportOverdraw(card),
            acts.UnlockReader(),
        ]
        found += (acts.CorrectMisreadCard(one, other, FLOORPERSON, hand, ordinal) for one in dealt)
        for at, set_aside in enumerate(state.shoe.set_aside, start=1):
            if set_aside is not None and chance.random() < 0.1:
                found.append(acts.CorrectMisreadCard(set_aside, other, FLOORPERSON, ordinal=at))
        chance.shuffle(found)
        yield from found

    # --- commands with all that they need ---

    def _card(self) -> Card:
        left = [card for card, many in zip(DECK, self.state.shoe.unseen, strict=False) if many]
        return self.chance.choice(left or [DECK[0]])

    def _command(self, action: Action) -> Command:
        state, seat = self.state, action.seat or 0
        hand, chance = hand_meant(state), self.chance
        round_ = state.round
        offered = hand if round_ is None or round_.offering is None else round_.offering.hand
        clock = state[TimedDecks].now or NOON
        made: dict[type[Command], Any] = {
            acts.DrawCard: lambda: acts.DrawCard(
                None if drawn_unseen(state, self.rules) else self._card()
            ),
            acts.PlaceWager: lambda: acts.PlaceWager(
                seat, *self._wager(self.rules.offers)
            ),
            acts.PlaceWagers: lambda: acts.PlaceWagers(
                seat, dict([self._wager(self.rules.offers), self._wager(self.rules.offers)])
            ),
            acts.WithdrawWager: lambda: acts.WithdrawWager(
                seat, chance.choice([wager for one, wager in state.stakes if one == seat])
            ),
            acts.AcceptCut: lambda: acts.AcceptCut(seat, 100),
            acts.InsertCuttingCards: lambda: acts.InsertCuttingCards(
                chance.choice([14, 230, 260, 300])
            ),
            acts.PlaceVerbalWager: lambda: acts.PlaceVerbalWager(
                seat, "tie", 500, dealer_confirms=True, supervisor=FLOORPERSON
            ),
            acts.ReceiveForms: lambda: acts.ReceiveForms(PIT_CLERK, 1, 3),
            acts.DeclineCut: lambda: acts.DeclineCut(seat),
            acts.AcceptShoe: lambda: acts.AcceptShoe(seat, chance.random() < 0.3),
            acts.AcceptCards: lambda: acts.AcceptCards(seat, offered),
            acts.DeclineCards: lambda: acts.DeclineCards(seat, offered),
            acts.RelinquishCards: lambda: acts.RelinquishCards(seat, hand),
            acts.RequireRelinquishment: lambda: acts.RequireRelinquishment(
                seat, hand, "dealer", "delay"
            ),
            acts.RecallHand: lambda: acts.RecallHand(hand, FLOORPERSON, "delay"),
            acts.PermitTurning: lambda: acts.PermitTurning(seat, hand),
            acts.OrderPass: lambda: acts.OrderPass("dealer", "delay"),
            acts.DealForCurator: lambda: acts.DealForCurator(FLOORPERSON, "ill"),
            acts.WriteOffVigorish: lambda: acts.WriteOffVigorish(seat, FLOORPERSON, "gone"),
            acts.ReturnWagers: lambda: acts.ReturnWagers(seat, FLOORPERSON, "gone"),
            acts.RequireRecut: lambda: acts.RequireRecut(FLOORPERSON, "slipped"),
            acts.DirectShuffle: lambda: acts.DirectShuffle(FLOORPERSON),
            acts.DeclareIdle: lambda: acts.DeclareIdle(chance.random() < 0.5),
            acts.RecordTime: lambda: acts.RecordTime(
                clock + timedelta(hours=chance.choice([0, 1, 25]))
            ),
            acts.DrawCardInError: lambda: acts.DrawCardInError(
                self._card(), chance.random() < 0.5, chance.choice([None, *Hand])
            ),
            acts.FindFaceUpCard: lambda: acts.FindFaceUpCard(self._card()),
            acts.PerformShuffleStep: lambda: acts.PerformShuffleStep(
                chance.choice(["riffle", "turn", "strip", "plug"])
            ),
            acts.OpenTable: lambda: acts.OpenTable(
                10**11, DEALER, FLOORPERSON, self.next_day
            ),
            acts.PrepareForm: lambda: acts.PrepareForm(
                state[FormBook].next_serial or 0, seat, PIT_CLERK, DEALER, PIT_BOSS,
                patron_signed=True,
            ),
            acts.DropForm: lambda: acts.DropForm(
                min(state[FormBook].used, default=0), PIT_BOSS, PIT_CLERK
            ),
            acts.EndGamingDay: lambda: acts.EndGamingDay(PIT_CLERK),
        }  # fmt: skip
        if action.must and action.command is acts.PerformShuffleStep:
            return plainest(state, self.rules, action)
        if (make := made.get(action.command)) is not None:
            command: Command = make()
            return command
        return self._by_fields(action)

    def _by_fields(self, action: Action) -> Command:
        """Return a command that needs a seat, or nothing, or what the plainest has."""
        names = [*action.command.__annotations__]
        if names == ["seat"]:
            make: Any = action.command
            made: Command = make(action.seat or 0)
            return made
        if names and not action.must:
            # It needs more than chance would guess: whoever is asked lets it be.
            return acts.CallNoMoreBets()
        return plainest(self.state, self.rules, action)

    def _wager(self, among: Any) -> tuple[str, int]:
        wager = self.chance.choice([*among])
        return wager, fitting_stake(self.rules, wager, 10_000)
