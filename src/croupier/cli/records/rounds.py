"""``croupier verify`` for external rounds."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from croupier.cli.common.files import check_outputs, give, read_files
from croupier.cli.common.output import command_line, exit_unless, fail, fail_with
from croupier.cli.records.record_options import encoding_asked, limits_checked
from croupier.cli.submission.rules import priced_of, with_own
from croupier.files.errors import FileError
from croupier.files.pipes import PipedFile
from croupier.records.rounds.finding import sheets_of_rounds
from croupier.records.rounds.mapping import RoundMapping, read_mapping
from croupier.records.rounds.tables import ColumnsError
from croupier.reports.audit import rounds_verification_tree, verified_files_tree
from croupier.rules import TableRules
from croupier.rules.documents import provenance
from croupier.verify.pieces import pool
from croupier.verify.rounds.documents import KINDS
from croupier.verify.rounds.findings import ShoeSpan, VerificationReport
from croupier.verify.rounds.inferring import inferred, read_as, verify_inferring
from croupier.verify.rounds.order import missing_between
from croupier.verify.rounds.repair import Repaired, repair_file

if TYPE_CHECKING:
    from croupier.verify.rounds import documents


_LEAST_BYTES: Final = 1 << 20
"""Smaller files are verified sooner than processes start."""


class ExternalAsked(Struct, frozen=True):
    submission: Path
    mapping: Path | None
    own: tuple[Path, ...]
    cards_behind: int | None
    max_listed: int | None
    repair: Path | None
    differences: Path | None
    force: bool
    output_format: str

    @property
    def listed(self) -> int:
        is_page = self.output_format in {"text", "html", "pdf"}
        return self.max_listed or (20 if is_page else 10_000)

    def rules(self) -> TableRules:
        return with_own(priced_of(self.submission), self.own)

    def verified(
        self, path: Path, rules: TableRules, named: RoundMapping | None
    ) -> VerificationReport:
        infers, behind = self.mapping is None, self.cards_behind
        return verify_inferring(
            path, rules, named, infers=infers, cards_behind=behind, limit=self.listed
        )


def mapping_named(path: Path | None, rules: TableRules) -> RoundMapping | None:
    own = [offer.wager.id for offer in rules.own]
    try:
        mapping = None if path is None else read_mapping(path, own)
    except FileError as error:
        fail_with(f"{path} is not a valid mapping of rounds", error.errors)
    if (encoding := encoding_asked()) is not None:
        mapping = replace(mapping or RoundMapping(), encoding=encoding)
    if not limits_checked():
        mapping = replace(mapping or RoundMapping(), limits_checked=False)
    return mapping


def verify_external(paths: Sequence[Path], asked: ExternalAsked, processes: int | None) -> None:
    is_repaired = (asked.repair, asked.differences) != (None, None)
    if len(paths) == 1 and processes is not None:
        fail("--threads are of a table log, or of several files: leave it out")
    if len(paths) > 1 and is_repaired:
        fail("--repair and --differences are of one file: name one RECORD")
    rules = asked.rules()
    behind_named(rules, asked.cards_behind)
    named = mapping_named(asked.mapping, rules)
    if len(paths) > 1:
        _verify_files(paths, asked, rules, named, processes or os.cpu_count() or 1)
        return
    (path,) = paths
    if len(sheets := _sheets(path, named, rules)) > 1:
        if is_repaired:
            fail(
                f"{path}: rounds are on {', '.join(sheets)}, and --repair and --differences are of "
                f'one: name it in a mapping, as [file] sheet = "{sheets[0]}"'
            )
        _verify_files(paths, asked, rules, named, 1)
        return
    check_outputs(asked.repair, asked.differences, force=asked.force)
    repaired = None
    try:
        if is_repaired:
            repaired = _repaired(path, asked, rules, named)
            verification = repaired.verification
        else:
            verification = asked.verified(path, rules, named)
    except FileError as error:
        unread(path, error)
    data = verification_data(verification, repaired, asked.repair)
    tree = partial(rounds_verification_tree, record=str(path), kinds=KINDS)
    give(data, tree, asked.output_format)
    exit_unless(verification.is_clean)


def _repaired(
    path: Path, asked: ExternalAsked, rules: TableRules, named: RoundMapping | None
) -> Repaired:
    assumptions: list[str] = []
    if asked.mapping is None and (found := inferred(path, rules, named or RoundMapping())):
        named, assumptions = read_as(found, named), found.assumptions
    repaired = repair_file(
        path,
        rules,
        named,
        out=asked.repair,
        differences=asked.differences,
        cards_behind=asked.cards_behind,
        limit=asked.listed,
        reads=read_files(),
        force=asked.force,
    )
    repaired.verification.assumptions = assumptions
    return repaired


def _sheets(path: Path, named: RoundMapping | None, rules: TableRules) -> list[str]:
    own = [offer.wager.id for offer in rules.own]
    try:
        return sheets_of_rounds(path, named or RoundMapping(), own)
    except FileError:
        return []  # It is refused when it is read.


class _Verified(NamedTuple):
    name: str
    result: documents.Judged
    spans: Mapping[str, ShoeSpan]


def _verified(
    asked: ExternalAsked, named: RoundMapping | None, path: Path
) -> list[_Verified] | FileError:
    """Verify a file, or each sheet of a workbook, in a process of its own."""
    rules = asked.rules()
    sheets, found = _sheets(path, named, rules), []
    try:
        for sheet in sheets if len(sheets) > 1 else (None,):
            of_sheet = named if sheet is None else replace(named or RoundMapping(), sheet=sheet)
            report = asked.verified(path, rules, of_sheet)
            name = str(path) if sheet is None else f"{path}, sheet {sheet}"
            found.append(_Verified(name, report.as_data(), report.spans))
    except FileError as error:
        return error
    return found


def _verify_files(
    paths: Sequence[Path],
    asked: ExternalAsked,
    rules: TableRules,
    named: RoundMapping | None,
    processes: int,
) -> None:
    verify, processes = partial(_verified, asked, named), min(processes, len(paths))
    if processes > 1 and sum(path.stat().st_size for path in paths) > _LEAST_BYTES:
        with pool(processes) as executor:
            found = list(executor.map(verify, paths))
    else:
        found = list(map(verify, paths))
    unreadable = [
        (path, one) for path, one in zip(paths, found, strict=True) if isinstance(one, FileError)
    ]
    if unreadable:
        (first, refusal), *others = unreadable
        unread(first, type(refusal)(*refusal.errors, *(
            f"{path}: {error}" for path, other in others for error in other.errors
        )))  # fmt: skip
    judged = [one for several in found if isinstance(several, list) for one in several]
    files: list[documents.VerifiedFile] = [{"file": one.name, **one.result} for one in judged]
    missing_between([(file, one.spans) for file, one in zip(files, judged, strict=True)])
    data: documents.VerifiedFiles = {
        "format": "croupier-verified-files/1",
        **provenance(rules, command_line()),
        "clean": all(file["clean"] for file in files),
        "rounds": sum(file["rounds"] for file in files),
        "shoes": sum(file["shoes"] for file in files),
        "files": files,
    }
    give(data, verified_files_tree, asked.output_format)
    exit_unless(data["clean"])


def unread(path: Path, error: FileError) -> NoReturn:
    errors = "\n".join(f"  {detail}" for detail in error.errors)
    remedy = ""
    if isinstance(error, ColumnsError) and command_line().split()[1:2] != ["map"]:
        record = "FILE" if isinstance(path, PipedFile) else shlex.quote(os.fspath(path))
        remedy = f"\ntry: croupier map {record}"
    fail(f"{path} cannot be read as a record of rounds:\n{errors}{remedy}")


def behind_named(rules: TableRules, cards_behind: int | None) -> None:
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
