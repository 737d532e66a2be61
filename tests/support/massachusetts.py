"""What tests of Massachusetts minibaccarat share: its rules, and a table driven to a phase."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, Final

from croupier import acts
from croupier.acts import (
    AwardPaid,
    Event,
    LosingWagersCollected,
    StakesKept,
    StakesReleased,
    VigorishCollected,
    VigorishMarked,
    WagerPaid,
)
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.money.stax import commitment_to
from croupier.rules import TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from croupier.table.parts.house_money import HouseMoneyPhase
from support.games import Game
from support.table import wager
from support.texts import MA_MINI

PREFIX: Final = "MA-MINI:"
NOON: Final = datetime(2026, 11, 20, 12, tzinfo=UTC)

CLOCKWISE: Final = TableLayout(seats=7, numbering="clockwise")
SIX_SEATS: Final = TableLayout(seats=6)
SHUFFLER: Final[dict[str, Any]] = {"device": "shuffler", "decks": 16}
ROYAL_9: Final[dict[str, Any]] = {"wagers__royal_9__offered": True}
STAX: Final[dict[str, Any]] = {**ROYAL_9, "wagers__royal_9__stax__offered": True}
HOUSE_MONEY: Final[dict[str, Any]] = {"wagers__house_money__offered": True}
EZ: Final[dict[str, Any]] = {"vigorish__scheme": "dragon-7"}
SECRET: Final = "5e" * 32

# Neither a pair nor a Royal 9 is in any of them.
PLAYER_9_BANKER_8: Final = "9h 8d Th Js"
PLAYER_8_BANKER_9: Final = "8h 9d Jh Ts"
TIE_8: Final = "8h 8d Jh Qs"
TIE_6: Final = "6h 6d Kh Qs"
BANKER_6: Final = "5h 2d Kh Qs Kc 4c"  # Player 5 draws a king, Banker 2 a four.
DRAGON_7: Final = "6h 4d Kh Qs 3c"  # Player stays on 6, Banker 4 draws a 3.
PANDA_8: Final = "2h 7d Kh Qs 6c"  # Player 2 draws a 6, Banker stays on 7.
BANKER_DRAWS: Final = "6h 2d Th Qs"  # Player stays on 6, Banker is to draw on 2.
BANKER_STAYS: Final = "6h 7d Th Qs"  # Both stay: Player on 6, Banker on 7.

HELD: Final = 1_000_000
"""What every patron begins with, in cents."""
ERROR: Final = Card.of("5c")
"""The card that goes astray in the tests of irregularities."""


def ma(*sections: str) -> tuple[str, ...]:
    """Clauses of this text, in full."""
    return tuple(PREFIX + section for section in sections)


def _layout(elections: Mapping[str, Any]) -> TableLayout | None:
    """Where no layout is given the table has seven seats, or the six that Royal 9 wants."""
    return SIX_SEATS if elections.get("wagers__royal_9__offered") else None


MASSACHUSETTS: Final = Game(
    "us-ma/minibaccarat",
    MA_MINI,
    gaming_date=date(2026, 11, 20),
    dealer="Maya",
    floorperson="Miro",
    layout=_layout,
    now=NOON,
    turns=True,
)
LAW: Final = MASSACHUSETTS.law

rules_of = MASSACHUSETTS.rules
arriving = MASSACHUSETTS.arriving
open_table = MASSACHUSETTS.open
at = MASSACHUSETTS.at
turn = MASSACHUSETTS.turn
deal = MASSACHUSETTS.deal
load_short_shoe = MASSACHUSETTS.load_short_shoe


def errors_of(**elections: Any) -> set[tuple[str, tuple[str, ...]]]:
    """What is wrong with elections that the law does not allow: where, and by which clauses."""
    return {(detail.where, detail.clauses) for detail in MASSACHUSETTS.errors(**elections)}


def ready(*seats: int, **elections: Any) -> TableSession:
    """A table open for wagers under these elections, with a mystery value fixed where one is."""
    session = at(Phase.BETTING, *seats, **elections)
    if acts.CommitMystery in {action.command for action in session.legal()}:
        session.execute(acts.CommitMystery(commitment_to(SECRET)))
    return session


def settle(session: TableSession, cards: str, *stakes: tuple[int, str, int]) -> tuple[Event, ...]:
    """Wager, deal a round and settle it; return the events of the settlement."""
    wager(session, *stakes)
    deal(session, cards)
    if session.state.phase is HouseMoneyPhase.HOUSE_MONEY:
        session.execute(acts.SettleHouseMoney({}))
    return session.execute(acts.SettleWagers())


def clear(session: TableSession) -> tuple[Event, ...]:
    """End the round for the progressive where it must be, and clear the layout."""
    if acts.EndProgressiveRound in {action.command for action in session.legal()}:
        session.execute(acts.EndProgressiveRound())
    return session.execute(acts.ClearLayout())


def play(session: TableSession, cards: str, *stakes: tuple[int, str, int]) -> list[Event]:
    """Play a round whole; without wagers of its own a dollar on the tie of the first seat."""
    if not stakes and not session.state.stakes:
        stakes = ((next(iter(session.state.seats)), "tie", 100),)
    return [*settle(session, cards, *stakes), *clear(session)]


def play_out(session: TableSession, cards: str = PLAYER_9_BANKER_8) -> None:
    """Play the same round again and again until the shoe is completed."""
    while session.state.phase is not Phase.SHOE_COMPLETED:
        play(session, cards)


def shoe_completed(*seats: int, **elections: Any) -> TableSession:
    """A table at the end of its first shoe."""
    session = at(Phase.TO_CUT, *seats, **elections)
    load_short_shoe(session)
    play_out(session)
    return session


def moves(events: tuple[Event, ...]) -> list[tuple[str, int, str, int]]:
    """What a settlement did, in order: the act, the seat, the wager and the cents."""
    done: list[tuple[str, int, str, int]] = []
    for event in events:
        match event:
            case LosingWagersCollected():
                done.extend(("collect", one.seat, one.wager, one.cents) for one in event.stakes)
            case StakesKept():
                done.extend(("keep", one.seat, one.wager, one.cents) for one in event.stakes)
            case StakesReleased():
                done.extend(("release", one.seat, one.wager, one.cents) for one in event.stakes)
            case WagerPaid() | AwardPaid():
                done.append(("pay", event.seat, event.wager, event.cents))
            case VigorishCollected():
                done.append(("vigorish", event.seat, "banker", event.cents))
            case VigorishMarked():
                done.append(("mark", event.seat, "banker", event.cents))
            case _:
                pass
    return done


def chips(session: TableSession, seat: int) -> int:
    """What a patron has in front of him, in cents."""
    return session.state.seats[seat].chips_cents


def stakes(session: TableSession) -> dict[tuple[int, str], int]:
    """What lies on the layout, by seat and wager, in cents."""
    return {key: stake.cents for key, stake in session.state.stakes.items()}


def disclosed(to: Hand | None = None) -> acts.DrawCardInError:
    """The card that goes astray has been seen."""
    return acts.DrawCardInError(ERROR, disclosed=True, dealt_to=to)


def dealt(cards: str, **elections: Any) -> TableSession:
    """A table at which seat one wagered on Player and seat two on Banker, with these cards out."""
    session = ready(1, 2, **elections)
    wager(session, (1, "player", 1_000), (2, "banker", 1_000))
    deal(session, cards)
    return session


def simulate(session: TableSession, cards: str) -> list[Event]:
    """Deal the simulated round that waits, whose first card is out already, and clear it."""
    events: list[Event] = [*session.execute(acts.BeginSimulatedRound())]
    events += deal(session, cards)
    return [*events, *session.execute(acts.ClearLayout())]
