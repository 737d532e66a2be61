"""A sheet for each act, from its class, functions, and law: who, what, and clauses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from inspect import getdoc
from types import CodeType, FunctionType
from typing import Any, Final

from croupier.acts.command import TERMS, CommandTerms
from croupier.acts.fields import label_of, sight_of
from croupier.acts.roles import POSTED, SEATED, Role
from croupier.acts.sheet import ActSheet, ActStep, EnteredField
from croupier.law.cite import cited_rules
from croupier.law.model import Instrument, Rule
from croupier.law.sight import Sight
from croupier.law.values import Kind
from croupier.law.wording import condition_in_words
from croupier.table.machine.core import deciders
from croupier.table.people.duty import terms_of


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})", re.IGNORECASE)


_DONE: Final[Mapping[str, re.Pattern[str]]] = {
    "said": _words(
        r"announc(?!ement)|calls?\b|called|tells?\b|told|asks?\b|asked|offers?\b|offered (?:to|the)"
        r"|inform|(?<!no )verbal"
    ),
    "shown": _words(
        r"show|display|spread|(?<!found )face[ -]up|visib|view|inspect(?!ion)|expos"
        r"|turned (?:over|up)|presence|before the signing"
    ),
    "placed": _words(
        r"places?\b|(?<!wager )placed|put |insert|stacked|stack(?= into|,)|loads?\b|discarded"
        r"|discards?\b(?! rack may)|drop box|removed|returns?\b|returned|deposit|marker|are burned"
        r"|(?:wagers are|losers) collected"
    ),
}
"""What a clause has done, by the words of its paraphrase: a hint for readers, not a reading."""

# Player with a capital letter is a hand.
_PATRON: Final = re.compile(r"\b(?:[Pp]articipants?|[Pp]atrons?|players?|Players)\b")


def act_sheets(law: Instrument) -> tuple[ActSheet, ...]:
    sheets = (act_sheet(terms, law) for terms in TERMS.values())
    return tuple(sheet for sheet in sheets if sheet.steps or sheet.house)


def act_sheet(terms: CommandTerms, law: Instrument) -> ActSheet:
    terms = terms_of(terms.command.__name__, law, law.rules)
    named = law.usage.named
    decider, rule_ids = deciders()[terms.command]
    names = dict.fromkeys((terms.rule, *rule_ids, *_named_in(decider)))
    rules = [law.rules[name] for name in names if name in law.rules]
    steps = {
        clause: _step(rule, clause, law)
        for rule in reversed(rules)
        for clause in rule.cites
        if clause in law.clauses
    }
    spoken = (rule.value for rule in rules if rule.kind is Kind.WORDS and rule.id[:8] == "announce")
    return ActSheet(
        terms.command.__name__,
        named(terms.plain_title),
        named((getdoc(terms.command) or "").replace("``", "")),
        terms.group,
        terms.house,
        tuple(map(named, map(str, terms.does))),
        tuple(map(named, map(str, terms.together))),
        terms.apart,
        tuple(_entered(terms, named)),
        tuple(str(words) for words in spoken if words),
        tuple(steps[clause] for clause in law.clauses if clause in steps),
    )


def _step(rule: Rule, clause: str, law: Instrument) -> ActStep:
    says = law.clauses[clause].says
    verbs = tuple(name for name, words in _DONE.items() if words.search(says))
    offices = map(law.usage.named, map(str, (*POSTED, *SEATED)))
    persons = [
        name for name in offices if (_PATRON if name == Role.PATRON else _words(name)).search(says)
    ]
    condition = condition_in_words(rule.applies_when, law)
    return ActStep(clause, law.speak(clause), rule.id, says, verbs, tuple(persons), condition)


def _entered(terms: CommandTerms, named: Callable[[str], str]) -> Iterator[EnteredField]:
    for name in terms.command.__struct_fields__:
        sight = sight_of(terms.command, name)
        seen_by = tuple(named(str(role)) for role in POSTED if sight in role.office.sees)
        if sight in {Sight.OPEN, Sight.PARTS, Sight.CARD}:
            seen_by = ("everyone",) if sight is not Sight.CARD else ("everyone once it is open",)
        elif len(seen_by) == len(POSTED):
            seen_by = ("the staff",)
        yield EnteredField(named(label_of(terms.command, name)), seen_by)


@cache
def _named_in(function: Callable[..., Any]) -> tuple[str, ...]:
    reached: dict[FunctionType, None] = {}
    queue: list[object] = [function]
    while queue:
        one = queue.pop(0)
        if not isinstance(one, FunctionType) or one in reached:
            continue
        if one.__module__.startswith("croupier.table."):
            reached[one] = None
            queue += [
                one.__globals__.get(name) for code in _codes(one.__code__) for name in code.co_names
            ]
    every = (value for one in reached for code in _codes(one.__code__) for value in code.co_consts)
    values = (part for value in every for part in (value if isinstance(value, tuple) else (value,)))
    names = {f"{one.__module__.removeprefix('croupier.')}.{one.__qualname__}" for one in reached}
    rule_ids = (rule for rule, citers in cited_rules().items() if not names.isdisjoint(citers))
    return tuple(dict.fromkeys((*rule_ids, *(text for text in values if isinstance(text, str)))))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
