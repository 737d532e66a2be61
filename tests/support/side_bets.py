"""Side bets of somebody else's engine: settled by what its maker was told, not by our definitions."""

from __future__ import annotations

from croupier.odds.custom_wagers import read_wager
from croupier.rules import TableRules
from support.external_rounds import Round
from support.project import ROOT

BETS = ("player-pair", "banker-pair", "tiger", "tiger-pair", "perfect-pair", "jackpot")
SIDE_BETS = ("own_player_pair", "own_banker_pair", "tiger", "tiger_pair", "perfect_pair")
JACKPOT_STAKE, JACKPOT_SEED, JACKPOT_PART = 500, 1_000_000, 50
"""The jackpot begins at $10,000, and 10% of a stake of $5 goes to it; all in cents."""


def with_bets(rules: TableRules) -> TableRules:
    """Return rules of a table that offers the side bets too, as the examples define them."""
    folder = ROOT / "docs" / "examples" / "side-bets"
    return rules.with_offers(*(read_wager(folder / f"{name}.toml", rules) for name in BETS))


def settled(one: Round) -> dict[str, int]:
    """Return what each side bet brings to one."""
    pairs = [hand[0][0] == hand[1][0] for hand in (one.player, one.banker)]
    perfect = [hand[0] == hand[1] for hand in (one.player, one.banker)]
    ranks = [sorted(card[0] for card in hand[:2]) for hand in (one.player, one.banker)]
    tiger = one.winner == "banker" and one.banker_total == 6
    both = {0: -1, 1: 4, 2: 20}[sum(pairs)]
    return {
        "own_player_pair": 11 if pairs[0] else -1,
        "own_banker_pair": 11 if pairs[1] else -1,
        "tiger": (20 if len(one.banker) == 3 else 12) if tiger else -1,
        "tiger_pair": 100 if all(pairs) and ranks[0] == ranks[1] else both,
        "perfect_pair": 25 if any(perfect) else -1,
    }


def jackpot(one: Round, meter: int) -> int:
    """Return what $5 on the jackpot brings, in cents."""
    ranks, suits = {card[0] for card in one.player}, {card[1] for card in one.player}
    if len(one.player) < 3 or len(ranks) > 1 < len(suits):
        return -JACKPOT_STAKE
    if len(ranks) == 1:
        return meter if len(suits) == 1 else 25_000
    return 6_000
