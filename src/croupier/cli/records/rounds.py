"""``croupier verify`` for external rounds."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from croupier.cli.common.document import give
from croupier.cli.common.files import check_outputs, read_files
from croupier.cli.common.output import FAILS, command_line, fail, fail_with
from croupier.cli.common.own import with_own
from croupier.cli.records.record_options import encoding_asked, limits_checked
from croupier.cli.submission.rules import priced_of
from croupier.files.errors import FileError
from croupier.files.pipes import PipedFile
from croupier.records.rounds.mapping import RoundMapping, read_mapping
from croupier.reports.audit import rounds_verification_tree, verified_files_tree
from croupier.rules import TableRules
from croupier.rules.documents import provenance
from croupier.verify.pieces import pool
from croupier.verify.rounds.documents import KINDS
from croupier.verify.rounds.findings import VerificationReport
from croupier.verify.rounds.inferring import inferred, read_as, verify_inferring
from croupier.verify.rounds.repairing import Repaired, repair_file

if TYPE_CHECKING:
    from croupier.verify.rounds import documents


_LEAST_BYTES: Final = 1 << 20
"""Smaller files are verified sooner than processes start."""


class Outputs(Struct, frozen=True):
    repair: Path | None = None
    differences: Path | None = None
    force: bool = False


def mapping_named(path: Path | None, rules: TableRules) -> RoundMapping | None:
    """Return the mapping in a file, with --encoding and --no-limits."""
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


def verify_external(  # noqa: PLR0913  (each is an option of the command)
    paths: Sequence[Path],
    submission: Path,
    mapping: Path | None,
    outputs: Outputs,
    *,
    own: Sequence[Path],
    cards_behind: int | None,
    max_listed: int | None,
    processes: int | None,
    output_format: str,
) -> None:
    listed = max_listed or (20 if output_format in {"text", "html", "pdf"} else 10_000)
    if len(paths) == 1:
        if processes is not None:
            fail("--threads are of a table log, or of several files: leave it out")
        verify_rounds(
            paths[0], submission, mapping, outputs, own=own,
            cards_behind=cards_behind, max_listed=listed, output_format=output_format,
        )  # fmt: skip
        return
    if (outputs.repair, outputs.differences) != (None, None):
        fail("--repair and --differences are of one file: name one RECORD")
    verify_files(
        paths, submission, mapping, own=own, cards_behind=cards_behind, max_listed=listed,
        processes=processes or os.cpu_count() or 1, output_format=output_format,
    )  # fmt: skip


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
    rules = with_own(priced_of(submission), own)
    behind_named(rules, cards_behind)
    named = mapping_named(mapping, rules)
    files = outputs.repair, outputs.differences
    check_outputs(*files, force=outputs.force)
    repaired = None
    try:
        if files == (None, None):
            verification = verify_inferring(
                path, rules, named,
                infers=mapping is None, cards_behind=cards_behind, limit=max_listed,
            )  # fmt: skip
        else:
            assumptions: list[str] = []
            if mapping is None and (found := inferred(path, rules, named or RoundMapping())):
                named, assumptions = read_as(found, named), found.assumptions
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
            verification.assumptions = assumptions
    except FileError as error:
        unread(path, error)
    data = verification_data(verification, repaired, outputs.repair)
    give(data, partial(rounds_verification_tree, record=str(path), kinds=KINDS), output_format)
    if not verification.is_clean:
        raise SystemExit(FAILS)


class _FileJob(NamedTuple):
    """One of several files, for a process of its own."""

    path: Path
    submission: Path
    own: tuple[Path, ...]
    named: RoundMapping | None
    infers: bool
    cards_behind: int | None
    limit: int


def _verified(job: _FileJob) -> documents.Judged | list[str]:
    """Return the verification of a file, or why it cannot be read."""
    rules = with_own(priced_of(job.submission), job.own)
    try:
        return verify_inferring(
            job.path, rules, job.named,
            infers=job.infers, cards_behind=job.cards_behind, limit=job.limit,
        ).as_data()  # fmt: skip
    except FileError as error:
        return list(error.errors)


def verify_files(  # noqa: PLR0913  (each is an option of the command)
    paths: Sequence[Path],
    submission: Path,
    mapping: Path | None,
    *,
    own: Sequence[Path] = (),
    cards_behind: int | None,
    max_listed: int,
    processes: int,
    output_format: str,
) -> None:
    rules = with_own(priced_of(submission), own)
    behind_named(rules, cards_behind)
    named = mapping_named(mapping, rules)
    jobs = [
        _FileJob(path, submission, tuple(own), named, mapping is None, cards_behind, max_listed)
        for path in paths
    ]
    if min(processes, len(jobs)) > 1 and sum(path.stat().st_size for path in paths) > _LEAST_BYTES:
        with pool(min(processes, len(jobs))) as executor:
            found = list(executor.map(_verified, jobs))
    else:
        found = list(map(_verified, jobs))
    unreadable = [
        (path, one) for path, one in zip(paths, found, strict=True) if isinstance(one, list)
    ]
    if unreadable:
        unread(unreadable[0][0], FileError(*unreadable[0][1], *(
            f"{path}: {error}" for path, errors in unreadable[1:] for error in errors
        )))  # fmt: skip
    judged = [one for one in found if not isinstance(one, list)]
    files: list[documents.VerifiedFile] = [
        {"file": str(path), **result} for path, result in zip(paths, judged, strict=True)
    ]
    data: documents.VerifiedFiles = {
        "format": "croupier-verified-files/1",
        **provenance(rules, command_line()),
        "clean": all(result["clean"] for result in judged),
        "rounds": sum(result["rounds"] for result in judged),
        "shoes": sum(result["shoes"] for result in judged),
        "files": files,
    }
    give(data, verified_files_tree, output_format)
    if not data["clean"]:
        raise SystemExit(FAILS)


def unread(path: Path, error: FileError) -> NoReturn:
    errors = "\n".join(f"  {detail}" for detail in error.errors)
    this = "map" in command_line().split()[1:2]
    remedy = "" if this else f"\ntry: {shlex.join(['croupier', 'map', os.fspath(path)])}"
    if isinstance(path, PipedFile):
        remedy = "" if this else "\ntry: croupier map FILE"
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
