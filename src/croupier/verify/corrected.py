"""What is judged of a log whose law file was corrected since in what binds a table.

A correction excuses what depends on the corrected rules and nothing else. Procedure may differ
anywhere, since one step more changes what follows; drawing and settlement are judged anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from croupier import acts
from croupier.baccarat.coup import Coup
from croupier.money.settlement import settle
from croupier.rules import TableRules
from croupier.table.machine.core import Events
from croupier.table.machine.state import TableState

Fact: TypeAlias = tuple[Any, ...]
Facts: TypeAlias = Iterator[tuple[Fact, tuple[str, ...]]]
"""Each with the rules on which it depends: a rule stands for all whose ids go on from its own."""

_DRAWING: Final = ("third", "deal", "irregularity")
_VIGORISH: Final = ("vigorish", "wagers", "settlement.no_vigorish")
_ANEW: Final = frozenset({"card dealt", "result", "paid"})
"""What can be worked out from the table alone, where today's rules refuse the command."""


def corrected_since(rules: TableRules, edition: int) -> frozenset[str]:
    """Return the rules that were corrected since an edition in what binds a table."""
    since = rules.law.corrections[edition - 1 :] if edition >= 1 else ()
    named = {name for one in since if one.binds for name in one.of}
    citing = {rule.id for rule in rules.law.rules.values() if named.intersection(rule.cites)}
    return frozenset(named | citing)


def misjudged(
    rules: TableRules,
    corrected: frozenset[str],
    state: TableState,
    derived: Events | None,
    recorded: Events,
) -> str | None:
    """Say what of drawing and settlement is recorded otherwise than it should be, if anything is.

    ``corrected`` are the rules that excuse what depends on them, ``state`` is the one before the
    entry. ``derived`` are the events by today's rules; ``None`` where they refuse the command.
    """
    found = _counted(_facts(recorded, rules), corrected)
    if derived is None:
        expected = _counted(_anew(state, rules, recorded), corrected)
        found = Counter({fact: count for fact, count in found.items() if fact[0] in _ANEW})
    else:
        expected = _counted(_facts(derived, rules), corrected)
    wrong = [*(found - expected), *(expected - found)]
    if not wrong:
        return None
    one = wrong[0]
    told = ", ".join(str(part) for part in one[1:])
    how = "is recorded" if one in found - expected else "should be recorded"
    return f"{one[0]} ({told}) {how}, which no correction of the regulation changes"


def _counted(facts: Facts, corrected: frozenset[str]) -> Counter[Fact]:
    """Count the facts that depend on no rule that was corrected."""
    return Counter(
        fact
        for fact, bases in facts
        if not any(f"{rule}.".startswith(f"{base}.") for rule in corrected for base in bases)
    )


def _facts(events: Events, rules: TableRules) -> Facts:
    """Yield what events say of drawing and settlement."""
    for event in events:
        match event:
            case acts.CardDealt():
                yield ("card dealt", event.hand.value, event.card.notation), _DRAWING
            case acts.ThirdCardRuled():
                yield ("third card", event.hand.value, event.draws), _DRAWING
            case acts.ResultAnnounced():
                yield _result(event.player_count, event.banker_count), _DRAWING
            case acts.VigorishCollected() | acts.VigorishMarked():
                yield ("vigorish", event.seat, event.cents), _VIGORISH
            case _:
                for fact in _of_wagers(event):
                    yield fact, _rules_of(fact[2], rules)


def _of_wagers(event: acts.Event) -> Iterator[Fact]:
    """Yield what an event says of wagers, each as a word, the seat, the wager, and the amount."""
    match event:
        case acts.LosingWagersCollected() | acts.StakesKept():
            for lost in event.stakes:
                yield "stake lost", lost.seat, lost.wager, lost.cents, lost.coupon_cents
        case acts.StakesReleased():
            for back in event.stakes:
                yield "stake returned", back.seat, back.wager, back.cents, back.outcome
        case acts.WagerPaid():
            yield "paid", event.seat, event.wager, event.cents
        case acts.AwardPaid() | acts.HandPayDue():
            yield "award", event.seat, event.wager, event.cents
        case _:
            pass


def _anew(state: TableState, rules: TableRules, recorded: Events) -> Facts:
    """Yield what the cards and the stakes on the table demand where these things were recorded."""
    round_ = state.round
    if round_ is None:
        return
    coup: Coup = round_.coup
    for event in recorded:
        if isinstance(event, acts.CardDealt) and coup.due is not None:
            yield ("card dealt", coup.due.value, event.card.notation), _DRAWING
            coup = coup.with_card(event.card)
        elif isinstance(event, acts.ResultAnnounced) and coup.is_complete:
            facts = coup.facts
            yield _result(facts.player_count, facts.banker_count), _DRAWING
    if round_.facts is not None and any(isinstance(event, acts.WagerPaid) for event in recorded):
        for one in settle(rules, rules.facts_of(round_.coup), state.stakes):
            if one.won_cents and one.decision.award is None:
                paid = ("paid", one.seat, one.wager, one.won_cents)
                yield paid, _rules_of(one.wager, rules)


def _result(player: int, banker: int) -> Fact:
    return "result", f"Player {player}", f"Banker {banker}"


def _rules_of(wager: str, rules: TableRules) -> tuple[str, ...]:
    """Return the rules that offer a wager and pay it; none for one that the table does not have."""
    known = rules.wagers.get(wager)
    return () if known is None else (known.offered_by, known.paid_by)
