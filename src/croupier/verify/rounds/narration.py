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
from croupier.records.rounds.mapping import RESULTS
from croupier.records.rounds.record import RoundRecord, Shown, WagerRecord, shown_count, shown_text
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
    counts = {Hand.PLAYER: shown_count(player[:2]), Hand.BANKER: shown_count(banker[:2])}
    for hand, count in counts.items():
        yield called(hand, count, rules)
    first_counts = counts[Hand.PLAYER], counts[Hand.BANKER]
    tableau = rules.tableau
    draws = tableau.player_draws_third(*first_counts)
    natural = any(is_natural(count, 2) for count in first_counts)
    third = None
    if not natural:
        # A natural in either hand is reported once: it ends the drawing for both.
        yield third_card_ruled(ThirdCardRuling(Hand.PLAYER, *first_counts, None, draws), rules)
    if draws:
        if len(player) < 3:
            return
        third = shown_count(player[2:3])
    draws = tableau.banker_draws_third(*first_counts, NO_THIRD_CARD if third is None else third)
    yield third_card_ruled(ThirdCardRuling(Hand.BANKER, *first_counts, third, draws), rules)
    if verified.facts is not None:
        yield result(verified.facts, rules)


def _cards(cards: Sequence[Shown]) -> str:
    return faces(shown_text(card) for card in cards)


def _recorded_result(record: RoundRecord) -> str:
    winner = record.winner
    parts = [] if winner is None else ["a tie" if winner == TIED else f"{winner.capitalize()} wins"]
    totals = ((hand.value.capitalize(), record.total(hand)) for hand in Hand)
    parts += [f"{name} {total}" for name, total in totals if total is not None]
    return ", ".join(parts)


def title_of(wager: WagerRecord, rules: TableRules) -> str:
    return rules.wagers[wager.wager].title if wager.wager in rules.wagers else wager.wager


def why_unsettled(verified: VerifiedRound) -> str:
    is_void = verified.record.marked("void")
    returned = "void, like the whole round; the stake is returned"
    return returned if is_void else "no settlement under the rules"


def narrate_wagers(verified: VerifiedRound, rules: TableRules) -> Iterator[NarrationLine]:
    for wager, settlement in zip(verified.record.wagers, verified.settled, strict=True):
        if settlement is None or verified.facts is None:
            title, reason = title_of(wager, rules), why_unsettled(verified)
            seat = "" if wager.seat is None else f"Seat {wager.seat}, "
            text = f"{seat}{title} {short(wager.stake_cents)}: {reason}"
            yield NarrationLine("money", text, (), _recorded_text(wager, None))
            continue
        is_seated = wager.seat is not None
        line = explain_settled(settlement, verified.facts, rules, is_seated=is_seated)
        yield NarrationLine(line.kind, line.text, line.clauses, _recorded_text(wager, settlement))


def _recorded_text(wager: WagerRecord, settlement: Settled | None) -> tuple[str, ...]:
    amounts = {name: getattr(wager, f"{name}_cents") for name in RESULTS}
    parts = [f"{name} {short(cents)}" for name, cents in amounts.items() if cents is not None]
    if not parts:
        return ()
    text = f"found: {', '.join(parts)}"
    if settlement is None:
        return (text,)
    amount, due_cents = recorded_cents(wager, settlement), net_of(settlement)
    if amount is None or amount == due_cents:
        return (f"{text}, as expected",)
    debt = due_cents - amount
    verdict = f"owed {short(debt)}" if debt > 0 else f"paid {short(-debt)} too much"
    return (f"{text}; expected: net {short(due_cents)}; {verdict}",)
