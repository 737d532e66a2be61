"""Rules of a table from a file, text, plain data, or default elections."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from croupier.api.result import Figures, Frame, ResultError, TypedResult
from croupier.files.arguments import checks_types
from croupier.files.toml import parse_toml
from croupier.law.faults import LawError
from croupier.law.resolve import keys, use
from croupier.law.usage import currency_in_use, under
from croupier.records.codec import dump, from_json
from croupier.records.header import SubmissionWritten, submission_data, submission_from
from croupier.rules import (
    Offer,
    TableRules,
    default_submission,
    read_rules,
    submission_of,
    table_rules,
    with_limits,
)

__all__ = [
    "CustomWager", "GameRules", "WagerTerms", "default_rules", "laws", "load_rules", "load_wager",
    "make_rules", "parse_rules",
]  # fmt: skip


class WagerTerms(TypedResult, frozen=True):
    """A wager on offer: payout of each outcome, limits in cents, and clauses.

    ``pays`` has odds such as ``"8:1"`` by outcome. A stake must be a multiple of ``unit_cents``;
    limits are ``None`` if the rules post none.
    """

    wager: str
    title: str
    pays: Mapping[str, str]
    min_cents: int | None
    max_cents: int | None
    unit_cents: int
    clauses: tuple[str, ...]

    def figures(self) -> Iterator[Figures]:
        """Yield the outcomes and their payouts."""
        yield Figures(self.title, ("Outcome", "Pays"), tuple(self.pays.items()))


class CustomWager(Struct, frozen=True):
    """A wager that no law has (a side bet), from ``load_wager``; ``offer`` is private."""

    offer: Offer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CustomWager) and self.offer.definition == other.offer.definition

    def __hash__(self) -> int:
        return hash(self.offer.wager.id)

    @property
    def terms(self) -> WagerTerms:
        """The id, the title, the payouts, and the limits."""
        return _terms(self.offer)


class GameRules(TypedResult, frozen=True):
    """The rules of one table, made by ``load_rules``, ``default_rules``, and so on.

    ``table`` is private to the project.
    """

    table: TableRules

    def _frame(self) -> Frame:
        return (WagerTerms,), ((wager,) for wager in self.wagers)

    def __eq__(self, other: object) -> bool:
        return self.sha256 == other.sha256 if isinstance(other, GameRules) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.sha256)

    def __reduce__(self) -> tuple[Callable[[str], GameRules], tuple[str]]:
        return _unpickle, (self.to_json(),)

    @property
    def law(self) -> str:
        """The id of the law, as ``croupier law list`` shows it."""
        return self.table.law.id

    @property
    def title(self) -> str:
        """The title of the rules submission, or of the law if it has none."""
        return self.table.title

    @property
    def in_force_from(self) -> date:
        """The first day on which the regulation text was in force."""
        return self.table.law.in_force_from

    @property
    def sha256(self) -> str:
        """The hash that identifies these rules in records."""
        return self.table.sha256

    @property
    def seats(self) -> int:
        """Number of seats, which are numbered from 1."""
        return self.table.submission.layout.seats

    @property
    def wagers(self) -> tuple[WagerTerms, ...]:
        """The wagers on offer, in settlement order."""
        with under(self.table.law.usage):
            return tuple(map(_terms, self.table.offers.values()))

    @property
    def elections(self) -> Mapping[str, Any]:
        """The licensee's elections, by rule."""
        return dict(self.table.submission.elections)

    @property
    def readings(self) -> Mapping[str, str]:
        """The reading taken of every applicable interpretation."""
        return dict(self.table.readings)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Mandatory warnings about these rules."""
        return self.table.warnings

    @checks_types
    def with_wagers(self, *wagers: CustomWager) -> GameRules:
        """Return the rules with custom wagers, which become part of the submission.

        Raises ``CustomWagerError`` for an id that the table has already, and ``SubmissionError``
        for a wager without limits if the table posts them.
        """
        table = self.table.with_offers(*(wager.offer for wager in wagers))
        return GameRules(table_rules(table.submission))

    def to_dict(self) -> dict[str, Any]:
        """Return the rules submission and the hash of the rules as plain data.

        Limits are in cents; custom wagers include their definitions. ``from_dict`` restores the
        rules, and ``croupier schema game-rules`` prints the schema.
        """
        submission = submission_data(self.table.submission)
        data: dict[str, Any] = from_json(dump({**submission, "rules_hash": self.sha256}))
        return data

    def to_json(self) -> str:
        """Return ``to_dict`` as JSON text."""
        return dump(self.to_dict()).decode()

    @classmethod
    @checks_types
    def from_dict(cls, data: object) -> GameRules:
        """Return the rules of ``to_dict`` data. Raises ``ResultError``, also for another hash."""
        if not isinstance(data, dict) or not isinstance(data.get("rules_hash"), str):
            raise ResultError("not GameRules: write an object with rules_hash, as to_dict makes it")
        fields = {name: value for name, value in data.items() if name != "rules_hash"}
        try:
            rules = cls(table_rules(submission_from(msgspec.convert(fields, SubmissionWritten))))
        except (msgspec.ValidationError, ValueError) as error:
            raise ResultError(f"not GameRules: {error}") from error
        if rules.to_dict() != data:
            raise ResultError(
                f"not GameRules: the law makes other rules of them now, {rules.sha256}"
            )
        return rules

    def figures(self) -> Iterator[Figures]:
        """Yield the wagers on offer, with payouts and limits."""
        amount_text = self.table.law.currency.shown
        rows = [
            (
                wager.title,
                ", ".join(f"{line} {odds}" for line, odds in wager.pays.items()),
                "" if wager.min_cents is None else amount_text(wager.min_cents),
                "" if wager.max_cents is None else amount_text(wager.max_cents),
                ", ".join(wager.clauses),
            )
            for wager in self.wagers
        ]
        heading = f"{self.title} ({self.law} as of {self.in_force_from}, {self.seats} seats)"
        yield Figures(heading, ("Wager", "Pays", "Min bet", "Max bet", "Clauses"), rows)
        if self.warnings:
            yield Figures("Warnings", (), [(warning,) for warning in self.warnings])


@lru_cache(64)
def _unpickle(text: str) -> GameRules:
    # A process that gets the same rules with each task keeps what it has calculated from them.
    return GameRules.from_json(text)


def _terms(offer: Offer) -> WagerTerms:
    limit = offer.limit
    clauses = dict.fromkeys(clause for cites in offer.cites.values() for clause in cites)
    return WagerTerms(
        offer.wager.id,
        offer.wager.title,
        {line: "push" if odds is None else str(odds) for line, odds in offer.pays.items()},
        None if limit is None else limit.min_cents,
        None if limit is None else limit.max_cents,
        offer.unit_cents,
        tuple(clauses),
    )


@checks_types
def laws(folder: str | os.PathLike[str]) -> tuple[str, ...]:
    """Use the law files in a folder from now on; return the keys of all regulations.

    Child processes use them too, and files that were read before are read anew. Raises ``LawError``
    for a folder that does not exist, or a file with the id of another regulation.
    """
    use((Path(folder),))
    return tuple(keys())


@checks_types
def load_rules(path: str | os.PathLike[str]) -> GameRules:
    """Load the rules of a table from a rules submission's TOML file.

    Raises ``SubmissionError`` with every error, each with its clauses and its place in the file,
    and ``FileError`` if the file cannot be read as TOML.
    """
    return GameRules(read_rules(Path(path)))


@checks_types
def parse_rules(text: str) -> GameRules:
    r"""Return the rules of a submission in TOML. Raises as ``load_rules``.

    >>> text = '[submission]\nlaw = "us-nj/minibaccarat"\n'
    >>> import croupier
    >>> try:
    ...     croupier.parse_rules(text)
    ... except croupier.SubmissionError as error:
    ...     print(error.errors[0].where)
    submission.on
    """
    file = parse_toml(text, Path("<text>"))
    return GameRules(table_rules(submission_of(file.tables, file)))


@checks_types
def load_wager(
    path: str | os.PathLike[str],
    rules: GameRules | None = None,
    *,
    limits_cents: tuple[int, int] | None = None,
) -> CustomWager:
    """Load a custom wager (side bet) from its TOML file.

    With ``rules``, each line must be possible at their table. ``limits_cents`` are the least and
    the greatest stake, in place of those of the file. Raises ``CustomWagerError`` with every error.
    """
    from croupier.odds.custom_wagers import read_wager  # noqa: PLC0415  (few need the odds)

    if limits_cents is not None and [*map(type, limits_cents)] != [int, int]:
        raise TypeError(f"load_wager: limits_cents is {limits_cents}: give two amounts in cents")
    with nullcontext() if rules is None else under(rules.table.law.usage):
        offer = read_wager(Path(path), None if rules is None else rules.table)
        if limits_cents is not None:
            offer = with_limits(offer, [*map(currency_in_use().plain, limits_cents)])
    return CustomWager(offer)


@checks_types
def make_rules(tables: Mapping[str, Any]) -> GameRules:
    """Return the rules of a submission as plain data, with the tables of its TOML file.

    Amounts in ``limits`` are dollars, as in the file, and ``on`` is a ``date``. Raises
    ``SubmissionError`` with every error.
    """
    return GameRules(table_rules(submission_of(tables)))


@checks_types
def default_rules(law: str, on: date, elections: Mapping[str, Any] | None = None) -> GameRules:
    """Return the rules of a law on a date, with default elections and the given exceptions.

    No limits are posted. ``elections`` are by rule id. Raises ``LawError`` if no such law is
    included for that date, and ``SubmissionError`` for elections that it does not allow.

    >>> from datetime import date
    >>> import croupier
    >>> rules = croupier.default_rules(
    ...     "us-nj/minibaccarat", date(2011, 2, 22), {"wagers.tie.pays": "9:1"})
    >>> [wager.wager for wager in rules.wagers][:3], rules.wagers[2].pays["win"]
    (['player', 'banker', 'tie'], '9:1')
    """
    if isinstance(on, datetime):
        raise LawError(f"{on!r} is not a date: give a datetime.date")
    rule_values = {str(rule): value for rule, value in (elections or {}).items()}
    return GameRules(table_rules(default_submission(law, on, **rule_values)))
