"""What ``croupier verify`` says of rounds that others dealt and recorded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NoReturn

from rich.text import Text

from croupier.cli.files import check_outputs, read_files
from croupier.cli.output import (
    FAILS,
    blank,
    console,
    fail,
    plain_table,
    print_json,
    print_table,
    tell,
)
from croupier.cli.record_options import encoding_asked
from croupier.cli.repair import print_repair, repair_data
from croupier.cli.rules import rules_data, table_of, tell_rules
from croupier.files.errors import FileError
from croupier.frozen import frozen
from croupier.records.rounds.mapping import RoundMapping, read_mapping
from croupier.rules import TableRules
from croupier.verify.rounds.file import judge_file
from croupier.verify.rounds.findings import KINDS, Judgement
from croupier.verify.rounds.repairing import Repaired, repair_file

__all__ = ["Outputs", "behind_named", "judgement_data", "mapping_named", "unread", "verify_rounds"]


@frozen
class Outputs:
    """Where a repair and a list of differences go, and whether a file there is replaced."""

    repair: Path | None = None
    differences: Path | None = None
    force: bool = False


_LEAST_ROUNDS: Final = 100
"""Of fewer rounds a census says nothing to a person; a program is given it all the same."""


def mapping_named(path: Path | None) -> RoundMapping | None:
    """Return the mapping of a file, with the encoding that --encoding names.

    Exits with status 2 and every fault if the file is not a mapping.
    """
    try:
        mapping = None if path is None else read_mapping(path)
    except FileError as error:
        faults = "\n".join(f"  {fault}" for fault in error.faults)
        fail(f"{path} is no mapping of rounds:\n{faults}")
    encoding = encoding_asked()
    return mapping if encoding is None else replace(mapping or RoundMapping(), encoding=encoding)


def verify_rounds(  # noqa: PLR0913  (each is an option of the command)
    path: Path,
    submission: Path,
    mapping: Path | None,
    outputs: Outputs,
    *,
    behind: int | None,
    most: int,
    output_format: str,
) -> None:
    """Judge a record of rounds and print what came of it; exit with status 1 where it diverges."""
    rules = table_of(submission)
    behind_named(rules, behind)
    named = mapping_named(mapping)
    files = outputs.repair, outputs.differences
    check_outputs(*files, force=outputs.force)
    repaired = None
    try:
        if files == (None, None):
            judgement = judge_file(path, rules, named, behind=behind, limit=most)
        else:
            repaired = repair_file(
                path,
                rules,
                named,
                out=files[0],
                differences=files[1],
                behind=behind,
                limit=most,
                reads=read_files(),
                force=outputs.force,
            )
            judgement = repaired.judgement
    except FileError as error:
        unread(path, error)
    if output_format == "json":
        more = {} if repaired is None else repair_data(repaired, outputs.repair)
        print_json(judgement_data(judgement) | more)
    else:
        _print(path, judgement, repaired, outputs)
    if not judgement.is_clean:
        raise SystemExit(FAILS)


def unread(path: Path, error: FileError) -> NoReturn:
    """Exit with status 2, and tell why a record cannot be read."""
    faults = "\n".join(f"  {fault}" for fault in error.faults)
    fail(f"{path} cannot be read as a record of rounds:\n{faults}")


def behind_named(rules: TableRules, behind: int | None) -> None:
    """Exit with status 2 where so many cards cannot lie behind the cutting card."""
    if behind is None:
        return
    least = 0
    if "cut.cutting_card_from_back" in rules.law.rules:
        least = rules.bound("cut.cutting_card_from_back")
    size = rules.decks_per_shoe * 52
    if not least <= behind < size:
        fail(f"--behind {behind}: at least {least} cards lie behind the cutting card, of {size}")


def judgement_data(judgement: Judgement) -> dict[str, Any]:
    """Return a judgement as the data of its JSON form, with the rules that were judged by."""
    return {**rules_data(judgement.rules), **judgement.as_data()}


def _print(path: Path, judgement: Judgement, repaired: Repaired | None, outputs: Outputs) -> None:
    out = console()
    rounds, shoes = judgement.rounds, judgement.shoes
    read = f"{_several(rounds, 'round')} of {_several(shoes, 'shoe')} judged."
    if judgement.is_clean:
        out.print(Text(f"{path} keeps the book.", style="bold green"))
        tell(read)
    else:
        out.print(Text(f"{path} diverges.", style="bold red"))
        tell(f"first at {judgement.divergences[0]}", indent=2)
        tell(read)
        _print_kinds(judgement)
        _print_others(judgement)
    for reason, number in judgement.unjudged.items():
        tell(f"Not judged, {_several(number, 'time')}: {reason}.")
    for hint in judgement.hints:
        tell(hint)
    if repaired is not None:
        blank()
        print_repair(repaired, outputs.repair, outputs.differences)
    _print_census(judgement.census or {})
    blank()
    tell_rules(judgement.rules)


def _several(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _print_kinds(judgement: Judgement) -> None:
    blank()
    table = plain_table("Kind", "times", "what it is")
    for kind, meaning in KINDS.items():
        if judgement.by_kind[kind]:
            table.add_row(kind, f"{judgement.by_kind[kind]:,}", meaning)
    print_table(table)


def _print_others(judgement: Judgement) -> None:
    others = judgement.divergences[1:]
    if others:
        blank()
    for one in others:
        tell(str(one), indent=2)
    left_out = judgement.by_kind.total() - len(judgement.divergences)
    if left_out:
        tell(f"{left_out:,} more are not shown; --most NUMBER shows more.", indent=2)


def _print_census(census: dict[str, Any]) -> None:
    if not census or census["rounds"] < _LEAST_ROUNDS:
        return
    blank()
    rounds, cards = census["rounds"], census["shoe_cards"]
    chi_square = census["chi_square"]
    tell(
        f"Census of {_several(rounds, 'round')}, beside what a shoe of {cards} cards makes of them"
    )
    if chi_square is not None:
        tell(
            f"chi-square {chi_square['statistic']:.2f} by winner and number of cards,"
            f" {chi_square['degrees_of_freedom']} degrees of freedom, p {chi_square['p']:.4f}",
            indent=2,
        )
    table = plain_table("Wager", "a unit brings by law", "brought", "z", "p")
    for one in census["wagers"]:
        z = "" if one["z"] is None else f"{one['z']:+.2f}"
        p = "" if one["p"] is None else f"{one['p']:.4f}"
        brought = (f"{one['expected']:+.6f}", f"{one['found']:+.6f}")
        table.add_row(one["wager"].replace("_", " "), *brought, z, p)
    print_table(table)
    tell(census["warning"])
