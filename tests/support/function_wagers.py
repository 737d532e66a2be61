"""Wagers that a Python function decides, which no file can state."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.baccarat.wagers import LOSE, PUSH, Wager
from croupier.law.values import Odds
from croupier.rules.offers import Offer, unit_of


def custom_offer(wager: Wager, pays: Mapping[str, Odds | None]) -> Offer:
    grounds = (*pays, LOSE, PUSH)
    return Offer(wager, dict(pays), None, unit_of(pays), (), dict.fromkeys(grounds, ()))
