"""The screen of an office, decided once for pages, terminals, and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from msgspec import Struct

from croupier.acts.roles import OfficePage, Role, Side
from croupier.reports.figures import rank_and_suit
from croupier.reports.words import WORDS, say

if TYPE_CHECKING:
    from croupier.records.view.documents import (
        ActSeen,
        EntrySeen,
        HandName,
        HandSeen,
        SeatSeen,
        StakeSeen,
        TableSeen,
        WaitingCard,
    )

CLOSED: Final = "??"
"""A card that lies face down."""
_TIE: Final = "tie"

One = TypeVar("One")


class OfficeView(NamedTuple):
    """What an office may see of a table, and do there.

    ``due`` is the known result of the act that is due, and ``then`` the act that goes on with it,
    if nothing is open. ``consents`` are pending acts that the viewer gave or may consent to.
    """

    office: str
    seen: TableSeen
    acts: Sequence[ActSeen] = ()
    roads: Mapping[str, Any] = {}
    due: EntrySeen | None = None
    consents: Sequence[Mapping[str, Any]] = ()
    then: str | None = None


class ShownHand(NamedTuple):
    """A hand, with its result in words once there is one."""

    hand: HandSeen
    result: str

    @property
    def is_tied(self) -> bool:
        """Whether the hands tie."""
        return self.result == say("hand.tie")


class Screen(Struct, frozen=True):
    """What an office is shown: seats and hands from left to right, as it sees the table.

    ``waiting`` are the cards that are out of the shoe and in no hand, in words.
    """

    side: Side
    status: str
    hands: tuple[ShownHand, ...]
    waiting: tuple[str, ...]
    seats: tuple[SeatSeen, ...]


def screen(view: OfficeView) -> Screen:
    """Return what an office is shown of its view."""
    role, seen = Role(view.office), view.seen
    return Screen(
        role.side,
        _status(role, seen),
        hands_shown(seen["round"], role.side),
        tuple(map(card_waiting, seen["waiting"])),
        _from(role.side, seen["seats"]),
    )


def _from(side: Side, across: Sequence[One]) -> tuple[One, ...]:
    """Return what lies across the table, for patrons from left to right, from a side of it."""
    return tuple(across if side == "patrons" else reversed(across))


def _status(role: Role, seen: TableSeen) -> str:
    if role.office.page is OfficePage.BOARD:
        phase = "paused" if seen["paused"] else seen["phase"]["id"]
        return say(f"board.{phase}" if f"board.{phase}" in WORDS else "board.other")
    phase = seen["phase"]["words"]
    return say("status.paused", phase=phase) if seen["paused"] else phase


def hands_shown(round_: Mapping[str, Any] | None, side: Side) -> tuple[ShownHand, ...]:
    """Return the hands of a round from a side of the table; without a round, they are empty.

    >>> [one.hand["hand"] for one in hands_shown(None, "dealer")]
    ['banker', 'player']
    """
    dealt = [no_hand("player"), no_hand("banker")] if round_ is None else round_["hands"]
    won = None if round_ is None else round_["winner"]
    tied = say("hand.tie") if won == _TIE else ""
    return _from(
        side,
        [ShownHand(one, say("winner") if won == one["hand"] else tied) for one in dealt],
    )


def no_hand(name: HandName) -> HandSeen:
    """Return a hand without cards."""
    return {
        "hand": name, "cards": [], "count": None, "holder": None, "handed": False, "to_turn": False,
    }  # fmt: skip


def face(card: str) -> str:
    """Return a card as people read it.

    >>> face("Th"), face("??")
    ('10♥', 'face down')
    """
    return say("face.down") if card == CLOSED else "".join(rank_and_suit(card))


def card_waiting(one: WaitingCard) -> str:
    """Return a card that is out of the shoe and in no hand, in words."""
    return say("waiting", card=face(one["card"]), waits_for=one["waits_for"])


def staked(stake: StakeSeen) -> int | None:
    """Return what lies on a wager, coupon and chips, in cents; ``None`` if it is not shown."""
    if stake["chips_cents"] is None:
        return None
    return stake["chips_cents"] + (stake["coupon_cents"] or 0)


def named_patron(seat: SeatSeen) -> str:
    """Return who sits in a seat; empty for nobody."""
    return seat["patron"] or (say("patron") if seat["taken"] else "")
