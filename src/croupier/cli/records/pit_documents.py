"""The JSON document of a verified pit log."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from croupier.cli.common.documents import LogHead
from croupier.rules.documents import Cents, Count, Made, Positive, Word


class FindingInPit(TypedDict):
    """What a table's record holds against that of its pit."""

    table: Word
    entry: Count
    message: Word


class DivergenceOfPit(TypedDict):
    """The first place where the record of a pit is not what follows from its commands."""

    line: Positive
    kind: Word
    clauses: list[str]
    message: Word


class PitLogVerification(Made):
    """The log of a pit, decided again, and the logs of its tables against it."""

    format: Literal["croupier-pit-log-verification/1"]
    pit: Word
    entries: Count
    events: Count
    clean: bool
    open: bool
    torn_line: Positive | None
    head: LogHead
    tables: list[str]
    meters: Annotated[dict[str, dict[str, Cents]], "What linked meters come to, by link."]
    findings: list[FindingInPit]
    divergence: DivergenceOfPit | None
