"""``croupier schema``: print the JSON Schema of a file or output format."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final

import click

from croupier.cli.common import documents as tables
from croupier.cli.common.files import check_outputs, give_text, out_options
from croupier.cli.law import documents as laws
from croupier.cli.records.documents import (
    ExternalRoundReport,
    FollowedSets,
    FoundRounds,
    Irregularities,
)
from croupier.cli.submission import documents as submissions
from croupier.drills import documents as drills
from croupier.odds import documents as odds
from croupier.odds.custom_wagers import own_wager
from croupier.records import heads
from croupier.records.checkpoints import Checkpoint, CheckpointOfFormat1
from croupier.records.documents import RulesWritten, answer_of_run, table_log
from croupier.records.json_schema import Schema, schema_of
from croupier.records.layout import LayoutShown
from croupier.records.signing import trust_file
from croupier.records.submission_schema import rules_submission
from croupier.records.view.documents import ActsSeen, EntrySeen, TableSeen
from croupier.scenarios.vectors import documents as vectors
from croupier.simulation.documents import SessionReport, SimulationReport
from croupier.verify import round_documents
from croupier.verify.rounds import documents as rounds
from croupier.verify.rounds.documents import round_mapping, round_record

_DOCUMENTS: Final[Mapping[str, object]] = {
    "par": odds.ParSheet,
    "par-check": odds.VendorCheck,
    "par-comparison": odds.ParComparison,
    "par-sweep": odds.EdgeSweep,
    "odds": odds.RoundOdds,
    "odds-table": odds.OddsTable,
    "count": odds.CountingStudy,
    "design": odds.DesignReport,
    "count-rounds": odds.CountingRounds,
    "simulation": SimulationReport,
    "session": SessionReport,
    "rounds-verification": rounds.VerificationReport,
    "verified-files": rounds.VerifiedFiles,
    "audit": rounds.Audit,
    "doctor": tables.Examination,
    "store-check": tables.StoreCheck,
    "store-copy": tables.StoreCopy,
    "check": tables.SubmissionCheck,
    "dossier": submissions.Dossier,
    "submission-diff": submissions.SubmissionDifferences,
    "deal": tables.DealSummary,
    "run": tables.RunSummary,
    "log-verification": tables.LogVerification,
    "verified-logs": tables.VerifiedLogs,
    "pit-log-verification": tables.PitLogVerification,
    "round": tables.LoggedRoundExplained,
    "layout": LayoutShown,
    "round-report": round_documents.RoundReport,
    "external-round-report": ExternalRoundReport,
    "found-rounds": FoundRounds,
    "irregularities": Irregularities,
    "decks": FollowedSets,
    "ledger": tables.AccountsOfLog,
    "draws": tables.DrawsOfLog,
    "drill": drills.DrillPaper,
    "drill-boxes": drills.DrillBoxes,
    "drill-learners": drills.DrillLearners,
    "drill-coverage": drills.CoverageOfDrills,
    "drill-key": drills.DrillKey,
    "drill-results": drills.DrillResults,
    "external-round": tables.RoundExplained,
    "proposed-mapping": tables.ProposedMapping,
    "blackjack": tables.BlackjackRounds,
    "blackjack-simulation": tables.BlackjackSimulation,
    "law-list": laws.LawList,
    "law": laws.LawTextShown,
    "law-coverage": laws.LawCoverage,
    "law-interpretations": laws.LawInterpretations,
    "law-elections": laws.LawElections,
    "law-history": laws.LawHistory,
    "law-diff": laws.LawDifferences,
    "law-comparison": laws.LawComparison,
    "law-check": laws.LawCheck,
    "law-search": laws.LawSearch,
    "help-search": laws.HelpSearch,
    "act-sheets": laws.ActSheets,
    "law-test": laws.LawTest,
}

_RESULTS: Final = {
    "round-result": ("rounds", "RoundResult"),
    "log-verdict": ("records", "LogVerdict"),
}
"""What the Python surface gives as ``to_dict``, where no command writes the same."""


def _result(module: str, kind: str) -> Schema:
    home = import_module(f"croupier.api.{module}")
    fraction = {"type": "string", "pattern": r"^-?[0-9]+/[0-9]+$"}
    return schema_of(getattr(home, kind), kind, leaves={Fraction: fraction})


def _law_file() -> Schema:
    from croupier.law.resolve import rule_titles  # noqa: PLC0415  (for this alone)
    from croupier.law.schema import law_file  # noqa: PLC0415  (for this alone)

    return law_file(rule_titles())


def _settings() -> Schema:
    from croupier.cli.tables.serve import serve  # noqa: PLC0415  (for this alone)
    from croupier.cli.tables.settings import settings_schema  # noqa: PLC0415

    return settings_schema(serve)


SCHEMAS: Final[Mapping[str, Callable[[], Schema]]] = {
    "table-log": table_log,
    "checkpoint": partial(schema_of, CheckpointOfFormat1 | Checkpoint, "croupier-checkpoint"),
    "heads": partial(schema_of, heads.HeadsLine, heads.FORMAT),
    "trust": trust_file,
    "run-answer": answer_of_run,
    "table-view": partial(schema_of, TableSeen),
    "entry-view": partial(schema_of, EntrySeen),
    "acts-view": partial(schema_of, ActsSeen),
    "rules-submission": rules_submission,
    **{name: partial(schema_of, kind) for name, kind in _DOCUMENTS.items()},
    "game-rules": partial(schema_of, RulesWritten, "GameRules"),
    **{name: partial(_result, module, kind) for name, (module, kind) in _RESULTS.items()},
    "law-file": _law_file,
    "own-wager": own_wager,
    "settings": _settings,
    "round-record": round_record,
    "round-mapping": round_mapping,
    **vectors.SCHEMAS,
}


@click.command(epilog="NAME is one of " + ", ".join(SCHEMAS) + ".")
@click.argument("name", metavar="NAME", type=click.Choice(list(SCHEMAS)))
@out_options
def schema(name: str, out: Path | None, *, force: bool) -> None:
    """Print the JSON Schema of a file or output format, by name."""
    check_outputs(out, force=force)
    schema_data = SCHEMAS[name]()
    give_text(f"{json.dumps(schema_data, indent=2, ensure_ascii=False)}\n", out, force=force)
