"""Random rules submissions that a text allows: every election, within what the text leaves open.

They are made from what a law file says is open, tied together and bounded, and know nothing of how
the program holds a submission to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any, Final

from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.law.interpretations import interpretations
from croupier.law.model import Condition, Constraint, ConstraintKind, Instrument, Rule
from croupier.law.values import Kind, Odds, Value, parse_value
from croupier.rules import MOST_SEATS, submission_of, table_rules

Draw = Callable[[st.SearchStrategy[Any]], Any]
Tables = dict[str, Any]
"""The tables of a submission, as its TOML file gives them."""

DECKS: Final = 16
"""More decks are drawn only where they are asked for: they make long shoes."""

KING_NINES: Final = tuple(
    f"K{king} 9{nine}" for king, nine in product("shdc", repeat=2) if king != nine
)
"""Every King-9 of two suits."""

COMPARED: Final = "royal_9.awards_compared"
"""The reading that a submission with small seeds must name."""

STAX: Final = "wagers.royal_9.stax"


# --- what a text leaves open, and what it ties together ----------------------------------------


def options(rule: Rule) -> tuple[Value, ...]:
    """Return the choices of a rule that has them; a flag has two."""
    return (True, False) if rule.kind is Kind.FLAG else rule.choices


def ladder(rule: Rule, most_decks: int = DECKS) -> range:
    """Return every number that a bounded count may be, with a roof where the law has none."""
    if rule.between is not None:
        return range(_int(rule.between[0]), _int(rule.between[1]) + 1)
    return range(_int(rule.at_least), max(most_decks, _int(rule.at_least)) + 1)


def _int(value: Value | None) -> int:
    assert isinstance(value, int)
    return value


def raw(rule: Rule, value: Value) -> Any:
    """Return a value as a submission writes it."""
    return value if isinstance(value, bool | int | str) else rule.written(value)


def ties(law: Instrument) -> tuple[Constraint, ...]:
    """Return the constraints that one submission alone can break."""
    alone = {ConstraintKind.REQUIRES, ConstraintKind.EXCLUDES}
    return tuple(one for one in law.constraints if one.kind in alone)


def settles(condition: Condition, settled: Mapping[str, Value]) -> bool:
    """Tell whether every rule that a condition names has one of the values wanted."""
    return all(name in settled and settled[name] in wanted for name, wanted in condition.items())


def broken(tie: Constraint, settled: Mapping[str, Value]) -> bool:
    """Tell whether elections break a constraint; a rule that has no value here breaks none."""
    if not settles(tie.when, settled):
        return False
    if tie.kind is ConstraintKind.EXCLUDES:
        return settles(tie.then, settled)
    counts = {name: _int(settled[name]) for name in counted(tie) if name in settled}
    return (
        any(settled[name] not in wanted for name, wanted in tie.then.items() if name in settled)
        or any(counts[name] < least for name, least in tie.at_least.items() if name in counts)
        or any(counts[name] > most for name, most in tie.at_most.items() if name in counts)
        or any(counts[name] % factor for name, factor in tie.multiple_of.items() if name in counts)
    )


def counted(tie: Constraint) -> set[str]:
    return {*tie.at_least, *tie.at_most, *tie.multiple_of}


def pinned_for(draw: Draw, law: Instrument, condition: Condition) -> dict[str, Value]:
    """Return choices under which a condition holds, with what they hang on in their turn."""
    pinned: dict[str, Value] = {}
    for name, wanted in condition.items():
        pinned |= pinned_for(draw, law, law.rules[name].applies_when)
        pinned[name] = draw(st.sampled_from(wanted))
    return pinned


# --- elections ---------------------------------------------------------------------------------


def _in_force(law: Instrument, chosen: Mapping[str, Value]) -> dict[str, Value]:
    """Return the values of the law and of those choices that the other choices leave room for."""
    settled = {one.id: one.value for one in law.rules.values() if one.value is not None}
    settled.update(chosen)
    while idle := [name for name in settled if not settles(law.rules[name].applies_when, settled)]:
        settled = {name: value for name, value in settled.items() if name not in idle}
    return settled


def _choices(draw: Draw, law: Instrument, pinned: Mapping[str, Value]) -> dict[str, Value]:
    """Draw a choice for every rule that has some, and mend what breaks a constraint."""
    chosen = {
        rule.id: pinned[rule.id] if rule.id in pinned else draw(st.sampled_from(options(rule)))
        for rule in law.elections
        if options(rule)
    }
    for _ in range(20):
        bad = next((tie for tie in ties(law) if broken(tie, _in_force(law, chosen))), None)
        if bad is None:
            return chosen
        _mend(draw, law, bad, chosen, pinned)
    raise AssertionError(f"{law.key}: no legal submission has {pinned}")


def _mend(
    draw: Draw,
    law: Instrument,
    tie: Constraint,
    chosen: dict[str, Value],
    pinned: Mapping[str, Value],
) -> None:
    """Choose otherwise where a constraint is broken: on the side that is not pinned."""
    then = [name for name in tie.then if name in chosen and name not in pinned]
    if tie.kind is ConstraintKind.REQUIRES and then:
        for name in then:
            chosen[name] = draw(st.sampled_from(tie.then[name]))
        return
    sides = [(name, tie.then[name]) for name in then]
    sides += [(name, tie.when[name]) for name in tie.when if name not in pinned]
    assert sides, f"{law.key}: {pinned} breaks {tie.id}"
    name, wanted = draw(st.sampled_from(sides))
    chosen[name] = draw(
        st.sampled_from([one for one in options(law.rules[name]) if one not in wanted])
    )


def _number(
    draw: Draw, law: Instrument, rule: Rule, numbers: Iterable[int], settled: dict[str, Value]
) -> int:
    """Draw a number for a rule that breaks no constraint, and settle it."""
    allowed = [
        number
        for number in numbers
        if not any(broken(tie, settled | {rule.id: number}) for tie in ties(law))
    ]
    settled[rule.id] = number = draw(st.sampled_from(allowed))
    return int(number)


def odds_from(draw: Draw, least: Odds) -> str:
    """Draw odds no worse than some, not always in their lowest terms."""
    stake = draw(st.integers(1, 4))
    floor = ceil(least.ratio * stake)
    return f"{draw(st.integers(floor, floor + 4 * stake))}:{stake}"


def _paytable(draw: Draw, law: Instrument, rule: Rule) -> Any:
    """Draw a paytable by its name or line by line; better ones too, where they may be."""
    tables = {**rule.at_least_any, **rule.one_of}
    name = draw(st.sampled_from(sorted(tables)))
    if draw(st.booleans()):
        return name
    printed = law.rules[tables[name]].value
    assert isinstance(printed, Mapping)
    better = rule.at_least_any and draw(st.booleans())
    return {
        line: odds_from(draw, odds) if better else str(odds)
        for line, odds in printed.items()
        if isinstance(odds, Odds)
    }


def _rate(draw: Draw, rule: Rule) -> str:
    """Draw a rate; of a five-dollar stake it comes to whole cents."""
    assert rule.between is not None
    if rule.id.endswith(".increment"):
        # There are four meters, and their shares come to no more than the stake.
        return f"{draw(st.integers(0, 125))}/500"
    return str(draw(st.sampled_from(["0%", "100%", "50%", "37%", "1/3", "999/1000"])))


def _money(draw: Draw, rule: Rule, elections: Mapping[str, Any]) -> str:
    least = 0
    if rule.id == f"{STAX}.must_hit_by":
        # It begins below what it must be hit by, or nothing could be hit.
        least = round(Fraction(elections[f"{STAX}.seed"]) * 100) + 1
    return dollars(draw(st.integers(least, least + 200_000)))


def dollars(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def _open(draw: Draw, law: Instrument, rule: Rule, elections: Mapping[str, Any]) -> Any:
    """Draw what is left open without choices, as a submission writes it."""
    if rule.id.endswith(".chairs"):
        return draw(st.permutations(KING_NINES))[:6]
    match rule.kind:
        case Kind.ODDS:
            assert isinstance(rule.at_least, Odds)
            return odds_from(draw, rule.at_least)
        case Kind.PAYTABLE:
            return _paytable(draw, law, rule)
        case Kind.RATE if "house_advantage" not in rule.id:
            rate = _rate(draw, rule)
            barred = [tie.when.get(rule.id, ()) for tie in ties(law)]
            value = parse_value(rule.kind, rate)
            # A rate that no other choice goes with is left alone.
            return rule.default if any(value in values for values in barred) else rate
        case Kind.MONEY:
            return _money(draw, rule, elections)
        case Kind.TEXT:
            return draw(st.sampled_from(["Order 1", "On file §5, “as approved”", "x"]))
    # A schedule of prizes and the advantage that follows from it: the plain one.
    return rule.default


# --- the rest of a submission ------------------------------------------------------------------


def _readings(draw: Draw, law: Instrument) -> dict[str, str]:
    """Name readings of doubts that this text has; always one that must be acknowledged."""
    return {
        entry.id: draw(st.sampled_from(sorted(entry.readings)))
        for entry in interpretations().values()
        if entry.readings
        and entry.about(law.key, law.rules)
        and (entry.acknowledge or entry.name == COMPARED or draw(st.booleans()))
    }


def _limits(draw: Draw, tables: Tables) -> dict[str, list[Any]]:
    """Draw limits for every wager on offer whose stake is not fixed: from the least unit on."""
    offers = table_rules(replace(submission_of(tables), limits=None)).offers
    limits = {}
    for wager, offer in offers.items():
        if wager == "royal_9":
            continue
        least = offer.unit_cents * draw(st.sampled_from([1, 2, 7, 100]))
        least = max(least, offer.floor_cents + -offer.floor_cents % offer.unit_cents)
        most = least + draw(st.sampled_from([0, 1, 99, 100 * least]))
        limits[wager] = [one // 100 if one % 100 == 0 else dollars(one) for one in (least, most)]
    return limits


@st.composite
def legal(
    draw: Draw,
    law: Instrument,
    pinned: Mapping[str, Value] | None = None,
    most_decks: int = DECKS,
) -> Tables:
    """Draw a submission that a text allows; ``pinned`` are choices that it must have."""
    settled = _in_force(law, _choices(draw, law, pinned or {}))
    elections: dict[str, Any] = {}
    for rule in law.elections:
        if rule.kind is Kind.COUNT and not rule.choices:
            elections[rule.id] = _number(draw, law, rule, ladder(rule, most_decks), settled)
        elif rule.id in settled:
            elections[rule.id] = raw(rule, settled[rule.id])
        elif settles(rule.applies_when, settled) and not options(rule):
            elections[rule.id] = _open(draw, law, rule, elections)
    bound = law.rules.get("layout.seats")
    seats = (
        draw(st.integers(1, MOST_SEATS))
        if bound is None
        else _number(draw, law, bound, ladder(bound), settled)
    )
    numbering = draw(st.sampled_from(["counterclockwise", "clockwise"]))
    tables = {
        "submission": {"law": law.id, "on": law.in_force_known, "title": "Drawn at random"},
        "elections": elections,
        "interpretations": _readings(draw, law),
        "table": {"seats": seats, "numbering": numbering, "pit": "1", "table": "R-1"},
    }
    return {**tables, "limits": _limits(draw, tables)}
