"""Types of table log lines and of the answers of `croupier run -`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NotRequired, TypedDict, Union

from croupier.acts import Command, Event
from croupier.baccarat.cards import Card, Rank, Suit
from croupier.records.codec import COMMANDS, EVENTS
from croupier.records.entry import FIRST
from croupier.records.header import FORMAT
from croupier.records.json_schema import Schema, schema_of
from croupier.rules import MOST_SEATS
from croupier.rules.documents import ByProgram, Count, Day, Hash, Keywords, Positive, Texts, Word

if TYPE_CHECKING:
    AnyCommand = Command
    AnyEvent = Event
else:
    AnyCommand = Union[tuple(COMMANDS[name] for name in sorted(COMMANDS))]  # noqa: UP007
    AnyEvent = Union[tuple(EVENTS[name] for name in sorted(EVENTS))]  # noqa: UP007

Moment = Annotated[
    str, Keywords(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$")
]

Base64 = Annotated[str, Keywords(pattern="^[A-Za-z0-9+/]+=*$")]

_RANKS: Final = "".join(rank.value for rank in Rank)
_SUITS: Final = "".join(suit.value for suit in Suit)
_LEAVES: Final[Mapping[type, Schema]] = {
    Card: {
        "description": "A card: its rank and its suit, such as 9h; T is a ten.",
        "type": "string",
        "pattern": f"^[{_RANKS}][{_SUITS}]$",
    },
    datetime: {"description": "A time in UTC.", "type": "string", "format": "date-time"},
}


class LayoutWritten(TypedDict):
    """The layout: `seats`, their `numbering`, `pit`, and `table`."""

    seats: Annotated[int, Keywords(minimum=1, maximum=MOST_SEATS)]
    numbering: Literal["counterclockwise", "clockwise"]
    pit: str
    table: str


class LimitWritten(TypedDict):
    """The minimum and maximum wager."""

    min_cents: Count
    max_cents: Count


class ContinuesWritten(TypedDict):
    """The continued log, and what is carried over from its end."""

    stream: Annotated[str, "The `stream` of the log before."]
    sha256: Annotated[Hash, "The seal of its last line."]
    entry: Annotated[Positive, "The number of its last entry; this log's numbers go on from it."]
    at: Annotated[Moment, "The time of its last entry; no time in this log is before it."]
    gaming_date: Annotated[Day, "Its gaming day; no gaming day in this log is before it."]
    kept: Annotated[
        Mapping[str, object],
        "What parts of the table keep: the closing count, which the next opening must have, and "
        "shifts in `tray`; the pad, and Forms to be compared, in `forms`; meters and their "
        "commitment in `progressive`; decks with their age in `timed_decks`; notices in "
        "`notice_board`; amounts due in `kept_amounts` and `hand_pays`; open `disputes`; a failed "
        "`controller`; who is on `duty`.",
    ]
    balances: Annotated[Mapping[str, int], "Every account, in cents."]
    opened_with_cents: Annotated[int, "The chips that all openings brought to the table."]
    amended: NotRequired[AmendedWritten]


class AmendedWritten(TypedDict):
    """`law` and `binding_sha256` before an amendment, and the rules that it `changes`."""

    law: Annotated[Word, "The key of the regulation before."]
    binding_sha256: Annotated[Hash, "The hash of the rules before."]
    changes: Annotated[list[Word], "The rules whose values or procedures changed."]


class SubmissionLine(TypedDict):
    """A rules submission as recorded, complete enough to resolve its rules again."""

    law: Annotated[Word, "The id of the regulation."]
    on: Annotated[Day, "The date whose text of the regulation applies."]
    title: Annotated[str, "The title of the submission."]
    elections: Annotated[Mapping[str, object], "The elections, as in the submission."]
    layout: LayoutWritten
    limits: Annotated[
        Mapping[str, LimitWritten] | None, "The limits of each wager; `null` if none are posted."
    ]
    interpretations: Annotated[Texts, "The readings that the submission names."]
    drawing_table: NotRequired[
        Annotated[Word, "The text whose drawing table applies, if the law is an excerpt."]
    ]
    own: NotRequired[Annotated[list[Mapping[str, object]], "The definitions of custom wagers."]]
    unsupported: NotRequired[
        Annotated[list[Word], "Clauses that the program does not carry out, done by hand."]
    ]
    documents: NotRequired[
        Annotated[Mapping[str, Mapping[str, object]], "Documents on file for clauses, by name."]
    ]


class RulesWritten(SubmissionLine):
    """The rules of a table as data, read by `GameRules.from_dict`."""

    rules_hash: Annotated[Hash, "SHA-256 of the resolved rules."]


class StoredLawWritten(TypedDict):
    """The text of the table's `law` file, and of any `register` in its folder."""

    law: Annotated[str, "The law file, as written."]
    register: NotRequired[Annotated[str, "The register in its folder."]]


class MechanismStated(TypedDict):
    """The package of a mechanism."""

    package: str
    version: str
    sha256: Annotated[Hash, "Of all its files."]


class HeaderLine(ByProgram, SubmissionLine):
    """The first line of a log: program, law, and the whole rules submission."""

    format: Annotated[str, Keywords(const=FORMAT)]
    stream: Annotated[str, "This table and this opening, unlike any other."]
    edition: Annotated[Positive, "The edition of the law file: 1, and 1 more per correction."]
    readings: Annotated[Texts, "Every reading that the rules rely on."]
    law_sha256: Annotated[Hash, "SHA-256 of the law file."]
    binding_sha256: Annotated[
        Hash, "SHA-256 of what binds: values, procedures, readings, limits, and layout."
    ]
    cited_sha256: Annotated[Hash, "SHA-256 of the clauses cited for it."]
    shuffle: Annotated[
        str, "The source of the cards: `cryptographic`, `seed 7`, or `cards of FILE`."
    ]
    continues: NotRequired[ContinuesWritten]
    stored_law: NotRequired[StoredLawWritten]
    mechanisms: NotRequired[
        Annotated[dict[str, MechanismStated], "Packages that implement rules of the law, by name."]
    ]
    prev: Annotated[str, Keywords(const=FIRST)]
    sha256: Annotated[Hash, "The seal of the line."]


class ActorWritten(TypedDict):
    """The person who gave a command."""

    person: str
    office: str
    device: str
    seat: NotRequired[Annotated[int, "Which patron, where it is one."]]


class EntryLine(TypedDict):
    """An executed command with its events."""

    seq: Annotated[Positive, "The number of the entry, from 1 or from `continues.entry` plus 1."]
    prev: Annotated[Hash, "The seal of the line before."]
    at: Annotated[Moment, "When, in UTC; never before the time of the entry before."]
    by: Annotated[list[ActorWritten], "Who gave the command; empty for a script."]
    key: Annotated[
        Annotated[str, Keywords(minLength=1)] | None,
        "The idempotency key: the command is executed once under it.",
    ]
    corrects: Annotated[Positive | None, "The entry that this one corrects."]
    command: Annotated[AnyCommand, "The command: its `type`, then its fields."]
    events: Annotated[
        list[AnyEvent], "Its events, in order: each with `type`, version `v`, and fields."
    ]
    sha256: Annotated[Hash, "The seal of the line."]


class LastLine(TypedDict):
    """The line that closes a log."""

    entries: Annotated[Count, "The number of the last entry."]
    prev: Annotated[Hash, "The seal of the last entry."]
    sha256: Annotated[Hash, "The seal of the line."]


class RefusalWritten(TypedDict):
    """Why a command was refused."""

    code: Word
    clauses: list[Word]
    standings: Annotated[Texts, "The standing of each clause that is not simply the text."]
    message: Word


class CarriedOut(TypedDict):
    """A command that was executed and written to disk."""

    line: Annotated[Positive, "The number of the line that was read."]
    entry: Annotated[Positive, "The number of its entry in the log."]
    events: list[AnyEvent]


class CommandRefused(TypedDict):
    """A command refused by the rules; nothing has changed."""

    line: Positive
    refused: RefusalWritten


class LineUnreadable(TypedDict):
    """A line that is not a command; nothing has changed."""

    line: Positive
    error: Word


AnswerOfRun = CarriedOut | CommandRefused | LineUnreadable


def table_log() -> Schema:
    return _schema_of(HeaderLine | EntryLine | LastLine, FORMAT)


def answer_of_run() -> Schema:
    return _schema_of(AnswerOfRun, "croupier-run-answer/1")


def any_command() -> Schema:
    return _schema_of(AnyCommand, "croupier-table-command")


def layout_written() -> Schema:
    schema = schema_of(LayoutWritten, "layout")
    return {name: schema[name] for name in schema if name not in {"$schema", "title"}}


def _schema_of(kind: Any, title: str) -> Schema:
    return schema_of(kind, title, leaves=_LEAVES, tagged_types=(Command, Event))
