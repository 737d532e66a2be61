"""Questions about settlement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import Final

from croupier import acts as c
from croupier import acts as e
from croupier.baccarat.cards import DECK
from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers import BANKER, PLAYER, Moment
from croupier.drills.kinds.cards import shown_hands
from croupier.drills.marking import in_chips, rests_on, why_of
from croupier.drills.room import (
    Asking,
    FieldValues,
    Question,
    asks,
    cards_of,
    cards_that,
    debts,
    decided,
    elected,
    heard_events,
    shown_stakes,
    stake_on,
    telling_cards,
    with_needed,
)
from croupier.law.usage import money
from croupier.rules import Offer, Outcome, TableRules
from croupier.scenarios import Stage
from croupier.scenarios.people import together, waiving_stakes
from croupier.table.machine.core import Events
from croupier.table.machine.offered import Field

_Paid = e.WagerPaid | e.AwardPaid | e.HandPayDue
_MOST_ITEMS: Final = 8


def _terms(rules: TableRules) -> tuple[tuple[str, str], ...]:
    return (("Vigorish", str(rules.vigorish)),)


# --- payouts -----------------------------------------------------------------------------------


@asks("payouts", "What each wager pays, in dollars and in chips")
def _payouts(asking: Asking) -> Question | None:
    stage = asking.room.at("betting")
    if stage is None:
        return None
    rules, chance = asking.room.rules, asking.chance
    seat = chance.choose(tuple(stage.state.seats))
    offer = rules.offers[chance.choose(tuple(rules.offers))]
    if asking.level > 1 and offer.wager.settled_at is Moment.RESULT and chance.below(4) == 0:
        return _outcome_question(asking, stage, seat, offer)
    stakes = {seat: with_needed(asking, offer)}
    start_cards = telling_cards(offer) if offer.chairs and asking.level > 1 else DECK
    # Choose the line first; otherwise, the most frequent lines would dominate.
    line = "" if start_cards is DECK else chance.choose(tuple(offer.pays))

    def wins(facts: Facts) -> bool:
        decision = offer.decide(facts, seat)
        return decision.outcome is Outcome.WIN and line in {"", decision.line}

    old_stage = stage.fork()
    cards = cards_that(asking, stage, wins, offer.wager.settled_at, start_cards)
    if cards is None:
        return None
    new_stage = decided(stage, stakes, cards)
    hands = shown_hands(new_stage)
    new_stage.execute(c.SettleWagers())
    events = heard_events(new_stage)
    answer_of = partial(_payment, seat, offer.wager.id)
    key = answer_of(events)
    if not key:
        return None
    paid = _payments(seat, offer.wager.id, events)
    chips = (Field("chips", "chips", "In chips"),) if "chips" in key else ()
    return Question(
        f"{offer.wager.title} of seat {seat} wins. What is paid on it, in addition to the stake?",
        (*hands, *shown_stakes(rules, stakes)),
        (Field("amount", "cents", "Amount"), *chips),
        key,
        old_stage,
        tuple(command for command, _ in new_stage.heard),
        answer_of,
        why=(*why_of(paid, rules), *rests_on(rules, *_rules_of(offer)), *_pay_table(offer, rules)),
    )


def _rules_of(offer: Offer) -> tuple[str, ...]:
    is_early = offer.wager.settled_at is Moment.FOUR_CARDS
    rule_ids = ("wagers.house_money.add",) if is_early else ()
    return (offer.wager.offered_by, "wagers.permitted", *rule_ids)


def _pay_table(offer: Offer, rules: TableRules) -> Iterator[tuple[str, tuple[str, ...]]]:
    under = offer.wager.paid_under
    for rule in rules.law.rules.values():
        if under and rule.id.startswith(f"{under}.") and rule.value == rules.settled.get(under):
            yield rule.title, rule.cites


def _payments(seat: int, wager: str, events: Events) -> tuple[e.Event, ...]:
    return tuple(
        one for one in events if isinstance(one, _Paid) and (one.seat, one.wager) == (seat, wager)
    )


def _payment(seat: int, wager: str, events: Events) -> FieldValues:
    for payment in _payments(seat, wager, events):
        if isinstance(payment, _Paid):
            chips = None if isinstance(payment, e.HandPayDue) else in_chips(payment.cents)
            return {"amount": money(payment.cents)} | ({"chips": chips} if chips else {})
    return {}


_BECOMES: Final = Field(
    "becomes",
    "choice",
    "What becomes of it",
    choices=(
        ("paid", "It wins, and is paid"),
        ("returned", "It neither wins nor loses, and is the patron's again"),
        ("collected", "It loses, and is collected"),
    ),
)


def _outcome_question(asking: Asking, stage: Stage, seat: int, offer: Offer) -> Question | None:
    rules, chance = asking.room.rules, asking.chance
    exceptions = [line for line, rule in offer.wager.singled_out.items() if rules.applies(rule)]
    line = chance.choose((*exceptions, ""))
    outcome = chance.choose(tuple(Outcome))

    def wanted(facts: Facts) -> bool:
        decision = offer.decide(facts, seat)
        return decision.line == line if line else decision.outcome is outcome

    stakes, old_stage = {seat: with_needed(asking, offer)}, stage.fork()
    cards = cards_that(asking, stage, wanted)
    if cards is None:
        return None
    new_stage = decided(stage, stakes, cards)
    hands = shown_hands(new_stage)
    new_stage.execute(c.SettleWagers())
    events = heard_events(new_stage)
    answer_of = partial(_outcome, seat, offer.wager.id)
    wager_events = tuple(event for event in events if _is_about(seat, offer.wager.id, event))
    if not wager_events:
        return None
    singled = (offer.wager.singled_out[line],) if line else ()
    return Question(
        f"The round is over. What becomes of the wager on {offer.wager.title} of seat {seat}?",
        (*hands, *shown_stakes(rules, stakes)),
        (_BECOMES,),
        answer_of(events),
        old_stage,
        tuple(command for command, _ in new_stage.heard),
        answer_of,
        why=(
            *why_of(wager_events, rules),
            *rests_on(rules, *singled, *_rules_of(offer)),
            *_pay_table(offer, rules),
        ),
    )


def _is_about(seat: int, wager: str, event: e.Event) -> bool:
    if isinstance(event, e.LosingWagersCollected | e.StakesReleased):
        return any((stake.seat, stake.wager) == (seat, wager) for stake in event.stakes)
    return isinstance(event, _Paid) and (event.seat, event.wager) == (seat, wager)


def _outcome(seat: int, wager: str, events: Events) -> FieldValues:
    kinds = {type(event) for event in events if _is_about(seat, wager, event)}
    if kinds & {e.WagerPaid, e.AwardPaid, e.HandPayDue}:
        return {"becomes": "paid"}
    return {"becomes": "collected" if e.LosingWagersCollected in kinds else "returned"}


# --- vigorish ----------------------------------------------------------------------------------

_HOW: Final = Field(
    "how",
    "choice",
    "How",
    choices=(
        ("collected", "It is collected now"),
        ("marked", "It is marked, to be collected later"),
        ("waived", "It is waived"),
        ("none", "None is due"),
    ),
)


@asks("vigorish", "Vigorish: rate, rounding, waiver, ties, and markers")
def _vigorish(asking: Asking) -> Question | None:
    rules, chance = asking.room.rules, asking.chance
    owing = asking.level > 1 and rules.vigorish.deferred and chance.below(2) == 0
    stage = asking.room.at("second-round" if owing else "betting")
    if stage is None or not stage.state.seats:
        return None
    debtors = [seat for seat, patron in stage.state.seats.items() if patron.owed_cents]
    seat = chance.choose(debtors or tuple(stage.state.seats))
    wager = rules.bearing.wager
    stakes = {wager.id: stake_on(asking, wager.id)}
    if rules.vigorish.waived and asking.level == 3:
        stakes = waiving_stakes(rules)
        if chance.below(2):
            stakes[wager.id] += rules.offers[wager.id].unit_cents
            limit = rules.offers[wager.id].limit
            if limit is not None and stakes[wager.id] > limit.max_cents:
                return None
    # If a tie is subject to vigorish, a win of the same wager is not.
    ties = rules.vigorish.tie_rate is not None and chance.below(4) > 0

    def wanted(facts: Facts) -> bool:
        return facts.winner is None if ties else wager.line_of(facts) in wager.lines

    old_stage = stage.fork()
    cards = cards_that(asking, stage, wanted)
    if cards is None:
        return None
    bonuses = [name for name in rules.offers if name not in stakes and _is_bonus(rules, name)]
    if bonuses and asking.level > 1 and chance.below(2):
        bonus = chance.choose(bonuses)
        stakes[bonus] = stake_on(asking, bonus)
    new_stage = decided(stage, {seat: stakes}, cards)
    owed_cents = old_stage.state.seats[seat].owed_cents
    marker = debts(old_stage, seat)
    hands = shown_hands(new_stage)
    settled_stage = new_stage.fork()
    settled_stage.execute(c.SettleWagers())
    events = heard_events(settled_stage)
    answer_of = partial(_due_vigorish, seat, owed_cents if rules.vigorish.deferred else None)
    key = answer_of(events)
    fields = [Field("due", "cents", "Vigorish"), _HOW]
    if rules.vigorish.deferred:
        # Always asked for; otherwise, its presence would disclose the answer.
        fields.append(Field("marker", "cents", "Vigorish that the seat owes then"))
    return Question(
        f"The wagers of seat {seat} are settled. What vigorish is due on this round, and how?",
        (*hands, *shown_stakes(rules, {seat: stakes}), *_terms(rules), *marker),
        tuple(fields),
        key,
        new_stage,
        (c.SettleWagers(),),
        answer_of,
        why=(
            *why_of(_about_vigorish(seat, events) or _settlement(seat, events), rules),
            *rests_on(rules, "vigorish.same_for_all"),
            *_what_bears_none(rules, stakes),
        ),
    )


def _is_bonus(rules: TableRules, wager: str) -> bool:
    return (
        rules.applies("vigorish.on_bonus")
        and rules.offers[wager].wager.offered_by == "wagers.bonus"
    )


def _what_bears_none(
    rules: TableRules, stakes: Mapping[str, int]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    scheme = rules.vigorish.scheme
    yield f"Vigorish at this table: {scheme}", rules.cites_for("vigorish.scheme", scheme)
    if any(_is_bonus(rules, name) for name in stakes):
        yield from rests_on(rules, "vigorish.on_bonus")


def _about_vigorish(seat: int, events: Events) -> Events:
    kinds = (e.VigorishCollected, e.VigorishMarked, e.VigorishWaived)
    return tuple(event for event in events if isinstance(event, kinds) and event.seat == seat)


def _settlement(seat: int, events: Events) -> Events:
    return tuple(event for event in events if isinstance(event, e.WagerPaid) and event.seat == seat)


def _due_vigorish(seat: int, owed_cents: int | None, events: Events) -> FieldValues:
    cents, manner = 0, "none"
    for event in _about_vigorish(seat, events):
        match event:
            case e.VigorishMarked():
                cents, manner, owed_cents = event.cents, "marked", event.owed_cents
            case e.VigorishCollected():
                cents, manner = event.cents, "collected"
            case _:
                manner = "waived"
    marker = {} if owed_cents is None else {"marker": money(owed_cents)}
    return {"due": money(cents), "how": manner, **marker}


# --- the order of settlement -------------------------------------------------------------------


@asks("order", "The order in which wagers are collected and paid")
def _in_order(asking: Asking) -> Question | None:
    stage = asking.room.at("betting")
    if stage is None:
        return None
    rules, chance = asking.room.rules, asking.chance
    stakes = {}
    for seat in stage.state.seats:
        base = chance.choose((PLAYER.id, BANKER.id))
        stakes[seat] = {base: stake_on(asking, base)}
        if chance.below(3) < asking.level:
            offer = rules.offers[chance.choose(tuple(rules.offers))]
            stakes_of_seat = with_needed(asking, offer) | stakes[seat]
            stakes[seat] = {name: stakes_of_seat[name] for name in together(rules, stakes_of_seat)}
    new_stage = decided(stage, stakes, cards_of(asking, stage))
    settled_stage = new_stage.fork()
    settled_stage.execute(c.SettleWagers())
    events = heard_events(settled_stage)
    items = dict(_items(rules, events))
    if not 2 + (asking.level > 1) <= len(items) <= _MOST_ITEMS:
        return None
    mixed = list(items)
    while len(items) > 1 and mixed == list(items):
        chance.shuffle(mixed)
    field = Field("order", "order", "Order", choices=tuple((item, items[item]) for item in mixed))
    lines = tuple(event for event in events if isinstance(event, _ORDERED))
    return Question(
        "In which order do you collect, pay, and take vigorish?",
        (
            *shown_hands(new_stage),
            *shown_stakes(rules, stakes),
            *_terms(rules),
            *elected(rules, "settlement.order"),
        ),
        (field,),
        _ordered(rules, events),
        new_stage,
        (c.SettleWagers(),),
        partial(_ordered, rules),
        why=(*why_of(lines, rules), *rests_on(rules, "settlement.pay")),
    )


_ORDERED: Final = (
    e.LosingWagersCollected, e.WagerPaid, e.VigorishCollected, e.VigorishMarked,
)  # fmt: skip


def _ordered(rules: TableRules, events: Events) -> FieldValues:
    return {"order": " ".join(name for name, _ in _items(rules, events))}


def _items(rules: TableRules, events: Events) -> Iterator[tuple[str, str]]:
    """Collect from a seat at once, and pay it at once: no regulation orders its own wagers."""
    acts = groupby(_each(rules, events), key=lambda item: item[:2])
    counts = Counter[tuple[str, int]]()
    for (verb, seat), items in acts:
        counts[verb, seat] += 1
        titles = ", ".join(title for _, _, title in items)
        suffix = f"-{counts[verb, seat]}" if counts[verb, seat] > 1 else ""
        yield f"{verb}-{seat}{suffix}", _ACTS[verb].format(seat=seat, titles=titles)


_ACTS: Final = {
    "collect": "Collect from seat {seat}: {titles}",
    "pay": "Pay seat {seat}: {titles}",
    "vigorish": "{titles} the vigorish of seat {seat}",
}


def _each(rules: TableRules, events: Events) -> Iterator[tuple[str, int, str]]:
    for event in events:
        match event:
            case e.LosingWagersCollected():
                for stake in event.stakes:
                    yield "collect", stake.seat, rules.offers[stake.wager].wager.title
            case e.WagerPaid() | e.AwardPaid() | e.HandPayDue():
                yield "pay", event.seat, rules.offers[event.wager].wager.title
            case e.VigorishCollected():
                yield "vigorish", event.seat, "Collect"
            case e.VigorishMarked():
                yield "vigorish", event.seat, "Mark"
            case _:
                pass
