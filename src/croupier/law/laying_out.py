"""Drafts of law files: of a new regulation, and of an amended one.

A new file has the contract of every rule as a question, without a single answer. Rules of a model
law are copied without citations, so that the file is refused until each is compared with the new
text. Other rules are comments. An amended file is a full copy with ``# AMEND:`` review marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final

from croupier.files.toml import parse_toml, toml_key, toml_value
from croupier.law.contracts import Contract, contracts
from croupier.law.faults import LawError
from croupier.law.interpretations import interpretations, reading_ids
from croupier.law.model import Instrument, section
from croupier.law.resolve import rule_titles
from croupier.law.values import Kind, parse_value, written
from croupier.law.wording import comment

SCHEMA_FILE: Final = "law-file.schema.json"
"""Name of the JSON Schema file next to a law file, for editors."""

_EXAMPLES: Final[Mapping[Kind, Any]] = {
    Kind.COUNT: 6,
    Kind.MONEY: "0.05",
    Kind.ODDS: "8:1",
    Kind.RATE: "5%",
    Kind.FLAG: True,
    Kind.TABLE: 0,
    Kind.PAYTABLE: "1:1",
    Kind.AWARDS: "25.00",
    Kind.ORDER: ["dealer"],
    Kind.GROUPS: [["a", "b"]],
}
"""A value of each kind; for a table, of each row."""
_OF_MODEL: Final = ("cites", "cites_by", "standing", "may_be_left_out", "value_by_reading")
"""Keys that concern the text of the model alone."""


def new_law(model: Instrument, source: str, law_id: str, on: date) -> str:
    """Return a draft law file of another regulation. ``source`` is the file of ``model``."""
    tables = parse_toml(source, Path(model.key)).tables
    had = {table["id"]: table for table in tables["rule"]}
    lines = [
        *_head(model, law_id, on, tables.get("currency")),
        *(
            f"\n[[mechanism]]\nid = {toml_value(used.name)}\npackage = {toml_value(used.package)}"
            for used in model.mechanisms.values()
        ),
        *(line for table in had.values() for line in _of_model(table)),
        *comment(f"Rules that {model.key} does not have.", ""),
        *(
            line
            for rule, title in rule_titles().items()
            if rule in contracts().rules and rule not in had
            for line in _missing(rule, title)
        ),
        *comment(f"Relations between elections that {model.key} has.", ""),
        *(line for table in tables.get("constraint", ()) for line in _constraint(table)),
    ]
    return "\n".join(lines) + "\n"


def new_register() -> str:
    """Draft register: the readings that the program may ask for, as comments."""
    lines = [*comment("Readings of what the laws of this folder leave in doubt.", "")]
    ids = reading_ids(interpretations())
    for name, reading in contracts().readings.items():
        entry = interpretations()[ids[name]]
        lines += ["", *comment(f"{entry.title}. Needed if {' or '.join(reading.when)}.")]
        lines += [line for answer in entry.readings.items() for line in comment(": ".join(answer))]
        lines += [
            "#[[interpretation]]",
            f'#id = "X-{entry.id}"',
            f"#name = {toml_value(name)}",
            f"#title = {toml_value(entry.title)}",
            '#problem = "..."',
            f"#reading = {toml_value(entry.reading)}",
            f"#rests = {toml_value(entry.rests)}",
            f"#readings = {toml_value({entry.reading: entry.readings[entry.reading]})}",
        ]
    return "\n".join(lines) + "\n"


def _head(
    model: Instrument, law_id: str, on: date, currency: Mapping[str, Any] | None
) -> Iterator[str]:
    yield f"#:schema {SCHEMA_FILE}"
    yield from comment(
        f"Draft of {law_id} as of {on}, laid out from {model.key}. Write a clause for each "
        "statement of the text, in your own words. Then answer each rule: keep it, change it, or "
        "delete it, and cite its clauses. The file is refused until no rule is without a citation: "
        "croupier law check FILE"
    )
    prefix = re.sub(r"[^A-Z0-9]+", "-", law_id.upper()).strip("-")
    yield from ("", "[instrument]")
    for key, value in {
        "id": law_id,
        "title": "...",
        "authority": "...",
        "citation": "... ",
        "clause_prefix": prefix,
        "in_force_from": on,
        "in_force_known": on,
        "observed_on": on,
        "partial": False,
        "amended": [on],
        "note": "...",
    }.items():
        yield f"{key} = {toml_value(value)}"
    keys = currency or {"code": "USD", "sign": "$", "decimals": 2}
    sign = "" if currency else "#"
    yield from ("", f"{sign}[currency]")
    yield from (f"{sign}{key} = {toml_value(value)}" for key, value in keys.items())
    yield from ("", "#[[clause]]", f'#id = "{prefix}:1"', '#says = "..."', '#class = "A"')


def _of_model(table: Mapping[str, Any]) -> Iterator[str]:
    rule_id = table["id"]
    yield from _question(rule_id, table["title"], contracts().rules.get(rule_id))
    yield "[[rule]]"
    for key, value in table.items():
        if key not in _OF_MODEL:
            yield f"{toml_key(key)} = {toml_value(value)}"
        if key == "title":
            yield "cites = []"


def _missing(rule_id: str, title: str) -> Iterator[str]:
    contract = contracts().rules[rule_id]
    yield from _question(rule_id, title, contract)
    yield "#[[rule]]"
    yield f"#id = {toml_value(rule_id)}"
    yield f"#kind = {toml_value(contract.kind.value)}"
    yield '#title = "..."'
    yield "#cites = []"
    if contract.by != "licensee":
        yield f"#by = {toml_value(contract.by)}"
    if contract.kind is not Kind.PROCEDURE:
        notation = "value" if contract.fixed or contract.by == "licensee" else "at_least"
        yield f"#{notation} = {toml_value(_example(contract))}"


def _example(contract: Contract) -> Any:
    if contract.only is not None:
        return contract.only
    if contract.words:
        return [contract.words[0]] if contract.kind is Kind.ORDER else contract.words[0]
    word, _, words = contract.pattern.partition("|")
    example = word if words else _EXAMPLES.get(contract.kind, "...")
    if contract.kind in {Kind.TABLE, Kind.PAYTABLE, Kind.AWARDS}:
        return dict.fromkeys(contract.rows or ("win",), example)
    return example


def _constraint(table: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", "#[[constraint]]")
    for key, value in table.items():
        yield f"#{toml_key(key)} = {toml_value([] if key == 'cites' else value)}"


def _question(rule_id: str, title: str, contract: Contract | None) -> Iterator[str]:
    yield ""
    yield from comment(f"{rule_id}: {title}")
    if contract is not None:
        yield from comment(contract_in_words(contract))


def contract_in_words(contract: Contract) -> str:
    """Return what a contract permits, and what needs the rule.

    >>> contract_in_words(contracts().rules["burn.count"])
    'procedure; needed by deal, rounds unless device = continuous or burn.fixed'
    """
    parts = [contract.kind.value]
    if contract.words:
        parts.append(
            f"one of: {', '.join(written(contract.kind, value) for value in contract.allowed)}"
        )
    if contract.only is not None:
        parts.append(f"only {written(contract.kind, parse_value(contract.kind, contract.only))}")
    if contract.rows:
        parts.append(f"rows {', '.join(contract.rows)}")
    if contract.fixed:
        parts.append("cannot be left open")
    if contract.by != "licensee":
        parts.append(f"by {contract.by}")
    if contract.needed_by:
        condition = f" if {' or '.join(contract.when)}" if contract.when else ""
        exception = f" unless {' or '.join(contract.unless)}" if contract.unless else ""
        parts.append(f"needed by {', '.join(contract.needed_by)}{condition}{exception}")
    return "; ".join(parts)


MARK: Final = "# AMEND:"
"""Prefix of the comment above a place that needs review."""


def lay_out(text: Instrument, source: str, on: date) -> str:
    if on <= text.in_force_known:
        raise LawError(
            f"{text.key} is known to have been in force until {text.in_force_known}: an "
            f"amendment must come into force after that date, not on {on}"
        )
    lines = source.splitlines()
    if not {"[instrument]", "[[clause]]", f"in_force_from = {text.in_force_from}"} <= {*lines}:
        lines = [*_in_tables(parse_toml(source, Path(text.key)).tables)]
    start = lines.index("[instrument]")
    end = next(number for number in range(start + 1, len(lines)) if lines[number].startswith("[["))
    # Comments above the first table belong to it.
    while not lines[end - 1] or lines[end - 1].startswith("#"):
        end -= 1
    new_lines = [
        *_opening(text, on),
        *_amended_head(lines[start:end], text, on),
        *_order(on),
        *_body(lines[end:], text),
    ]
    return "\n".join(new_lines) + "\n"


def _in_tables(tables: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a law file in the notation of tables, whatever its own is."""
    for name, table in {"instrument": tables["instrument"], **tables}.items():
        for block in table if isinstance(table, list) else [table]:
            yield f"[[{name}]]" if isinstance(table, list) else f"[{name}]"
            yield from (f"{toml_key(key)} = {toml_value(value)}" for key, value in block.items())
            yield ""


def _opening(text: Instrument, on: date) -> Iterator[str]:
    yield f"# {text.title}, as amended on {on}; laid out from {text.key}."
    yield f"# Compare each place below {MARK.removeprefix('# ')} with the new text, then delete it."
    entry_ids = [entry.id for entry in text.register.values() if text.key in entry.laws]
    if entry_ids:
        yield f"{MARK} the register names {text.key} in {', '.join(entry_ids)}: add {text.id}@{on}"
        yield "# there if the doubt remains."
    yield ""


def _amended_head(lines: Sequence[str], text: Instrument, on: date) -> Iterator[str]:
    new = {"in_force_from": on, "in_force_known": on, "observed_on": max(on, text.observed_on)}
    marks = {
        "in_force_known": "the last date on which this text is known to have been in force",
        "observed_on": "the date on which the source was read",
        "partial": "whether the text is complete",
        "note": "what a reader should know about the source",
    }
    listing = False
    for line in lines:
        key = line.partition(" = ")[0]
        if key in marks:
            yield f"{MARK} {marks[key]}"
        listing |= key == "amended"
        if listing and line.endswith("]"):
            listing = False
            days = line.removesuffix("]")
            if days:
                yield days if days.endswith(("[", ",")) else f"{days},"
            yield f"  {on},"
            yield "]"
        else:
            yield f"{key} = {new[key]}" if key in new else line


def _order(on: date) -> Iterator[str]:
    # The contents of the amendment are unknown here.
    yield f"{MARK} what the text says about this amendment; omit if nothing"
    yield "# [[amendment]]"
    yield f"# on = {on}"
    yield '# sections = ["..."]'
    yield '# by = "the order, as people cite it"'
    yield '# note = "what changed, paraphrased"'


def _body(lines: Iterable[str], text: Instrument) -> Iterator[str]:
    places: set[str] = set()
    block: list[str] = []
    for line in lines:
        if line == "[[clause]]":
            block.append(line)
            continue
        match = re.fullmatch(r"""id = (["'])(.+)\1""", line)
        clause = text.clauses.get(match[2].replace('\\"', '"')) if block and match else None
        if clause is not None:
            place = section(clause.id)
            if place not in places:
                places.add(place)
                yield (
                    f"{MARK} {text.citation}{place}: clauses added, changed, removed, or renumbered"
                )
            if clause.interpretations:
                yield f"{MARK} does {', '.join(clause.interpretations)} still stand?"
        yield from block
        block.clear()
        yield line
