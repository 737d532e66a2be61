"""Rules submissions and tables named by options, and elections as options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import click
from msgspec import Struct
from msgspec.structs import replace

from croupier.cli.common.arguments import as_of_option, text_named
from croupier.cli.common.files import input_file
from croupier.cli.common.output import (
    command_line,
    fail,
    fail_with,
    keep,
    kept,
    kept_option,
    option_group,
    print_text,
)
from croupier.files.errors import FileError
from croupier.files.toml import parse_toml
from croupier.files.version import program_version
from croupier.law.elect import SubmissionError, by_hand
from croupier.law.faults import LawError
from croupier.law.interpretations import acknowledged
from croupier.law.model import Instrument, Rule
from croupier.law.resolve import AsOf
from croupier.law.usage import under
from croupier.law.values import Kind
from croupier.odds.shoe import ShoeComposition, ShoeError, parse_shoe
from croupier.rules import (
    CustomWagerError,
    MalformedSubmissionError,
    Offer,
    TableRules,
    default_submission,
    read_rules,
    table_rules,
    with_limits,
)
from croupier.rules.documents import PROGRAM

_CURRENCY: Final = "croupier.currency"


def in_currency_of(rules: TableRules) -> TableRules:
    """Return rules; amounts are in their currency until the command ends.

    Exits with status 2 if the command has rules of another currency: amounts would not compare.
    """
    context = click.get_current_context()
    last_currency, currency = context.meta.get(_CURRENCY), rules.law.currency
    if last_currency is None:
        context.meta[_CURRENCY] = currency
        context.with_resource(under(rules.law.usage))
    elif last_currency != currency:
        fail(f"amounts in {last_currency.code} and in {currency.code}: name tables of one currency")
    return rules


def other_shoe(decks: int | None) -> list[str]:
    """Return what calculates with decks that are refused as an election."""
    if decks is None:
        return []
    return [f"for the figures of a shoe that no table may have, use --shoe {decks}, not --decks"]


def rules_of(path: Path) -> TableRules:
    try:
        return in_currency_of(read_rules(path))
    except (FileError, MalformedSubmissionError) as error:
        fail_with(f"{path} is not a valid rules submission", error.errors)
    except SubmissionError as error:
        fail_with(f"{path} is refused", error.errors)


def table_of(path: Path) -> TableRules:
    return playable(rules_of(path), path)


def priced_of(path: Path) -> TableRules:
    """Return rules under which wagers can be priced and given rounds judged."""
    rules = rules_of(path)
    if not rules.law.partial:
        return playable(rules, path)
    if not rules.offers:
        fail(f"{path}: {rules.law.key} is an excerpt that does not say what any wager pays")
    try:
        rules.tableau  # noqa: B018 - its message names what the submission must add
    except LawError as error:
        fail(f"{path}: {error}")
    return rules


def playable(rules: TableRules, path: Path) -> TableRules:
    if rules.missing:
        extent = (
            "the regulation included is a fragment, and" if rules.law.partial else "as elected, it"
        )
        fail(
            f"{path}: no table can be dealt under {rules.law.title} as of "
            f"{rules.law.in_force_from}: {extent} has no rules for "
            f"{rules.missing_in_words}. Nothing is taken from another regulation; `croupier "
            "check` checks what it does have."
        )
    return rules


def print_rules(rules: TableRules) -> None:
    print_text(f"{rules.law.title} as of {rules.law.in_force_from}")
    print_text(f"rules {rules.sha256}")
    print_text(f"{PROGRAM} {program_version()}: {command_line()}")
    print_warnings(rules)


def print_warnings(rules: TableRules) -> None:
    for warning in rules.warnings:
        print_text(f"WARNING {warning}")


def _limits(
    context: click.Context, parameter: click.Parameter, given_limits: tuple[str, ...]
) -> None:
    limits = {}
    for limit in given_limits:
        name, _, amounts = limit.partition("=")
        minimum, comma, maximum = amounts.partition(",")
        if not (name and comma) or name in limits:
            raise click.BadParameter(f"{limit}: write each wager once, as lucky_6=5.00,500.00")
        limits[name] = (minimum.strip(), maximum.strip())
    keep(context, parameter, limits)


own_option = option_group(
    click.option(
        "--own",
        multiple=True,
        type=input_file,
        help="Custom wager (side bet) in TOML, in addition to the table's wagers; repeatable.",
    ),
    kept_option(
        "--own-limits",
        multiple=True,
        metavar="ID=MIN,MAX",
        callback=_limits,
        help="Limits of a custom wager, in place of those of its file; repeatable.",
    ),
)


def own_offers(paths: Iterable[Path], rules: TableRules) -> tuple[list[Offer], list[str]]:
    paths = tuple(paths)
    by_wager: dict[str, tuple[str, str]] = kept("own_limits") or {}
    offers, errors = list[Offer](), list[str]()
    if paths:
        from croupier.odds.custom_wagers import read_wager  # noqa: PLC0415  (for them alone)
    # Whether each line can be hit takes longest: all else is checked before it.
    for table in (None, rules):
        offers = []
        for path in paths:
            try:
                offer = read_wager(path, table)
                limits = by_wager.get(offer.wager.id)
                offers.append(offer if limits is None else with_limits(offer, limits))
            except CustomWagerError as error:
                errors += error.errors
        names = [offer.wager.id for offer in offers]
        errors += [
            f"two custom wagers are called {name}" for name in names if names.count(name) > 1
        ]
        if not errors:
            errors += [
                f"--own-limits {name}: no --own has that id" for name in by_wager.keys() - names
            ]
        if errors:
            break
    return offers, list(dict.fromkeys(errors))


def with_own(rules: TableRules, paths: Iterable[Path], *, dealt: bool = False) -> TableRules:
    """Exit with every error. A ``dealt`` table requires limits, and whole cents of a meter."""
    offers, errors = own_offers(paths, rules)
    if errors:
        fail("\n".join(errors))
    if not offers:
        return rules
    try:
        rules = rules.with_offers(*offers)
        return table_rules(rules.submission) if dealt else rules
    except SubmissionError as error:
        how = 'give limits = ["5.00", "500.00"] under its [wager], or --own-limits ID=5.00,500.00'
        fail("\n".join([*map(str, error.errors), f"A custom wager is dealt with limits: {how}"]))


class TableAsked(Struct, frozen=True):
    submission: Path | None
    law_id: str | None
    as_of: AsOf | None
    decks: int | None = None
    shoe_text: str | None = None

    def rules(self, *, dealt: bool = True) -> TableRules:
        """Exit with status 2. Unless the table is to be ``dealt``, an excerpt is accepted too."""
        if (self.submission is None) == (self.law_id is None):
            fail(
                "no table given: add --submission FILE, or --law ID@DATE for its default elections"
            )
        if self.submission is not None:
            return table_of(self.submission) if dealt else priced_of(self.submission)
        has_decks = self.decks is not None and self.shoe_text is None
        law = text_named(str(self.law_id), self.as_of)
        try:
            default = default_submission(
                law.id, law.in_force_from, **({"decks": self.decks} if has_decks else {})
            )
            # No licensee is there to acknowledge a reading; the sheet prints a warning instead.
            readings = acknowledged(law)
            rules = in_currency_of(
                table_rules(replace(default, readings=readings, unsupported=by_hand(law)))
            )
        except SubmissionError as error:
            heading = f"{self.law_id} is refused with its default elections"
            fail_with(heading, [*error.errors, *other_shoe(self.decks if has_decks else None)])
        if rules.missing:
            fail(
                f"only a fragment of {self.law_id} is included, so no table can be dealt or "
                "calculated under it"
            )
        return rules

    def shoe(self, rules: TableRules) -> ShoeComposition:
        if self.decks is not None and self.shoe_text is not None:
            fail("--decks and --shoe cannot be combined")
        try:
            if self.shoe_text is not None:
                return parse_shoe(self.shoe_text)
            return ShoeComposition.of_decks(self.decks or rules.decks_per_shoe)
        except ShoeError as error:
            fail_with("the shoe is not possible", error.errors)

    def rules_and_shoe(
        self, custom_wagers: Iterable[Path] = (), *, dealt: bool = True
    ) -> tuple[TableRules, ShoeComposition]:
        rules = self.rules(dealt=dealt)
        shoe = self.shoe(rules)
        return with_own(rules, custom_wagers), shoe


_named = (
    click.option("--submission", type=input_file, help="Rules submission of the table."),
    click.option(
        "--law", "law_id", metavar="ID", help="Regulation, as ID@DATE, with its default elections."
    ),
    as_of_option,
)
table_options = option_group(*_named, kind=TableAsked)
"""Add the options that name a table; the command receives them as ``asked``."""
rules_options = option_group(
    *_named,
    click.option("--decks", type=click.IntRange(1), help="Number of decks in a fresh shoe."),
    click.option(
        "--shoe",
        "shoe_text",
        metavar="SHOE",
        help="Cards in the shoe: decks, JSON, A=32,2=31,... by rank, or Ah=8,... by card.",
    ),
    kind=TableAsked,
)
"""The same with the options of a shoe."""

penetration_option = click.option(
    "--cards-behind",
    type=click.IntRange(0),
    help="Cards behind the cutting card (cut card); sets penetration (default: the minimum "
    "allowed).",
)

OPTIONS_OF_NEW: Final = frozenset(
    {"ask", "title", "pit", "table", "seats", "limit", "reading", "out", "force", "help"}
    | {"plain", "ascii", "no-pager", "laws"}
)
"""Options of ``croupier new`` itself, whose names no election takes."""


def option_names(law: Instrument) -> Mapping[str, tuple[str, ...]]:
    """Return the options of every election, by rule id.

    The short name is the beginning that several ids share; it is that of the first.

    >>> from croupier.law.resolve import resolve
    >>> names = option_names(resolve("us-nj/minibaccarat", on="latest"))
    >>> names["vigorish.scheme"], names["vigorish.rounded"]
    (('--vigorish', '--vigorish-scheme'), ('--vigorish-rounded',))
    """
    words = {
        rule.id: rule.id.removeprefix("wagers.").replace("_", "-").split(".")
        for rule in law.elections
    }
    used_names = {"-".join(parts) for parts in words.values()} | OPTIONS_OF_NEW
    names = dict[str, tuple[str, ...]]()
    for rule_id, parts in words.items():
        names[rule_id] = (f"--{'-'.join(parts)}",)
        short_name = "-".join(parts[:-1])
        if short_name and short_name not in used_names:
            used_names.add(short_name)
            names[rule_id] = (f"--{short_name}", *names[rule_id])
    return names


def elected(rule: Rule, text: str) -> Any:
    """Return a typed election as a submission writes it. Raises ``ValueError``.

    >>> elected(Rule("decks", Kind.COUNT, "", ()), "8")
    8
    """
    if text.startswith(("{", "[")):
        try:
            return parse_toml(f"value = {text}", Path(rule.id)).tables["value"]
        except FileError as error:
            raise ValueError(f"{text} is not TOML: write it as in a submission") from error
    if rule.kind is Kind.FLAG:
        if text.lower() not in _FLAGS:
            raise ValueError(f"{text!r} is neither yes nor no")
        return _FLAGS[text.lower()]
    if rule.kind is Kind.COUNT and text.isascii() and text.isdigit():
        return int(text)
    return text


_FLAGS: Final = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}
