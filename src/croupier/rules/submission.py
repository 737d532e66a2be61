"""The licensee's rules submission: a law, the elections under it, and documents kept on file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext, suppress
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from croupier.files.errors import MAX_FAULTS, did_you_mean
from croupier.files.toml import Toml, read_toml
from croupier.law.elect import ErrorDetail, SubmissionError, flatten
from croupier.law.faults import LawError
from croupier.law.interpretations import interpretations, reading_ids
from croupier.law.model import Instrument, condition_holds
from croupier.law.resolve import AsOf, resolve
from croupier.law.sight import Sight
from croupier.law.usage import amount_of, currency_in_use, under

__all__ = [
    "MOST_SEATS", "Limit", "MalformedSubmissionError", "Submission", "TableLayout",
    "default_submission", "fitting", "read_submission", "submission_of",
]  # fmt: skip

MOST_SEATS: Final = 21
"""A greater number is a typing error."""


class Limit(Struct, frozen=True):
    """The minimum and maximum of one wager, in cents."""

    min_cents: Annotated[int, Sight.OPEN]
    max_cents: Annotated[int, Sight.OPEN]


class TableLayout(Struct, frozen=True):
    seats: int = 7
    numbering: str = "counterclockwise"
    pit: str = "1"
    table: str = "1"


class Submission(Struct, frozen=True):
    """A rules submission, checked for shape but not yet against the law."""

    law: str
    on: date
    title: str
    elections: Mapping[str, Any]
    layout: TableLayout = field(default_factory=TableLayout)
    limits: Mapping[str, Limit] | None = None
    """By wager; ``None`` only for default elections."""
    readings: Mapping[str, str] = field(default_factory=dict)
    drawing_table: str = ""
    """The text, as ``ID@DATE``, of an excerpt's drawing table."""
    own: tuple[Mapping[str, Any], ...] = ()
    """Definitions of custom wagers."""
    unsupported: tuple[str, ...] = ()
    """Unsupported clauses that the licensee carries out by hand."""
    documents: tuple[FiledDocument, ...] = ()
    """Documents on file for clauses."""

    def on_file(self, clause: str) -> tuple[str, ...]:
        return tuple(document.says for document in self.documents if clause in document.clauses)


class MalformedSubmissionError(SubmissionError):
    """A malformed submission; ``draft`` is the part that can be checked against a law, if any."""

    def __init__(self, errors: tuple[ErrorDetail, ...], draft: Submission | None = None) -> None:
        super().__init__(errors)
        self.draft = draft


TABLES: Final = (
    "submission", "elections", "interpretations", "table", "limits", "unsupported", "documents",
)  # fmt: skip
"""The tables of a submission."""


def _located(detail: ErrorDetail, source: Toml | None) -> ErrorDetail:
    if detail.place is not None or source is None:
        return detail
    # A conflict names several rules; its place is that of the first.
    where = re.split(r", | with ", detail.where)[0].strip("[]")
    if where.partition(".")[0] not in TABLES:
        where = f"elections.{where}"
    where = where.replace("elections.layout.", "table.")
    return replace(detail, place=source.place(where))


def located(errors: Iterable[ErrorDetail], file: Toml | None) -> tuple[ErrorDetail, ...]:
    return tuple(_located(error, file) for error in errors)


class _Errors:
    def __init__(self) -> None:
        self.found: list[ErrorDetail] = []

    def add(self, where: str, message: str) -> None:
        if len(self.found) < MAX_FAULTS:
            self.found.append(ErrorDetail(where, message))

    def unknown(self, where: str, word: str, what: str, known: tuple[str, ...]) -> None:
        if len(self.found) < MAX_FAULTS:
            hint = did_you_mean(word, known) or ";"
            self.add(where, f"unknown {what}{hint} known: {', '.join(known)}")

    def table(self, tables: Mapping[str, Any], name: str, known: tuple[str, ...] = ()) -> Any:
        table = tables.get(name, {})
        if not isinstance(table, dict):
            self.add(f"[{name}]", "must be a table")
            return {}
        for key in sorted(set(table) - set(known), key=str) if known else ():
            self.unknown(f"{name}.{key}", key, "key", known)
        return table


def _layout(table: Mapping[str, Any], errors: _Errors) -> TableLayout:
    before = len(errors.found)
    layout = TableLayout(**{key: table[key] for key in TableLayout.__match_args__ if key in table})
    if type(layout.seats) is not int or not 1 <= layout.seats <= MOST_SEATS:
        errors.add("table.seats", f"{layout.seats!r}: write a number from 1 to {MOST_SEATS}")
    if layout.numbering not in ("counterclockwise", "clockwise"):  # it may be unhashable
        message = "write counterclockwise or clockwise, the direction of ascending seat numbers"
        errors.add("table.numbering", f"{layout.numbering!r}: {message}, seen from above")
    for key in ("pit", "table"):
        if not isinstance(getattr(layout, key), str):
            errors.add(f"table.{key}", "must be text")
    # The default layout still allows a check against the law.
    return layout if len(errors.found) == before else TableLayout()


def _limits(table: Mapping[str, Any], errors: _Errors) -> dict[str, Limit]:
    limits = {}
    for wager, pair in table.items():
        try:
            limits[wager] = limit_of(pair)
        except ValueError as error:
            errors.add(f"limits.{wager}", str(error))
    return limits


def limit_of(pair: object) -> Limit:
    """Limits in the currency in use. Raises ``ValueError``.

    >>> limit_of(["2.50", 500])
    Limit(min_cents=250, max_cents=50000)
    """
    match pair:
        case {"min_cents": int(minimum), "max_cents": int(maximum), **more} if not more:
            return _limit(minimum, maximum)  # as a log has it
    if not isinstance(pair, list) or len(pair) != 2:
        raise ValueError(f"write the minimum and the maximum, such as {currency_in_use().pairs}")
    return _limit(*map(amount_of, pair))


def _limit(minimum: int, maximum: int) -> Limit:
    if not 0 < minimum <= maximum:
        raise ValueError("the minimum must be greater than zero and not above the maximum")
    return Limit(minimum, maximum)


def _readings(table: Mapping[str, Any], ids: Mapping[str, str], errors: _Errors) -> dict[str, str]:
    readings: dict[str, str] = {}
    for name, reading in flatten(table, {}).items():
        entry = ids.get(name, name)
        if not isinstance(reading, str):
            errors.add(f"interpretations.{name}", "must be the name of a reading")
        elif entry in readings:
            message = f"{entry} is the same reading: name only one of them"
            errors.add(f"interpretations.{name}", message)
        else:
            readings[entry] = reading
    return readings


def _by_hand(table: Mapping[str, Any], errors: _Errors) -> tuple[str, ...]:
    clauses = table.get("by_hand", [])
    if isinstance(clauses, list | tuple) and all(isinstance(clause, str) for clause in clauses):
        return tuple(clauses)
    errors.add("unsupported.by_hand", "must be a list of clause ids")
    return ()


def _head(table: Mapping[str, Any], errors: _Errors) -> tuple[str, date, str, str]:
    law, on, title = table.get("law"), table.get("on"), table.get("title", "")
    drawing_table = table.get("drawing_table", "")
    if not isinstance(law, str):
        errors.add(
            "submission.law",
            "is missing or not a string: give the id of the regulation, from `croupier law list`",
        )
    if type(on) is not date:
        errors.add(
            "submission.on",
            "is missing or not a date: give the date of the regulation, such as 2011-02-22",
        )
    if not isinstance(title, str):
        errors.add("submission.title", "must be text")
    if not isinstance(drawing_table, str):
        message = "must be text: the id and date of a regulation, as ID@DATE"
        errors.add("submission.drawing_table", message)
    day = on if type(on) is date else date.min
    return str(law), day, str(title), str(drawing_table)


def read_submission(path: Path) -> Submission:
    """Read a rules submission. Raises ``SubmissionError`` with every error of its shape."""
    file = read_toml(path)
    return submission_of(file.tables, file)


def submission_of(tables: Mapping[str, Any], file: Toml | None = None) -> Submission:
    """Read a rules submission from its tables. Raises ``SubmissionError`` with every error."""
    errors = _Errors()
    for name in sorted(set(tables) - set(TABLES), key=str):
        errors.unknown(f"[{name}]", name, "table", TABLES)
    head = errors.table(tables, "submission", ("law", "on", "title", "drawing_table"))
    law, day, title, drawing_table = _head(head, errors)
    instrument = None
    with suppress(LawError):
        instrument = resolve(law, on=day)
    names = reading_ids(interpretations() if instrument is None else instrument.register)
    readings = _readings(errors.table(tables, "interpretations"), names, errors)
    layout = _layout(errors.table(tables, "table", TableLayout.__match_args__), errors)
    with nullcontext() if instrument is None else under(instrument.usage):
        limits = _limits(errors.table(tables, "limits"), errors)
    elections = errors.table(tables, "elections")
    unsupported = _by_hand(errors.table(tables, "unsupported", ("by_hand",)), errors)
    documents = tuple(_read_documents(errors.table(tables, "documents"), errors.add))
    draft = Submission(
        law, day, title, elections, layout, limits, readings, drawing_table,
        unsupported=unsupported, documents=documents,
    )  # fmt: skip
    if errors.found:
        details = located(errors.found, file)
        named = {"submission.law", "submission.on"}.isdisjoint(detail.where for detail in details)
        raise MalformedSubmissionError(details, draft if named else None)
    return draft


def default_submission(law_id: str, on: AsOf, **elections: Any) -> Submission:
    """Default elections of the law on a day, or of its ``latest`` text.

    ``elections`` replace defaults; a double underscore stands for the dot of a rule id.

    >>> plain = default_submission("us-nj/minibaccarat", "latest", vigorish__scheme="4%")
    >>> plain.elections["vigorish.scheme"]
    '4%'
    """
    law = resolve(law_id, on=on)
    named = {name.replace("__", "."): value for name, value in elections.items()}
    choices = flatten(named, law.rules)
    plain = {rule.id: rule.default for rule in law.elections if rule.default is not None}
    return Submission(law.id, law.in_force_from, "Default elections", fitting(law, plain, choices))


def fitting(
    law: Instrument, given: Mapping[str, Any], chosen: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Given elections without those that the others make inapplicable.

    ``chosen`` are always kept. Each removal may make later ones inapplicable.
    """
    values = {rule.id: rule.value for rule in law.rules.values() if rule.value is not None}
    elections = dict(chosen or {})
    for rule in law.elections:
        if not condition_holds(rule.applies_when, {**values, **elections}):
            continue
        if rule.id in given:
            elections.setdefault(rule.id, given[rule.id])
        elif rule.may_be_left_out and rule.id not in elections:
            # Rules that depend on it are allowed, even if no submission names it.
            values[rule.id] = rule.read(rule.default)
    return elections


_HASH: Final = re.compile("[0-9a-f]{64}")
_NAME: Final = re.compile("[A-Za-z0-9_-]+")


class FiledDocument(Struct, frozen=True, omit_defaults=True):
    """A document on file for clauses; ``sha256`` is that of the licensee's own file."""

    name: str
    title: str
    clauses: tuple[str, ...]
    number: str = ""
    dated: date | None = None
    expires: date | None = None
    sha256: str = ""

    def written(self) -> dict[str, Any]:
        """Return it as a submission and the header of a log have it, without its name.

        >>> FiledDocument("seal", "Seals", ("NJ-MINI:7.2(a)#1",), dated=date(2011, 1, 2)).written()
        {'title': 'Seals', 'clauses': ['NJ-MINI:7.2(a)#1'], 'dated': '2011-01-02'}
        """
        fields = {name: value for name, value in asdict(self).items() if value and name != "name"}
        return {
            name: value.isoformat() if isinstance(value, date) else value
            for name, value in (fields | {"clauses": [*self.clauses]}).items()
        }

    @property
    def says(self) -> str:
        """One line: its title, number, and dates.

        >>> FiledDocument("layout", "Layout", (), "12", expires=date(2030, 1, 2)).says
        'Layout, no. 12, expires 2030-01-02'
        """
        parts = [self.title]
        parts += [f"no. {self.number}"] if self.number else []
        parts += [f"of {self.dated}"] if self.dated else []
        parts += [f"expires {self.expires}"] if self.expires else []
        return ", ".join(parts)


def _read_documents(
    tables: Mapping[str, Any], fault: Callable[[str, str], object]
) -> Iterator[FiledDocument]:
    keys = FiledDocument.__struct_fields__[1:]
    for name, table in tables.items():
        where = f"documents.{name}"
        if not _NAME.fullmatch(name):
            fault("documents", f"{name!r}: letters, digits, - and _ only in the name of a document")
            continue
        if not isinstance(table, dict):
            fault(where, f"must be a table with {', '.join(keys)}")
            continue
        for key in sorted(table.keys() - {*keys}):
            hint = f"{did_you_mean(key, keys)}; known: {', '.join(keys)}"
            fault(f"{where}.{key}", f"unknown key{hint}")
        values: dict[str, Any] = {"title": "", "clauses": ()}
        for key in keys:
            if key in table and (value := _value(key, table[key])) is not None:
                values[key] = value
            elif key in table or key in {"title", "clauses"}:
                fault(f"{where}.{key}", _WANTED.get(key, "must be text on one line"))
        yield FiledDocument(name, **values)


_WANTED: Final = {
    "title": "is missing, or not text on one line: say what the document is",
    "clauses": "must be a list of the clauses that it is kept for",
    "dated": "must be a date, such as 2026-11-20",
    "expires": "must be a date, such as 2026-11-20",
    "sha256": "must be the 64 hexadecimal digits of a SHA-256",
}


def _value(key: str, value: object) -> Any:
    if key == "clauses":
        fits = isinstance(value, list) and value and all(isinstance(item, str) for item in value)
        return tuple(value) if fits else None  # type: ignore[arg-type]
    if key in {"dated", "expires"}:
        if isinstance(value, str):
            try:
                return date.fromisoformat(value)
            except ValueError:
                return None
        return value if type(value) is date else None
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        return None
    return value if key != "sha256" or _HASH.fullmatch(value) else None


def check_documents(law: Instrument, documents: Iterable[FiledDocument]) -> Iterator[ErrorDetail]:
    for one in documents:
        where = f"documents.{one.name}"
        for clause in one.clauses:
            if clause not in law.clauses:
                hint = did_you_mean(clause, law.clauses)
                yield ErrorDetail(f"{where}.clauses", f"{clause} is no clause of {law.key}{hint}")
        if one.dated and one.expires and one.expires < one.dated:
            yield ErrorDetail(f"{where}.expires", f"{one.expires} is before its date, {one.dated}")
