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
from croupier.verify.rounds.shoe import ShoeTerms

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
        self, path: Path, rules: TableRules, mapping: RoundMapping | None
    ) -> VerificationReport:
        is_inferring, cards_after = self.mapping is None, self.cards_behind
        return verify_inferring(
            path, rules, mapping, infers=is_inferring, cards_behind=cards_after, limit=self.listed
        )


def mapping_named(path: Path | None, rules: TableRules) -> RoundMapping | None:
    custom_wagers = [offer.wager.id for offer in rules.own]
    try:
        mapping = None if path is None else read_mapping(path, custom_wagers)
    except FileError as error:
        fail_with(f"{path} is not a valid mapping of rounds", error.errors)
    if (encoding := encoding_asked()) is not None:
        mapping = replace(mapping or RoundMapping(), encoding=encoding)
    if not limits_checked():
        mapping = replace(mapping or RoundMapping(), limits_checked=False)
    return mapping


def verify_external(paths: Sequence[Path], options: ExternalAsked, processes: int | None) -> None:
    is_repaired = (options.repair, options.differences) != (None, None)
    if len(paths) == 1 and processes is not None:
        fail("--threads are of a table log, or of several files: leave it out")
    if len(paths) > 1 and is_repaired:
        fail("--repair and --differences are of one file: name one RECORD")
    rules = options.rules()
    behind_named(rules, options.cards_behind)
    mapping = mapping_named(options.mapping, rules)
    if len(paths) > 1:
        _verify_files(paths, options, rules, mapping, processes or os.cpu_count() or 1)
        return
    (path,) = paths
    if len(sheets := _sheets(path, mapping, rules)) > 1:
        if is_repaired:
            fail(
                f"{path}: rounds are on {', '.join(sheets)}, and --repair and --differences are of "
                f'one: name it in a mapping, as [file] sheet = "{sheets[0]}"'
            )
        _verify_files(paths, options, rules, mapping, 1)
        return
    check_outputs(options.repair, options.differences, force=options.force)
    repaired_record = None
    try:
        if is_repaired:
            repaired_record = _repaired(path, options, rules, mapping)
            verification = repaired_record.verification
        else:
            verification = options.verified(path, rules, mapping)
    except FileError as error:
        unread(path, error)
    data = verification_data(verification, repaired_record, options.repair)
    tree = partial(rounds_verification_tree, record=str(path), kinds=KINDS)
    give(data, tree, options.output_format)
    exit_unless(verification.is_clean)


def _repaired(
    path: Path, options: ExternalAsked, rules: TableRules, mapping: RoundMapping | None
) -> Repaired:
    assumptions: list[str] = []
    if options.mapping is None and (inference := inferred(path, rules, mapping or RoundMapping())):
        mapping, assumptions = read_as(inference, mapping), inference.assumptions
    repaired_record = repair_file(
        path,
        rules,
        mapping,
        out=options.repair,
        differences=options.differences,
        cards_behind=options.cards_behind,
        limit=options.listed,
        reads=read_files(),
        force=options.force,
    )
    repaired_record.verification.assumptions = assumptions
    return repaired_record


def _sheets(path: Path, mapping: RoundMapping | None, rules: TableRules) -> list[str]:
    custom_wagers = [offer.wager.id for offer in rules.own]
    try:
        return sheets_of_rounds(path, mapping or RoundMapping(), custom_wagers)
    except FileError:
        return []  # It is refused when it is read.


class _Verified(NamedTuple):
    name: str
    result: documents.Judged
    spans: Mapping[str, ShoeSpan]


def _verified(
    options: ExternalAsked, mapping: RoundMapping | None, path: Path
) -> list[_Verified] | FileError:
    """Verify a file, or each sheet of a workbook, in a process of its own."""
    rules = options.rules()
    sheets, results = _sheets(path, mapping, rules), []
    try:
        for sheet in sheets if len(sheets) > 1 else (None,):
            of_sheet = mapping if sheet is None else replace(mapping or RoundMapping(), sheet=sheet)
            report = options.verified(path, rules, of_sheet)
            name = str(path) if sheet is None else f"{path}, sheet {sheet}"
            results.append(_Verified(name, report.as_data(), report.spans))
    except FileError as error:
        return error
    return results


def _verify_files(
    paths: Sequence[Path],
    options: ExternalAsked,
    rules: TableRules,
    mapping: RoundMapping | None,
    processes: int,
) -> None:
    verify, processes = partial(_verified, options, mapping), min(processes, len(paths))
    if processes > 1 and sum(path.stat().st_size for path in paths) > _LEAST_BYTES:
        with pool(processes) as executor:
            results = list(executor.map(verify, paths))
    else:
        results = list(map(verify, paths))
    file_errors = [
        (path, one) for path, one in zip(paths, results, strict=True) if isinstance(one, FileError)
    ]
    if file_errors:
        (first_path, refusal), *other_errors = file_errors
        unread(first_path, type(refusal)(*refusal.errors, *(
            f"{path}: {error}" for path, other_error in other_errors for error in other_error.errors
        )))  # fmt: skip
    good_results = [one for results in results if isinstance(results, list) for one in results]
    files: list[documents.VerifiedFile] = [{"file": one.name, **one.result} for one in good_results]
    missing_between([(file, one.spans) for file, one in zip(files, good_results, strict=True)])
    data: documents.VerifiedFiles = {
        "format": "croupier-verified-files/1",
        **provenance(rules, command_line()),
        "clean": all(file["clean"] for file in files),
        "rounds": sum(file["rounds"] for file in files),
        "shoes": sum(file["shoes"] for file in files),
        "files": files,
    }
    give(data, verified_files_tree, options.output_format)
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
    terms = ShoeTerms.of(rules)
    minimum, size = terms.cards_behind, terms.cards
    if not minimum <= cards_behind < size:
        fail(
            f"--cards-behind {cards_behind}: at least {minimum} cards of {size} must be behind the "
            "cutting card"
        )


def verification_data(
    verification: VerificationReport, repaired_record: Repaired | None, path: Path | None
) -> documents.VerificationReport:
    repair: documents.RepairedFile | None = None
    if repaired_record is not None and path is not None:
        repair = {"file": str(path), **repaired_record.repair.as_data(verification.by_kind)}
    return {
        "format": "croupier-verification/1",
        **provenance(verification.rules, command_line()),
        **verification.as_data(),
        "repair": repair,
        "differences": None if repaired_record is None else repaired_record.account.as_data(),
    }
