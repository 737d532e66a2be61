"""House Money, which is settled before the third cards."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.table.commands.command import Command

__all__ = ["SettleHouseMoney"]


class SettleHouseMoney(Command, frozen=True):
    """Settle House Money before the third cards.

    ``added`` gives, by seat, the wager to which the winner's payout is added: ``player`` or
    ``banker``. The others are handed theirs.
    """

    added: Mapping[int, str]
