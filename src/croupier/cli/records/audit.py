"""``croupier audit``: a report on recorded rounds, in every format."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final

import click

from croupier.cli.common.files import (
    FORMS,
    check_outputs,
    file_word,
    form_named,
    give,
    report_options,
)
from croupier.cli.common.output import fail, usual_option
from croupier.cli.common.terminal import laws_asked
from croupier.cli.records.logs import rounds_advised
from croupier.cli.records.record_options import (
    encoding_asked,
    external_options,
    limits_checked,
    record_argument,
    table_asked,
)
from croupier.cli.records.rounds import behind_named, mapping_named, unread
from croupier.cli.submission.rules import table_of, with_own
from croupier.files.errors import FileError
from croupier.files.streams import FAILS, say
from croupier.verify.rounds.audit import audit_file, audit_log

_PLAIN: Final = {"shoes": 20, "max-listed": 200}


@click.command()
@record_argument
@external_options
@usual_option(
    "--shoes",
    type=click.IntRange(0, 1000),
    default=_PLAIN["shoes"],
    help="Number of shoes shown with their roads, starting with those that diverge.",
)
@usual_option(
    "--max-listed",
    type=click.IntRange(1, 100_000),
    default=_PLAIN["max-listed"],
    metavar="NUMBER",
    help="Maximum number of divergences and differences listed; all are counted.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="Format of a printed report; a file's suffix sets its format.",
)
@report_options
def audit(  # noqa: PLR0913, PLR0917  (each is an option of the command)
    record: Path,
    submission: Path | None,
    mapping: Path | None,
    own: tuple[Path, ...],
    cards_behind: int | None,
    shoes: int,
    max_listed: int,
    form: str | None,
    out: Path | None,
    *,
    force: bool,
) -> None:
    """Report the verification of RECORD: the regulation, hashes, first divergence, findings by
    clause, payments owed, results compared with the exact odds, and each shoe's roads.

    RECORD is a file of external rounds, in any form that `croupier verify` reads, or a Croupier
    table log. The same record under the same rules always produces the same bytes. Exit status: 1
    if the record diverges, 2 if it cannot be read.
    """  # noqa: D205  (the command's help is its first paragraph)
    check_outputs(out, force=force)
    form = form_named(out, form)
    reproduce = _reproduce(click.get_current_context().params)
    if submission is None:
        options = mapping, cards_behind, encoding_asked()
        if options != (None,) * 3 or own or not limits_checked():
            fail(
                "external rounds are verified against the rules of their table: add "
                "--submission FILE"
            )
        with rounds_advised(record, "To verify external rounds"):
            report = audit_log(
                record, shoes=shoes, limit=max_listed, table=table_asked(), reproduce=reproduce
            )
    else:
        rules = with_own(table_of(submission), own)
        behind_named(rules, cards_behind)
        own_mapping = mapping_named(mapping, rules)
        try:
            report = audit_file(
                record, rules, submission, own_mapping,
                cards_behind=cards_behind, shoes=shoes, limit=max_listed, reproduce=reproduce,
                sources=(mapping, own),
            )  # fmt: skip
        except FileError as error:
            unread(record, error)
    from croupier.reports.audit import audit_tree  # noqa: PLC0415  (JSON does not need it)

    give(report, audit_tree, form, out, force=force)
    if not report["clean"]:
        if out is not None:
            wrong = "does not conform to the rules" if report["by_kind"] else "has unread amounts"
            say(f"{out}: the record {wrong}")
        raise SystemExit(FAILS)


def _reproduce(asked: Mapping[str, Any]) -> str:
    options = [
        *(("--laws", place) for place in laws_asked()),
        ("--submission", asked["submission"]),
        ("--mapping", asked["mapping"]),
        *(("--own", path) for path in asked["own"]),
        ("--encoding", encoding_asked()),
        ("--table", table_asked()),
        *((f"--{name}", asked[name.replace("-", "_")]) for name in ("cards-behind", *_PLAIN)),
    ]
    words = [
        [name, file_word(value, folder=False) if isinstance(value, Path) else str(value)]
        for name, value in options
        if value not in {None, "", _PLAIN.get(name[2:])}
    ]
    flags = [] if limits_checked() else ["--no-limits"]
    record = file_word(asked["record"], folder=False)
    return shlex.join(["croupier", "audit", record, *chain.from_iterable(words), *flags])
