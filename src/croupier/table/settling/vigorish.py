"""Collection of deferred vigorish, and closing of the table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from croupier import acts
from croupier.acts.roles import Role
from croupier.law.cite import cites, once
from croupier.law.usage import money
from croupier.rules import TableRules
from croupier.table.cards.device import shuffles_by_hand, waits_for_device
from croupier.table.cards.mixing import shuffle_action
from croupier.table.cards.out_of_use import cards_flawed, removed_at_closing, unsealed
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Action, Answer, Refusal
from croupier.table.machine.state import AT_TABLE, BETWEEN_ROUNDS, Phase, TableState
from croupier.table.settling.settling import device_lacks_cards, owed_by_the_shoe


@core.decides(
    acts.CollectVigorish, AT_TABLE, cites=("vigorish.before_reshuffle", "vigorish.marker")
)
def _collect(state: TableState, command: acts.CollectVigorish, rules: TableRules) -> Answer:
    clauses = rules.cites("vigorish.before_reshuffle")
    patron = state.seats.get(command.seat)
    if patron is None:
        return Refusal("seat_empty", (), f"seat {command.seat} is empty")
    if not patron.owed_cents:
        return Refusal("nothing_owed", (), f"seat {command.seat} owes no vigorish")
    cents = patron.owed_cents if command.cents is None else command.cents
    if type(cents) is not int or not 0 < cents <= patron.owed_cents:
        message = f"seat {command.seat} owes {money(patron.owed_cents)}: collect no more than that"
        return Refusal("amount", clauses, message)
    if patron.chips_cents < cents:
        message = (
            f"seat {command.seat} owes {money(patron.owed_cents)} and has"
            f" {money(patron.chips_cents)} in chips: {_ways(rules)}"
        )
        return Refusal("chips", clauses, message)
    marker = "removed" if cents == patron.owed_cents else "placed"
    clauses = once(clauses, rules.cites_for("vigorish.marker", marker))
    return (acts.VigorishCollected(command.seat, cents, deferred=True, clauses=clauses),)


def _ways(rules: TableRules) -> str:
    purchase = "have the patron buy chips, or collect part of it and"
    if hooks.instead_of_collecting.ask(rules) is None:
        return f"{purchase} have the supervisor rule on the rest"
    return f"{purchase} document the rest"


@core.decides(acts.CloseTable, BETWEEN_ROUNDS, cites=("vigorish.before_reshuffle",))
def _close(state: TableState, _command: acts.CloseTable, rules: TableRules) -> Answer:
    if refusal := unsealed(state, rules, closing=True):
        return refusal
    if state.seats:
        seated = ", ".join(map(str, state.seats))
        message = f"patrons are seated at {seated}: they must leave first"
        debts = (
            f"seat {seat} owes {money(patron.owed_cents)}"
            for seat, patron in state.seats.items()
            if patron.owed_cents
        )
        return Refusal("patrons", (), "; ".join((message, *debts)))
    if refusal := owed_by_the_shoe(state, rules):
        return refusal
    closed = acts.TableClosed(hooks.meters_shown.ask(state) or {}, ())
    return (*removed_at_closing(state, rules), closed)


core.leads_to(Phase.CLOSED, acts.TableClosed)


def _presses(state: TableState, rules: TableRules) -> bool:
    if state.phase is not Phase.BETTING:
        return state.phase in {Phase.SHOE_COMPLETED, Phase.OUT_OF_USE}
    return device_lacks_cards(state, rules) or hooks.cards_worn_out.ask(state, rules) is not None


def _absent_debtors(state: TableState, rules: TableRules) -> tuple[int, ...]:
    if not state.owed_cents or rules.reading("away_debtor.when") != "next-round":
        return ()
    return tuple(seat for seat, patron in state.seats.items() if patron.away and patron.owed_cents)


@hooks.before_round.join
@cites("vigorish.before_reshuffle")
def _debtor_is_gone(state: TableState, rules: TableRules) -> Refusal | None:
    for seat in _absent_debtors(state, rules):
        clauses = rules.cites_for("vigorish.before_reshuffle", "patron_leaves")
        debt = money(state.seats[seat].owed_cents)
        message = f"the patron of seat {seat} has walked away and owes {debt}: settle it first"
        entry = rules.entry("away_debtor.when")
        return Refusal("vigorish_outstanding", once(clauses, (entry,)), message)
    return None


def _ways_to_settle(
    state: TableState, rules: TableRules, *, must: bool, seats: Collection[int] | None = None
) -> Iterator[Action]:
    alternative = hooks.instead_of_collecting.ask(rules)
    for seat, patron in state.seats.items():
        if patron.owed_cents and (seats is None or seat in seats):
            clauses = rules.cites("vigorish.before_reshuffle")
            yield Action(acts.CollectVigorish, Role.DEALER, clauses, must, seat)
            if alternative is not None:
                yield alternative._replace(must=must, seat=seat)


@core.offers(Phase.SHOE_COMPLETED, Phase.OUT_OF_USE, Phase.BETTING)
def _vigorish_that_presses(state: TableState, rules: TableRules) -> Iterable[Action]:
    seats = None if _presses(state, rules) else _absent_debtors(state, rules)
    return _ways_to_settle(state, rules, must=True, seats=seats)


@core.offers(AT_TABLE, optional=True)
def _vigorish_that_may_wait(state: TableState, rules: TableRules) -> Iterable[Action]:
    if _presses(state, rules):
        return ()
    absent = _absent_debtors(state, rules) if state.phase is Phase.BETTING else ()
    return _ways_to_settle(state, rules, must=False, seats=state.seats.keys() - set(absent))


def _is_idle(state: TableState) -> bool:
    return state.phase is Phase.BETTING and not state.present and not state.stakes


@core.offers(Phase.BETTING)
@cites("idle.spread")
def _idle_table(state: TableState, rules: TableRules) -> Iterator[Action]:
    if not rules.applies("idle.spread") or not _is_idle(state) or state.owed_cents:
        return
    refusal = owed_by_the_shoe(state, rules) or hooks.cards_worn_out.ask(state, rules)
    if refusal is None and not state.flawed:
        yield Action(acts.DeclareIdle, Role.DEALER, rules.cites("idle.spread"))


@core.offers(Phase.SHOE_COMPLETED)
def _next_shoe(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if state.owed_cents or cards_flawed(state, rules):
        return ()
    if waits_for_device(state, rules):
        return ()
    if rules.batches == 2 and not shuffles_by_hand(state, rules):
        return (Action(acts.ExchangeBatches, Role.DEALER, rules.cites("device.exchange")),)
    return () if hooks.cards_worn_out.ask(state, rules) else (shuffle_action(state, rules),)


@core.offers(Phase.SHOE_COMPLETED, Phase.OUT_OF_USE, Phase.BETTING, optional=True)
def _an_end_of_play(state: TableState, rules: TableRules) -> Iterator[Action]:
    if state.owed_cents or state.stakes or owed_by_the_shoe(state, rules):
        return
    if rules.applies("idle.spread") and not _is_idle(state) and not cards_flawed(state, rules):
        yield Action(acts.DeclareIdle, Role.DEALER, rules.cites("idle.spread"), must=False)
    if not state.seats and unsealed(state, rules, closing=True) is None:
        yield Action(acts.CloseTable, Role.FLOORPERSON, (), must=False)
