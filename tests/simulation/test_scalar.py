"""The scalar engine tells what it counts, and deals each card of a shoe once."""

from collections import Counter

import numpy as np
import pytest
from msgspec.structs import replace

from croupier.rules import default_submission, table_rules
from croupier.simulation.plan import WHOLE, Plan, plan_of
from croupier.simulation.scalar import NO_CARD, ScalarEngine, replay_block
from support.chi_square import deviation
from support.dealt_again import tally_shoes
from support.texts import NJ_MINI
from support.volume import volume

LEVELS = ("counts", "pairs", "royals")


def plain(level: str = "royals") -> Plan:
    return replace(
        plan_of(table_rules(default_submission("us-nj/minibaccarat", NJ_MINI))), level=level
    )


def told_shoes(plan: Plan, seed: int, shoes: int) -> list[list[int]]:
    """Return the cards that are told, shoe by shoe, and those not dealt after them."""
    told = replay_block(plan, seed, 2, shoes)
    found = [[card for card in row if card != NO_CARD] for row in told.burned.tolist()]
    for shoe, cards in zip(told.shoe.tolist(), told.cards.tolist(), strict=True):
        found[shoe] += [card for card in cards if card != NO_CARD]
    whole = Counter(plan.cards)
    rest = [whole - Counter(cards) for cards in found]
    for cards, left in zip(found, rest, strict=True):
        assert len(cards) + left.total() == plan.shoe.cards, "a card was dealt twice"
    return [[*cards, *left.elements()] for cards, left in zip(found, rest, strict=True)]


@pytest.mark.parametrize("level", LEVELS)
def test_the_cards_told_are_those_that_are_counted(level: str) -> None:
    plan = plain(level)
    engine = ScalarEngine(plan, 17)
    told = tally_shoes(plan, np.array(told_shoes(plan, 17, 1024), dtype=np.uint8))
    played = engine.play(2, WHOLE)
    assert told.cells.tolist() == played.cells.tolist()
    assert told.royals.tolist() == played.royals.tolist()
    assert told.lengths.tolist() == played.lengths.tolist()


def test_every_card_is_as_likely_at_every_place() -> None:
    plan = plain()
    # The first card burned, and the sixth of the last whole coup before three quarters of a shoe.
    seeds = range(volume(20, 8))
    shoes = [shoe for seed in seeds for shoe in told_shoes(plan, seed, 1024)]
    for place in (0, 1, 12, 13, 200, 301):
        found = np.bincount([shoe[place] for shoe in shoes], minlength=52)
        assert deviation(found.tolist(), [len(shoes) / 52] * 52) < 4, place
    # Two cards that one number picks are as independent as a shoe lets them be.
    pairs = Counter((shoe[12] % 13, shoe[13] % 13) for shoe in shoes)
    ways = {(a, b): 32 * (32 - (a == b)) for a in range(13) for b in range(13)}
    expected = [len(shoes) * number / (416 * 415) for number in ways.values()]
    assert deviation([pairs[pair] for pair in ways], expected) < 4
