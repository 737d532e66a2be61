"""What the check of a vendor's PAR sheet holds."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from croupier.odds.documents import ShoeCards
from croupier.odds.stated import Verdict
from croupier.rules.documents import Count, Exact, Hash, Positive, Provenance, Ways, Word


class VendorColumn(TypedDict):
    """A column of a vendor's file."""

    column: Word
    read_as: Annotated[Word | None, "The figure that it states; null for one that is not read."]


class CheckedFigure(TypedDict):
    """One figure of a vendor's file, and how it compares with the exact one."""

    line: Annotated[Positive, "The line of the file, or the row of the page."]
    wager: Annotated[Word, "A wager, or a package of the sheet."]
    outcome: Annotated[Word | None, "An outcome of the wager, or a row of the package."]
    figure: Word
    stated: Annotated[Word, "As the file has it."]
    expected: Annotated[Word, "The exact value, rounded to the digits stated."]
    exact: Annotated[Exact | None, "Null for a square root."]
    verdict: Verdict
    difference: Annotated[str, "Stated less exact; empty where it is equal."]
    note: Annotated[str, "What the figure would be right as, if anything."]
    cites: list[Word]


class NotStated(TypedDict):
    """A wager of which the file states nothing, or an outcome of one whose outcomes it lists."""

    wager: Word
    outcome: Word | None


class VerdictCounts(TypedDict):
    """How many figures there are of each verdict."""

    equal: Count
    rounded_otherwise: Count
    wrong: Count


class VendorCheck(Provenance):
    """A vendor's PAR sheet, checked figure by figure against the exact one of a table."""

    format: Literal["croupier-par-check/1"]
    file: Annotated[Word, "The name of the file."]
    file_sha256: Hash
    file_bytes: Count
    page: Annotated[str | None, "The page of a workbook that was read."]
    other_pages: Annotated[list[Word], "Its pages that were not read."]
    columns: list[VendorColumn]
    shoe: ShoeCards
    total_ways: Ways
    agrees: Annotated[bool, "Whether no figure is wrong."]
    counts: VerdictCounts
    figures: list[CheckedFigure]
    not_stated: list[NotStated]
