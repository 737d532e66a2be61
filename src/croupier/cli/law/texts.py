"""``croupier law list``, ``show``, ``acts``, and ``search``: the regulations and their content."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from inspect import getdoc
from typing import Final, NamedTuple

import click
from msgspec import to_builtins

from croupier.acts.command import TERMS
from croupier.acts.sheet import ActSheet
from croupier.cli.common.arguments import as_of_option, head, text_named, texts_named
from croupier.cli.common.files import document_options, give
from croupier.cli.common.output import command_line, fail
from croupier.cli.law.coverage import implementations
from croupier.cli.law.documents import (
    ActSheets,
    ClauseOfLaw,
    ConstraintShown,
    EntryShown,
    Found,
    FoundHelp,
    LawList,
    LawSearch,
    LawTextShown,
    RuleOfLaw,
)
from croupier.files.errors import did_you_mean
from croupier.law.coverage import Names, listed_commands, listed_events, listed_tests
from croupier.law.elect import what_is_checked
from croupier.law.interpretations import registered
from croupier.law.model import Clause, Instrument, Rule, is_entry
from croupier.law.resolve import AsOf, instruments
from croupier.law.standing import clause_standing, entries_of_clause, entries_of_rule, rule_standing
from croupier.law.values import Kind, canonical
from croupier.law.wording import condition_in_words, rule_in_words, stood_in
from croupier.reports.law import law_list_tree
from croupier.reports.law_show import act_sheets_tree, law_tree, search_tree
from croupier.rules.documents import fields_of, made


@click.command("list", short_help="List the regulations.")
@document_options()
def list_texts(output_format: str) -> None:
    """List the regulations, and when each is known to have been in force."""
    list_data: LawList = {
        "format": "croupier-law-list/1",
        **made(command_line()),
        "laws": [{**head(text), "clauses": len(text.clauses)} for text in instruments()],
    }
    give(list_data, law_list_tree, output_format)


@click.command("show", short_help="Show a regulation, or some of its clauses.")
@click.argument("law_id", metavar="ID")
@click.argument("clause", required=False)
@as_of_option
@click.option("--all", "every", is_flag=True, help="Show the clauses below CLAUSE in full too.")
@click.option("--code", is_flag=True, help="Name the functions, commands, events, and tests.")
@document_options()
def show(  # noqa: PLR0913  (the options of the command)
    law_id: str,
    clause: str | None,
    as_of: AsOf | None,
    output_format: str,
    *,
    every: bool,
    code: bool,
) -> None:
    """Show a regulation, or the clauses of it that CLAUSE names.

    Name the day: place/game@2001-01-16 or place/game@latest, or --as-of. CLAUSE is a clause id with
    or without its prefix, the beginning of one (7.5(f) selects every clause of 7.5(f)), or the
    printed citation. It may also be a rule id, which selects the clauses that the rule cites. Each
    clause is shown with its rules, every entry of the register that they depend on with its
    alternatives, and what people check outside the table. If CLAUSE says something itself, clauses
    below it are listed. JSON has all of every clause. A clause may stand alone, with its prefix or
    as printed: the newest text that has it is used.
    """
    if clause is None and "/" not in law_id and (laws := _laws_with(law_id)):
        law_id, clause = laws[-1].id if as_of else laws[-1].key, law_id
    text = text_named(law_id, as_of)
    chosen = [one for one in text.clauses.values() if clause is None or is_named(text, one, clause)]
    if not chosen and clause is not None and clause in text.rules:
        chosen = [text.clauses[name] for name in text.rules[clause].cites if not is_entry(name)]
    rule = None if clause is None else text.rules.get(clause)
    if not chosen and rule is None:
        hint = did_you_mean(str(clause), _names(text))
        fail(f"{text.id} of {text.in_force_from} has no clause {clause!r} and no such rule{hint}")
    own_ids = {item.id for item in chosen if every or clause is None or _is_own(text, item, clause)}
    # A paragraph without a statement of its own is all below it.
    other_ids = {item.id for item in chosen if item.id not in own_ids} if own_ids else ()
    tree = partial(law_tree, below=other_ids, code=code)
    give(_document(text, chosen, clause), tree, output_format)


def _laws_with(clause: str) -> list[Instrument]:
    """Texts that have a clause, oldest first; none if they are those of several regulations."""
    texts = [
        text
        for text in instruments()
        if any(is_named(text, item, clause) for item in text.clauses.values())
    ]
    texts.sort(key=lambda text: text.in_force_from)
    return texts if len({text.id for text in texts}) == 1 else []


def _document(text: Instrument, clauses: Sequence[Clause], clause: str | None) -> LawTextShown:
    rules = _rules_of(text, clauses, clause)
    ids = {item.id for item in clauses}
    constraints = [limit for limit in text.constraints if clause is None or ids & {*limit.cites}]
    listed_carriers = _Listed(
        implementations(), listed_commands(), listed_events(), listed_tests().get(text.key, {})
    )
    names = [name for item in clauses for name in entries_of_clause(text, item.id)]
    names += [name for rule in rules for name in entries_of_rule(text, rule)]
    return {
        "format": "croupier-law/1",
        **made(command_line()),
        **head(text),
        "asked": clause,
        "citation": text.citation,
        "source": dict(text.source),
        "mechanisms": {
            name: f"{mechanism.package} {mechanism.version}, SHA-256 {mechanism.sha256}"
            for name, mechanism in text.mechanisms.items()
        },
        "clauses": [_clause_data(text, item, listed_carriers) for item in clauses],
        "rules": [rule_data(rule, text) for rule in rules],
        "constraints": [fields_of(ConstraintShown, constraint) for constraint in constraints],
        "interpretations": [
            fields_of(EntryShown, text.register[name]) for name in dict.fromkeys(names)
        ],
    }


def _names(text: Instrument) -> Iterator[str]:
    for clause in text.clauses:
        name = clause.partition(":")[2]
        # The section, the subsection, and the clause itself.
        for pattern in (r"[^(#_]+", r"[^(#]+\(\w+\)", r".+"):
            if match := re.match(pattern, name):
                yield match[0]
    yield from text.rules


def is_named(text: Instrument, clause: Clause, pattern: str) -> bool:
    """``pattern`` is an id, with or without the prefix of the text, or a printed citation."""
    return any(_begins(name, _bare(pattern)) for name in _names_of(text, clause))


def _is_own(text: Instrument, clause: Clause, pattern: str) -> bool:
    number = _bare(pattern).partition("#")[0]
    return any(name.partition("#")[0] == number for name in _names_of(text, clause))


def _names_of(text: Instrument, clause: Clause) -> list[str]:
    printed_name = text.speak(clause.id)
    # Its title may be left out: 19:47-7.5(e).
    number = re.sub(r"^\D*(\d+ \D+)?", "", printed_name)
    return [_bare(name) for name in (clause.id, clause.id.partition(":")[2], printed_name, number)]


def _bare(name: str) -> str:
    return re.sub(r"[\s.,]*\bsections?\b|§|\s+", "", name)


def _begins(name: str, pattern: str) -> bool:
    if not name.startswith(pattern):
        return False
    next_letter = name[len(pattern) :][:1]
    # 7.1 does not select 7.10, nor does 3.i select 3.ii.
    return not (pattern[-1:].isalnum() and next_letter.isalnum())


def _rules_of(text: Instrument, clauses: Iterable[Clause], query: str | None) -> tuple[Rule, ...]:
    ids = {clause.id for clause in clauses}
    return tuple(
        rule
        for rule in text.rules.values()
        if query in {None, rule.id} or ids.intersection(rule.cites)
    )


class _Listed(NamedTuple):
    """Functions by rule; commands, events, and tests by clause."""

    functions: Names
    commands: Names
    events: Names
    tests: Names


def _clause_data(text: Instrument, clause: Clause, listed: _Listed) -> ClauseOfLaw:
    carriers = [rule.id for rule in text.implemented_by[clause.id]]
    functions = (name for carrier in carriers for name in listed.functions.get(carrier, ()))
    commands = [name for name, terms in TERMS.items() if terms.rule in carriers]
    return {
        "id": clause.id,
        "citation": text.speak(clause.id),
        "class": clause.clause_class.value,
        "says": clause.says,
        "disposition": text.disposition(clause.id).value,
        "standing": clause_standing(text, clause.id).value,
        "reason": clause.reason,
        "outside": what_is_checked(clause),
        "interpretations": list(entries_of_clause(text, clause.id)),
        "implemented_by": carriers,
        "functions": list(dict.fromkeys(functions)),
        "commands": sorted({*commands, *listed.commands.get(clause.id, ())}),
        "events": list(listed.events.get(clause.id, ())),
        "tests": list(listed.tests.get(clause.id, ())),
    }


def rule_data(rule: Rule, text: Instrument) -> RuleOfLaw:
    text_of_rule = stood_in(rule) + rule_in_words(rule, text.usage)
    if rule.applies_when:
        text_of_rule += f" (when {condition_in_words(rule.applies_when, text)})"
    is_open = rule.value is None and rule.kind is not Kind.PROCEDURE
    return fields_of(
        RuleOfLaw,
        rule,
        standing=rule_standing(text, rule).value,
        does=rule.does or None,
        value=None if rule.value is None else canonical(rule.value),
        open=rule.left_open if is_open else None,
        applies_when={
            name: [canonical(value) for value in values]
            for name, values in rule.applies_when.items()
        },
        in_words=text_of_rule,
        interpretations=list(entries_of_rule(text, rule)),
    )


@click.command("acts", short_help="Show who does an act, and what is said, shown, and placed.")
@click.argument("act", required=False)
@click.option("--law", "law_id", metavar="ID", help="One regulation (default: all included).")
@document_options()
def show_acts(act: str | None, law_id: str | None, output_format: str) -> None:
    """Show a sheet for each act: who gives it, who consents, what is entered and who sees it, the
    words to speak, and every clause that it carries out or is checked against, in the
    regulation's order.

    ACT is a command, such as ShuffleCards, or a word of its title or group: shuffle, chips. A
    clause is marked as said, shown, or placed, and with persons, by words of its paraphrase alone.
    """  # noqa: D205  (the command's help is its first paragraph)
    from croupier.table.machine.act_sheets import act_sheets  # noqa: PLC0415  (the whole table)

    sheets: ActSheets = {"format": "croupier-act-sheets/1", **made(command_line()), "laws": []}
    for text in texts_named(law_id):
        acts = [sheet for sheet in act_sheets(text) if act is None or _is_asked(act, sheet)]
        if acts:
            sheets["laws"].append({**head(text), "acts": to_builtins(acts)})
    if not sheets["laws"]:
        fail(f"no act is named {act!r}{did_you_mean(str(act), TERMS)}; all: croupier law acts")
    give(sheets, act_sheets_tree, output_format)


def _is_asked(asked_name: str, sheet: ActSheet) -> bool:
    return asked_name.lower() in {sheet.act.lower(), sheet.group, *sheet.title.lower().split()}


_SYNONYMS: Final = (
    ("vigorish", "commission"),
    ("coup", "round", "hand"),
    ("rack", "tray", "inventory"),
    ("burn", "burned", "burning"),
    ("cut", "cutting"),
    ("payout", "pay", "paid", "odds"),
    ("bet", "wager", "stake"),
    ("seed", "meter", "jackpot", "progressive"),
    ("curator", "shoe"),
    ("void", "canceled", "returned"),
    ("exposed", "disclosed", "face-up"),
    ("mistake", "error", "misdeal", "irregularity"),
    ("supervisor", "floorperson", "floor", "pit"),
    ("draw", "third", "tableau"),
    ("turn", "squeeze", "peek"),
    ("shuffler", "device", "machine"),
    ("damaged", "broken", "bent", "torn", "marked"),
    ("surplus", "foreign", "counterfeit", "wrong"),
    ("surveillance", "camera"),
    ("owed", "unpaid", "debt", "documented"),
    ("away", "absent", "walk-out", "walked"),
)
"""Words of the trade that a regulation may use for one another."""

_FILLERS: Final = re.compile(r"an?|if|is|the|what|when|who")
"""Words that say nothing of the subject."""
_MOST: Final = 60


@click.command("search", short_help="Find clauses, rules, readings, and acts by words.")
@click.argument("words", nargs=-1, required=True)
@click.option("--law", "law_id", metavar="ID", help="One regulation (default: all included).")
@document_options()
def search_law(words: Sequence[str], law_id: str | None, output_format: str) -> None:
    """Find what contains WORDS, or what a citation names.

    Words are compared by their beginnings and by synonyms of the trade: commission finds vigorish.
    A printed citation finds its clauses. The best matches come
    first. Exit status: 2 if nothing is found.
    """
    texts = texts_named(law_id)
    query = " ".join(words)
    hits, unknown = [*cited(query, texts)], list[str]()
    matches = len(hits)
    if not hits:
        patterns = alike(query)
        scores: Iterator[Found] = (
            {**hit, "score": score(hit["id"], hit["says"], patterns.values())}
            for hit in candidates(texts)
        )
        ranked_hits = sorted(scores, key=lambda item: (-item["score"], len(item["says"])))
        top = ranked_hits[0]["score"] if ranked_hits else 0
        # A match of fewer words is shown only if no other has more than one of them.
        hits = [item for item in ranked_hits if item["score"] and item["score"] * 2 > top]
        unknown = unmatched(patterns, hits)
        matches, hits = len(hits), hits[:_MOST]
    if not hits:
        fail(f"nothing contains {query!r}: try fewer words, or croupier law list")
    document: LawSearch = {
        "format": "croupier-law-search/1",
        **made(command_line()),
        "words": [*words],
        "unknown": unknown,
        "matches": matches,
        "found": hits,
    }
    give(document, search_tree, output_format)


def alike(query: str) -> dict[str, re.Pattern[str]]:
    all_words = dict.fromkeys(re.findall(r"\w[\w-]*", query.lower()))
    words = [word for word in all_words if not _FILLERS.fullmatch(word)] or [*all_words]
    beginnings = {word: "|".join(map(re.escape, _synonyms(word))) for word in words}
    return {word: re.compile(rf"\b(?:{begin})") for word, begin in beginnings.items()}


def unmatched(
    patterns: Mapping[str, re.Pattern[str]], hits: Sequence[Found | FoundHelp]
) -> list[str]:
    if any(hit["score"] == len(patterns) for hit in hits):
        return []
    return [
        word
        for word, pattern in patterns.items()
        if not any(score(hit["id"], hit["says"], [pattern]) for hit in hits)
    ]


def _synonyms(word: str) -> tuple[str, ...]:
    stem = word if len(word) < 5 else re.sub(r"(ing|ed|es|s)$", "", word)
    group = next((synonym for synonym in _SYNONYMS if word in synonym or stem in synonym), ())
    return (stem, *group)


def score(name: str, line: str, patterns: Iterable[re.Pattern[str]]) -> int:
    # A command is found by any of its words.
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    text = f"{name} {words} {line}".lower()
    return sum(pattern.search(text) is not None for pattern in patterns)


def cited(query: str, texts: Sequence[Instrument]) -> Iterator[Found]:
    if not re.search(r"\d", query):
        return
    for text in texts:
        for clause in text.clauses.values():
            if is_named(text, clause, query):
                yield _found("clause", text.key, clause.id, clause.says)


def candidates(texts: Sequence[Instrument]) -> Iterator[Found]:
    from croupier.records.codec import EVENTS  # noqa: PLC0415  (all acts, to search in)

    for text in texts:
        for clause in text.clauses.values():
            yield _found("clause", text.key, clause.id, clause.says)
        for rule in text.rules.values():
            line = f"{rule.title}: {rule_in_words(rule, text.usage)}"
            yield _found("rule", text.key, rule.id, line)
    for entry in registered(texts).values():
        line = f"{entry.title}: {entry.problem} {entry.says(entry.reading)}"
        yield _found("reading", None, entry.id, line)
    for name, terms in TERMS.items():
        yield _found("command", None, name, terms.plain_title)
    for name, event in EVENTS.items():
        says = " ".join((getdoc(event) or "").partition("\n\n")[0].split())
        yield _found("event", None, name, says.replace("``", ""))


def _found(kind: str, law: str | None, name: str, line: str) -> Found:
    return {"kind": kind, "law": law, "id": name, "says": line, "score": 1}
