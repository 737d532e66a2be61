"""Narration of an external round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from croupier import acts
from croupier.acts.words import short
from croupier.baccarat.cards import faces
from croupier.baccarat.coup import NO_THIRD_CARD, TIED, Hand, is_natural
from croupier.money.settlement import Settled
from croupier.records.explanation import explain_settled
from croupier.records.narration import NarrationLine, narrate
from croupier.records.rounds.record import RoundRecord, Shown, WagerRecord, shown_text, shown_value
from croupier.rules import TableRules
from croupier.table.dealing.dealing import ThirdCardRuling, called, result, third_card_ruled
from croupier.verify.rounds.differences import recorded_cents
from croupier.verify.rounds.findings import VerifiedRound
from croupier.verify.rounds.wagers import net_of

_HANDS: Final = {Hand.PLAYER: "Player's Hand", Hand.BANKER: "Banker's Hand"}


def narrate_round(verified: VerifiedRound, rules: TableRules) -> Iterator[NarrationLine]:
    record = verified.record
    if record.burned:
        yield NarrationLine(
            "card", f"Removed from the shoe before the round: {_cards(record.burned)}", ()
        )
    for hand, name in _HANDS.items():
        yield NarrationLine(
            "card", f"{name}: {_cards(record.hand(hand)) or 'no cards recorded'}", ()
        )
    if record.marks:
        yield NarrationLine("act", f"Marked: {', '.join(map(str, record.marks))}", ())
    yield from narrate(tuple(_events(verified, rules)), rules.wagers)
    if verified.facts is None:
        yield NarrationLine("ruling", "The result cannot be verified from the record", ())
    if result_text := _recorded_result(record):
        yield NarrationLine("act", f"Recorded: {result_text}", ())


def _events(verified: VerifiedRound, rules: TableRules) -> Iterator[acts.Event]:
    player, banker = verified.record.player, verified.record.banker
    if len(player) < 2 or len(banker) < 2:
        return
    counts = {Hand.PLAYER: _count(player[:2]), Hand.BANKER: _count(banker[:2])}
    for hand, count in counts.items():
        yield called(hand, count, rules)
    two = counts[Hand.PLAYER], counts[Hand.BANKER]
    tableau = rules.tableau
    draws = tableau.player_draws_third(*two)
    natural = any(is_natural(count, 2) for count in two)
    third = None
    if not natural:
        # A natural in either hand is reported once: it ends the drawing for both.
        yield third_card_ruled(ThirdCardRuling(Hand.PLAYER, *two, None, draws), rules)
    if draws:
        if len(player) < 3:
            return
        third = _count(player[2:3])
    draws = tableau.banker_draws_third(*two, NO_THIRD_CARD if third is None else third)
    yield third_card_ruled(ThirdCardRuling(Hand.BANKER, *two, third, draws), rules)
    if verified.facts is not None:
        yield result(verified.facts, rules)


def _count(cards: Sequence[Shown]) -> int:
    return sum(shown_value(card) for card in cards if card is not None) % 10


def _cards(cards: Sequence[Shown]) -> str:
    return faces(shown_text(card) for card in cards)


def _recorded_result(record: RoundRecord) -> str:
    winner = record.winner
    parts = [] if winner is None else ["a tie" if winner == TIED else f"{winner.capitalize()} wins"]
    totals = ((hand.value.capitalize(), record.total(hand)) for hand in Hand)
    parts += [f"{name} {total}" for name, total in totals if total is not None]
    return ", ".join(parts)


def narrate_wagers(verified: VerifiedRound, rules: TableRules) -> Iterator[NarrationLine]:
    for wager, settled in zip(verified.record.wagers, verified.settled, strict=True):
        if settled is None or verified.facts is None:
            known = rules.wagers.get(wager.wager)
            title = wager.wager if known is None else known.title
            stake = f"{title} {short(wager.stake_cents)}"
            void = verified.record.marked("void")
            why = (
                "void, like the whole round; the stake is returned"
                if void
                else "no settlement under the rules"
            )
            seat = "" if wager.seat is None else f"Seat {wager.seat}, "
            text = f"{seat}{stake}: {why}"
            yield NarrationLine("money", text, (), _recorded(wager, None))
            continue
        seated = wager.seat is not None
        line = explain_settled(settled, verified.facts, rules, seated=seated)
        yield NarrationLine(line.kind, line.text, line.clauses, _recorded(wager, settled))


def _recorded(wager: WagerRecord, settled: Settled | None) -> tuple[str, ...]:
    parts = []
    for name, cents in (
        ("net", wager.net_cents), ("paid", wager.paid_cents), ("vigorish", wager.vigorish_cents),
    ):  # fmt: skip
        if cents is not None:
            parts.append(f"{name} {short(cents)}")
    if not parts:
        return ()
    text = f"found: {', '.join(parts)}"
    if settled is None:
        return (text,)
    recorded, due = recorded_cents(wager, settled), net_of(settled)
    if recorded is None or recorded == due:
        return (f"{text}, as expected",)
    owed = due - recorded
    verdict = f"owed {short(owed)}" if owed > 0 else f"paid {short(-owed)} too much"
    return (f"{text}; expected: net {short(due)}; {verdict}",)
