"""The output of ``croupier explain`` for an external round."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from croupier.cli.output import command_line, console, fail, headline, print_json, print_text
from croupier.cli.own import with_own
from croupier.cli.rounds import mapping_named, unread
from croupier.cli.rules import print_rules, table_of
from croupier.cli.transcript import line_data, print_lines
from croupier.documents import provenance
from croupier.files.errors import FileError
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.reading import open_rounds
from croupier.rules import TableRules
from croupier.verify.rounds.findings import VerifiedRound, plain_name
from croupier.verify.rounds.narration import narrate_divergences, narrate_round, narrate_wagers
from croupier.verify.rounds.verifier import RecordVerifier, verified_rounds

if TYPE_CHECKING:
    from croupier.cli.documents import RoundExplained

__all__ = ["explain_round"]

_SHOWN = 5
"""How many shoes to list if several have the round."""


def explain_round(  # noqa: PLR0913  (each is an option of the command)
    path: Path,
    submission: Path,
    mapping: Path | None,
    at: tuple[str | None, str],
    output_format: str,
    *,
    own: Sequence[Path] = (),
) -> None:
    """Explain the round that ``at`` names by shoe and number; exit with status 2 if there is none.

    The rounds before it are verified too: an error in a shoe shows in one of its rounds.
    """
    rules = with_own(table_of(submission), own)
    verified = _found(path, rules, mapping_named(mapping, rules), at)
    record = verified.record
    found = list(narrate_divergences(verified.divergences))
    story, wagers = list(narrate_round(verified, rules)), list(narrate_wagers(verified, rules))
    if output_format == "json":
        document: RoundExplained = {
            "format": "croupier-external-round/1",
            **provenance(rules, command_line()),
            "line": record.line,
            "shoe": plain_name(record.shoe),
            "round": plain_name(record.round),
            "divergences": [one.as_data() for one in verified.divergences],
            "narration": [line_data(line, rules.law) for line in story],
            "wagers": [line_data(line, rules.law) for line in wagers],
        }
        print_json(document)
        return
    out = console()
    shoe = f" of shoe {record.shoe}" if record.shoe else ""
    headline(f"Round {record.round}{shoe}, line {record.line}")
    print_lines(out, story, rules.law)
    out.print()
    if found:
        headline("Divergences")
        print_lines(out, found, rules.law)
    else:
        print_text("This round conforms to the rules.")
    if wagers:
        out.print()
        headline("Settlement of each wager")
        print_lines(out, wagers, rules.law)
    out.print()
    out.print(Text(f"Clauses are those of {rules.law.clause_prefix}."))
    print_rules(rules)


def _found(
    path: Path, rules: TableRules, mapping: RoundMapping | None, at: tuple[str | None, str]
) -> VerifiedRound:
    """Return the requested round. Exits with status 2 if there is none, or more than one."""
    shoe, number = at
    found: list[VerifiedRound] = []
    last: VerifiedRound | None = None
    try:
        rounds = open_rounds(path, mapping, rules.tableau)
        for verified in verified_rounds(rounds, RecordVerifier(rules, mapping, limit=0)):
            last = verified
            if verified.record.round == number and shoe in {None, verified.record.shoe}:
                found.append(verified)
                if shoe is not None or len(found) > _SHOWN:
                    break
    except FileError as error:
        unread(path, error)
    if (fault := rounds.builder.cards.number_fault) is not None:
        unread(path, FileError(fault))
    if not found:
        place = f"round {number}" if shoe is None else f"round {number} of shoe {shoe}"
        where = "" if last is None else f"; the last one is {_place(last)}"
        fail(f"{path}: there is no {place}{where}")
    if len(found) > 1:
        places = "\n".join(f"  {_place(one)}" for one in found[:_SHOWN])
        more = "\n  and more" if len(found) > _SHOWN else ""
        fail(f"{path}: several shoes have that round; select one with --shoe:\n{places}{more}")
    return found[0]


def _place(verified: VerifiedRound) -> str:
    record = verified.record
    shoe = f" of shoe {record.shoe}" if record.shoe else ""
    return f"round {record.round}{shoe}, line {record.line}"
