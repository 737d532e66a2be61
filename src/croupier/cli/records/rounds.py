"""The output of ``croupier verify`` for external rounds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from msgspec import Struct
from msgspec.structs import replace
from rich.text import Text

from croupier.cli.common.files import check_outputs, read_files
from croupier.cli.common.output import (
    FAILS,
    blank,
    command_line,
    console,
    fail,
    plain_table,
    print_json,
    print_table,
    print_text,
)
from croupier.cli.common.own import with_own
from croupier.cli.records.record_options import encoding_asked, limits_checked
from croupier.cli.records.repair import print_repair
from croupier.cli.submission.rules import priced_of, print_rules
from croupier.files.errors import FileError
from croupier.records.rounds.mapping import RoundMapping, read_mapping
from croupier.records.rounds.plain_cells import readable
from croupier.rules import TableRules
from croupier.rules.documents import provenance
from croupier.verify.rounds.documents import KINDS
from croupier.verify.rounds.file import verify_file
from croupier.verify.rounds.findings import VerificationReport
from croupier.verify.rounds.repairing import Repaired, repair_file

if TYPE_CHECKING:
    from croupier.verify.rounds import documents


class Outputs(Struct, frozen=True):
    """Where to write a repair and a list of differences, and whether to replace files."""

    repair: Path | None = None
    differences: Path | None = None
    force: bool = False


_MOST_COLUMNS: Final = 40
"""Columns named in text output; JSON has them all."""

_LEAST_ROUNDS: Final = 100
"""With fewer rounds, text output omits the census; JSON includes it."""


def mapping_named(path: Path | None, rules: TableRules) -> RoundMapping | None:
    """Return the mapping in a file, with --encoding and --no-limits, or exit with status 2."""
    own = [offer.wager.id for offer in rules.own]
    try:
        mapping = None if path is None else read_mapping(path, own)
    except FileError as error:
        errors = "\n".join(f"  {detail}" for detail in error.errors)
        fail(f"{path} is not a valid mapping of rounds:\n{errors}")
    if (encoding := encoding_asked()) is not None:
        mapping = replace(mapping or RoundMapping(), encoding=encoding)
    if not limits_checked():
        mapping = replace(mapping or RoundMapping(), limits_checked=False)
    return mapping


def verify_rounds(  # noqa: PLR0913  (each is an option of the command)
    path: Path,
    submission: Path,
    mapping: Path | None,
    outputs: Outputs,
    *,
    own: Sequence[Path] = (),
    cards_behind: int | None,
    max_listed: int,
    output_format: str,
) -> None:
    """Verify a record and print the result; exit with status 1 if it diverges."""
    rules = with_own(priced_of(submission), own)
    behind_named(rules, cards_behind)
    named = mapping_named(mapping, rules)
    files = outputs.repair, outputs.differences
    check_outputs(*files, force=outputs.force)
    repaired = None
    try:
        if files == (None, None):
            verification = verify_file(
                path, rules, named, cards_behind=cards_behind, limit=max_listed
            )
        else:
            repaired = repair_file(
                path,
                rules,
                named,
                out=files[0],
                differences=files[1],
                cards_behind=cards_behind,
                limit=max_listed,
                reads=read_files(),
                force=outputs.force,
            )
            verification = repaired.verification
    except FileError as error:
        unread(path, error)
    if output_format == "json":
        print_json(verification_data(verification, repaired, outputs.repair))
    else:
        _print(path, verification, repaired, outputs)
    if not verification.is_clean:
        raise SystemExit(FAILS)


def unread(path: Path, error: FileError) -> NoReturn:
    """Print why a record cannot be read and exit with status 2."""
    errors = "\n".join(f"  {detail}" for detail in error.errors)
    fail(f"{path} cannot be read as a record of rounds:\n{errors}")


def behind_named(rules: TableRules, cards_behind: int | None) -> None:
    """Exit with status 2 if the number of cards behind the cutting card is not possible."""
    if cards_behind is None:
        return
    least = 0
    if "cut.cutting_card_from_back" in rules.law.rules:
        least = rules.bound("cut.cutting_card_from_back")
    size = rules.decks_per_shoe * 52
    if not least <= cards_behind < size:
        fail(
            f"--cards-behind {cards_behind}: at least {least} cards of {size} must be behind the "
            "cutting card"
        )


def verification_data(
    verification: VerificationReport, repaired: Repaired | None, out: Path | None
) -> documents.VerificationReport:
    """Return a verification with its repairs as data."""
    repair: documents.RepairedFile | None = None
    if repaired is not None and out is not None:
        repair = {"file": str(out), **repaired.repair.as_data(verification.by_kind)}
    return {
        "format": "croupier-verification/1",
        **provenance(verification.rules, command_line()),
        **verification.as_data(),
        "repair": repair,
        "differences": None if repaired is None else repaired.account.as_data(),
    }


def _print(
    path: Path, verification: VerificationReport, repaired: Repaired | None, outputs: Outputs
) -> None:
    out = console()
    rounds, shoes = verification.rounds, verification.shoes
    read = f"Checked {_several(rounds, 'round')} in {_several(shoes, 'shoe')}."
    if verification.is_clean:
        out.print(Text(f"PASS: {path} conforms to the rules.", style="bold green"))
        print_text(read)
    else:
        out.print(Text(f"FAIL: {path} does not conform to the rules.", style="bold red"))
        print_text(f"First divergence: {verification.divergences[0]}", indent=2)
        print_text(read)
        _print_kinds(verification)
        _print_others(verification)
    for reason, number in verification.unverified.items():
        print_text(f"Not checked, {_several(number, 'time')}: {reason}.")
    for hint in verification.hints:
        print_text(hint)
    _print_columns("Read", verification.columns_read)
    _print_columns("Not read", verification.columns_unread)
    if repaired is not None:
        blank()
        print_repair(repaired, outputs.repair, outputs.differences)
    if verification.census is not None:
        _print_census(verification.census)
    blank()
    print_rules(verification.rules)


def _print_columns(how: str, names: Sequence[str]) -> None:
    if names:
        shown = [readable(name) for name in names[:_MOST_COLUMNS]]
        more = f", and {len(names) - _MOST_COLUMNS} more" if len(names) > _MOST_COLUMNS else ""
        print_text(f"{how}: {', '.join(shown)}{more}.")


def _several(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _print_kinds(verification: VerificationReport) -> None:
    blank()
    table = plain_table("Kind", "times", "description")
    for kind, meaning in KINDS.items():
        if verification.by_kind[kind]:
            table.add_row(kind, f"{verification.by_kind[kind]:,}", meaning)
    print_table(table)


def _print_others(verification: VerificationReport) -> None:
    others = verification.divergences[1:]
    if others:
        blank()
    for one in others:
        print_text(str(one), indent=2)
    left_out = verification.by_kind.total() - len(verification.divergences)
    if left_out:
        print_text(f"{left_out:,} more not shown; use --max-listed NUMBER to show more.", indent=2)


def _print_census(census: documents.Census) -> None:
    if census["rounds"] < _LEAST_ROUNDS:
        return
    blank()
    rounds, cards = census["rounds"], census["shoe_cards"]
    chi_square = census["chi_square"]
    print_text(
        f"Census of {_several(rounds, 'round')}, compared with the exact odds of a shoe of "
        f"{cards} cards"
    )
    if chi_square is not None:
        print_text(
            f"chi-square {chi_square['statistic']:.2f} by winner and number of cards,"
            f" {chi_square['degrees_of_freedom']} degrees of freedom, p {chi_square['p']:.4f}",
            indent=2,
        )
    table = plain_table("Wager", "exact EV per unit", "brought", "z", "p")
    for one in census["wagers"]:
        z = "" if one["z"] is None else f"{one['z']:+.2f}"
        p = "" if one["p"] is None else f"{one['p']:.4f}"
        brought = (f"{one['expected']:+.6f}", f"{one['found']:+.6f}")
        table.add_row(one["wager"].replace("_", " "), *brought, z, p)
    print_table(table)
    print_text(census["warning"])
