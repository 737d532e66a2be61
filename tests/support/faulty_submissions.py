"""Random slips: a legal submission with one thing wrong, where it is told, and by which clauses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from croupier.baccarat.wagers import WAGERS
from croupier.law.interpretations import interpretations
from croupier.law.model import Constraint, ConstraintKind, Instrument, Rule
from croupier.law.resolve import instruments
from croupier.law.values import Kind, Odds, Value
from support.random_submissions import (
    KING_NINES,
    STAX,
    Draw,
    Tables,
    broken,
    counted,
    dollars,
    ladder,
    legal,
    options,
    pinned_for,
    raw,
    ties,
)


class Slip(NamedTuple):
    """A submission with one slip in it, where it must be told, and the clauses told with it."""

    tables: Tables
    where: str
    clauses: tuple[str, ...]


def _elects(tables: Tables, rule: Rule, value: Any) -> Slip:
    """Return a submission with one election exchanged, which is told there."""
    tables["elections"][rule.id] = value
    return Slip(tables, rule.id, rule.cites)


def _with(draw: Draw, law: Instrument, rule: Rule) -> Tables:
    """Draw a legal submission in which a rule is to be elected."""
    tables: Tables = draw(legal(law, pinned_for(draw, law, rule.applies_when)))
    return tables


def _elections(law: Instrument, *kinds: Kind) -> list[Rule]:
    return [rule for rule in law.elections if not kinds or rule.kind in kinds]


# --- elections ---------------------------------------------------------------------------------


def outside_the_choices(draw: Draw, law: Instrument) -> Slip:
    """Choose what another text offers, or nobody."""
    rule = draw(st.sampled_from([one for one in law.elections if one.choices]))
    elsewhere = {
        str(one.rules[rule.id].written(choice))
        for one in instruments()
        if rule.id in one.rules and one.rules[rule.id].kind is rule.kind
        for choice in one.rules[rule.id].choices
        if choice not in rule.choices
    }
    nobodys = {Kind.WORD: "nobody's", Kind.RATE: "3%", Kind.COUNT: "5"}
    word = draw(st.sampled_from(sorted({*elsewhere, nobodys[rule.kind]})))
    return _elects(_with(draw, law, rule), rule, int(word) if rule.kind is Kind.COUNT else word)


def two_choices_at_once(draw: Draw, law: Instrument) -> Slip:
    rule = draw(st.sampled_from(_elections(law, Kind.WORD)))
    two = draw(st.permutations(rule.choices))[:2]
    return _elects(_with(draw, law, rule), rule, list(two))


def missing(draw: Draw, law: Instrument) -> Slip:
    rule = draw(st.sampled_from([one for one in law.elections if not one.may_be_left_out]))
    tables = _with(draw, law, rule)
    del tables["elections"][rule.id]
    return Slip(tables, rule.id, rule.cites)


def of_another_kind(draw: Draw, law: Instrument) -> Slip:
    """Write what no value of the rule's kind is."""
    rule = draw(st.sampled_from(law.elections))
    wrong: Mapping[Kind, tuple[Any, ...]] = {
        Kind.COUNT: ("8", 8.0, -8, True),
        Kind.MONEY: (0.5, -1, "1.5", "$5"),
        Kind.ODDS: (8, "8", "8:0", "0:1", "8-1"),
        Kind.RATE: (0.05, 5, "5", "1/0"),
        Kind.FLAG: ("yes", 1, "true"),
        Kind.WORD: (1, True, "", " "),
        Kind.TEXT: (1, "", " "),
        Kind.PAYTABLE: ({}, {"natural": 1}, 30),
        Kind.ORDER: ([], "one", [1]),
    }
    return _elects(_with(draw, law, rule), rule, draw(st.sampled_from(wrong[rule.kind])))


def out_of_bounds(draw: Draw, law: Instrument) -> Slip:
    """Go below the least or beyond the most, by as little as can be."""
    rules = [
        rule
        for rule in _elections(law, Kind.COUNT, Kind.RATE, Kind.ODDS)
        if rule.at_least is not None or rule.between is not None
    ]
    rule = draw(st.sampled_from(rules))
    wrong: list[Any]
    if isinstance(rule.at_least, Odds):
        least = rule.at_least
        wrong = [f"{least.pays * 100 - 1}:{least.stake * 100}", f"1:{least.stake + 1}"]
    elif rule.kind is Kind.RATE:
        wrong = ["101%", "1001/1000", "999%"]
    else:
        numbers = ladder(rule)
        wrong = [0, numbers[0] - 1] + ([numbers[-1] + 1] if rule.between is not None else [])
    return _elects(_with(draw, law, rule), rule, draw(st.sampled_from(wrong)))


def more_decks_than_any_table_holds(draw: Draw, law: Instrument) -> Slip:
    rule = law.rules["decks"]
    many = _elects(_with(draw, law, rule), rule, draw(st.sampled_from([66, 1000])))
    # The bound is the program's: a clause that says "at least" forbids no number above it.
    return many._replace(clauses=())


def what_is_settled(draw: Draw, law: Instrument) -> Slip:
    """Elect what the law has settled, or left to somebody else."""
    rule = draw(st.sampled_from([one for one in law.rules.values() if not one.is_election]))
    value = rule.default if rule.value is None else raw(rule, rule.value)
    return _elects(draw(legal(law)), rule, "anything" if isinstance(value, list) else value)


def what_does_not_apply(draw: Draw, law: Instrument) -> Slip:
    """Elect what the other elections leave no room for."""
    rule = draw(st.sampled_from([one for one in law.elections if one.applies_when]))
    name = draw(st.sampled_from(sorted(rule.applies_when)))
    other = [one for one in options(law.rules[name]) if one not in rule.applies_when[name]]
    hangs_on = law.rules[name].applies_when
    pinned = pinned_for(draw, law, hangs_on) | {name: draw(st.sampled_from(other))}
    value = draw(legal(law, pinned_for(draw, law, rule.applies_when)))["elections"][rule.id]
    return _elects(draw(legal(law, pinned)), rule, value)


def an_unknown_wager(draw: Draw, law: Instrument) -> Slip:
    """Offer a wager that the text does not know: another text's, or nobody's."""
    unknown = [
        one
        for one in (*WAGERS, "streak", "lucky_six")
        if not any(rule_id.startswith(f"wagers.{one}") for rule_id in law.rules)
    ]
    name = f"wagers.{draw(st.sampled_from(unknown))}.{draw(st.sampled_from(['offered', 'pays']))}"
    tables = draw(legal(law))
    tables["elections"][name] = draw(st.sampled_from([True, "9:1"]))
    return Slip(tables, name, law.rules["wagers.permitted"].cites)


def an_unknown_scheme(draw: Draw, law: Instrument) -> Slip:
    """Set a rate of vigorish that the text does not know."""
    name = f"vigorish.{draw(st.sampled_from(['3_percent', '6_percent', 'scheme_2']))}"
    tables = draw(legal(law))
    tables["elections"][name] = draw(st.sampled_from(["3%", "5%"]))
    return Slip(tables, name, law.rules["vigorish.scheme"].cites)


# --- paytables ---------------------------------------------------------------------------------


def a_paytable_below_every_other(draw: Draw, law: Instrument) -> Slip:
    """Pay less on one line than every table of the law."""
    rule = law.rules["wagers.bonus.paytable"]
    tables = _printed(law, rule)
    table = dict(draw(st.sampled_from(tables)))
    line = draw(st.sampled_from(sorted(table)))
    least = min((one[line] for one in tables), key=lambda odds: odds.ratio)
    table[line] = Odds(least.pays * 10 - 1, least.stake * 10)
    return _elects(_with(draw, law, rule), rule, {name: str(odds) for name, odds in table.items()})


def a_paytable_that_is_not_printed(draw: Draw, law: Instrument) -> Slip:
    """Name a table that there is not, add a line, or leave one out; better one, if no better is."""
    rule = law.rules["wagers.bonus.paytable"]
    table = dict(draw(st.sampled_from(_printed(law, rule))))
    line = draw(st.sampled_from(sorted(table)))
    how = draw(st.sampled_from(["name", "line", "lack", *(["better"] if rule.one_of else [])]))
    match how:
        case "name":
            return _elects(_with(draw, law, rule), rule, "D")
        case "line":
            table["win_by_3"] = Odds(1, 1)
        case "lack":
            del table[line]
        case _:
            table[line] = Odds(table[line].pays + 1, table[line].stake)
    return _elects(_with(draw, law, rule), rule, {name: str(odds) for name, odds in table.items()})


def _printed(law: Instrument, rule: Rule) -> list[Mapping[str, Odds]]:
    named = {**rule.at_least_any, **rule.one_of}.values()
    printed = [law.rules[name].value for name in named]
    return [
        {line: odds for line, odds in table.items() if isinstance(odds, Odds)}
        for table in printed
        if isinstance(table, Mapping)
    ]


# --- what is tied together ---------------------------------------------------------------------


def a_clash(draw: Draw, law: Instrument) -> Slip:
    """Break one constraint: choose what it excludes, or not what it requires."""
    tie = draw(st.sampled_from(ties(law)))
    pinned = pinned_for(draw, law, tie.when)
    tables = draw(legal(law, pinned))
    name = draw(st.sampled_from(sorted({*tie.then, *counted(tie)})))
    rule = law.rules[name]
    breaking = [one for one in _values(rule) if broken(tie, pinned | {name: one})]
    value = draw(st.sampled_from(breaking))
    for chosen in tie.when:
        # What alone breaks it was mended when the rest was drawn.
        if law.rules[chosen].by != "layout":
            tables["elections"][chosen] = raw(law.rules[chosen], pinned[chosen])
    if rule.by == "layout":
        tables["table"]["seats"] = value
    else:
        tables["elections"][name] = raw(rule, value)
    return Slip(tables, _told_at(tie, name), tie.cites)


def _values(rule: Rule) -> tuple[Value, ...]:
    return options(rule) or tuple(ladder(rule))


def _told_at(tie: Constraint, name: str) -> str:
    """Return where a clash is told: at what is required, or at both that exclude each other."""
    if tie.kind is ConstraintKind.EXCLUDES:
        return f"{', '.join(tie.when)} with {', '.join(tie.then)}"
    return name


def seats_out_of_bounds(draw: Draw, law: Instrument) -> Slip:
    rule = law.rules["layout.seats"]
    tables = draw(legal(law, {"wagers.royal_9.offered": False}))
    tables["table"]["seats"] = ladder(rule)[-1] + draw(st.integers(1, 5))
    return Slip(tables, rule.id, rule.cites)


def a_doubt_not_acknowledged(draw: Draw, law: Instrument) -> Slip:
    entry = draw(st.sampled_from(_to_acknowledge(law)))
    tables = draw(legal(law))
    del tables["interpretations"][entry.id]
    return Slip(tables, f"interpretations.{entry.id}", law.cites(entry.rests))


def _to_acknowledge(law: Instrument) -> list[Any]:
    return [
        entry
        for entry in interpretations().values()
        if entry.acknowledge and entry.about(law.key, law.rules)
    ]


# --- limits, and what stands on the layout -----------------------------------------------------


def limits_of_no_wager_here(draw: Draw, law: Instrument) -> Slip:
    tables = draw(legal(law))
    wager = draw(st.sampled_from([*(one for one in WAGERS if one != "royal_9"), "streak"]))
    if wager in tables["limits"]:
        wager = "lucky_six"
    tables["limits"][wager] = [5, 500]
    return Slip(tables, f"limits.{wager}", law.rules["wagers.permitted"].cites)


def total_cards_of_an_odd_cent(draw: Draw, law: Instrument) -> Slip:
    """Let three to two be wagered on where it does not come out even."""
    tables = draw(legal(law, {"wagers.total_cards.offered": True}))
    tables["limits"]["four_cards"] = ["5.01", "500.00"]
    return Slip(tables, "limits.four_cards", law.rules["wagers.four_cards.pays"].cites)


def chairs_that_are_not_as_they_must(draw: Draw, law: Instrument) -> Slip:
    """Give a chair a suited King-9, one of another chair, no King-9 at all, or none."""
    rule = law.rules["wagers.royal_9.chairs"]
    tables = _with(draw, law, rule)
    chairs = list(tables["elections"][rule.id])
    at = draw(st.integers(0, 5))
    wrong = ["Ks 9s", "9d Kd", "Qs 9h", "Ks Kh", "Ks", "king nine", chairs[at - 1], None]
    value = draw(st.sampled_from(wrong))
    if value is None:
        del chairs[at]
    else:
        chairs[at] = value
    if draw(st.integers(0, 4)) == 0:
        chairs = [*tables["elections"][rule.id], next(o for o in KING_NINES if o not in chairs)]
    return _elects(tables, rule, chairs)


def a_royal_9_of_another_stake(draw: Draw, law: Instrument) -> Slip:
    tables = draw(legal(law, {"wagers.royal_9.offered": True}))
    tables["limits"]["royal_9"] = draw(st.sampled_from([[1, 5], [5, 25], [10, 10]]))
    return Slip(tables, "limits.royal_9", law.rules["wagers.royal_9.stake"].cites)


def a_share_of_a_fraction_of_a_cent(draw: Draw, law: Instrument) -> Slip:
    """Let a meter grow by what is no whole number of cents of a five-dollar stake."""
    rules = [rule for rule in law.elections if rule.id.endswith(".increment")]
    rule = draw(st.sampled_from(rules))
    return _elects(_with(draw, law, rule), rule, draw(st.sampled_from(["1/3", "1/499", "1/1000"])))


def a_meter_that_cannot_be_hit(draw: Draw, law: Instrument) -> Slip:
    rule = law.rules[f"{STAX}.must_hit_by"]
    tables = _with(draw, law, rule)
    cents = draw(st.integers(0, 100_000))
    tables["elections"][f"{STAX}.seed"] = dollars(cents)
    return _elects(tables, rule, dollars(draw(st.integers(0, cents))))


Maker = Callable[[Draw, Instrument], Slip]

SLIPS: Final[tuple[tuple[Maker, Callable[[Instrument], object]], ...]] = (
    (outside_the_choices, lambda law: any(rule.choices for rule in law.elections)),
    (two_choices_at_once, lambda law: _elections(law, Kind.WORD)),
    (missing, lambda law: law.elections),
    (of_another_kind, lambda law: law.elections),
    (out_of_bounds, lambda law: _elections(law, Kind.COUNT, Kind.RATE, Kind.ODDS)),
    (more_decks_than_any_table_holds, lambda law: _open_ended(law, "decks")),
    (what_is_settled, lambda law: law.rules),
    (what_does_not_apply, lambda law: any(rule.applies_when for rule in law.elections)),
    (an_unknown_wager, lambda law: "wagers.permitted" in law.rules),
    (an_unknown_scheme, lambda law: "vigorish.scheme" in law.rules),
    (a_paytable_below_every_other, lambda law: "wagers.bonus.paytable" in law.rules),
    (a_paytable_that_is_not_printed, lambda law: "wagers.bonus.paytable" in law.rules),
    (a_clash, ties),
    (seats_out_of_bounds, lambda law: "layout.seats" in law.rules),
    (a_doubt_not_acknowledged, _to_acknowledge),
    (limits_of_no_wager_here, lambda law: "wagers.permitted" in law.rules),
    (total_cards_of_an_odd_cent, lambda law: "wagers.total_cards.offered" in law.rules),
    (chairs_that_are_not_as_they_must, lambda law: "wagers.royal_9.chairs" in law.rules),
    (a_royal_9_of_another_stake, lambda law: "wagers.royal_9.stake" in law.rules),
    (a_share_of_a_fraction_of_a_cent, lambda law: "wagers.royal_9.stake" in law.rules),
    (a_meter_that_cannot_be_hit, lambda law: f"{STAX}.must_hit_by" in law.rules),
)
"""Every sort of slip, and in which texts it can be made."""


def _open_ended(law: Instrument, rule_id: str) -> bool:
    return rule_id in law.rules and law.rules[rule_id].at_least is not None


@st.composite
def slipped(draw: Draw, law: Instrument, maker: Maker) -> Slip:
    """Draw a legal submission of a text with one slip of some sort in it."""
    return maker(draw, law)
