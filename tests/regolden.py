"""Rewrites what is kept and made by the program: playthroughs, schemas, tables, traceability.

Run it after a change that is meant, and read the difference before it is kept:

    python tests/regolden.py && git diff tests/data/playthroughs docs

``--events`` also plays every scenario, and lists anew which events and commands cite each clause: some minutes.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from croupier.cli import main as croupier
from croupier.cli.common.schema import SCHEMAS
from croupier.files.version import __version__
from croupier.law.coverage import COVERAGE
from support import (
    blackjack_playthroughs,
    command_line_document,
    commands_document,
    contracts_document,
    licenses_document,
    packages_diagram,
    promised,
    service_document,
    stable,
    surface,
)
from support.coverage_list import (
    coverage_list,
    listed_citations,
    note_citations,
    note_scenarios,
)
from support.days import DAYS
from support.elections_document import DOCUMENT as ELECTIONS
from support.elections_document import document, readings
from support.playthroughs import FOLDER, GOLDEN, told
from support.project import ROOT
from support.table_log_document import DOCUMENT, TABLES, filled


def main() -> None:
    blackjack_playthroughs.main()
    cited = listed_citations()
    if "--events" in sys.argv[1:]:
        cited = {kind: {} for kind in cited}
        note_scenarios(cited)
    with TemporaryDirectory() as folder:
        for one in GOLDEN:
            played = one.play(Path(folder) / "table.jsonl")
            note_citations(cited, (Path(folder) / "table.jsonl").read_bytes())
            one.path.write_text(told(played), encoding="utf-8")
        for day in DAYS:
            played = day.play(Path(folder) / "table.jsonl").events
            note_citations(cited, (Path(folder) / "table.jsonl").read_bytes())
            (FOLDER / f"{day.name}.txt").write_text(told(played), encoding="utf-8")
    for name in SCHEMAS:
        printed = CliRunner().invoke(croupier, ["schema", name]).stdout
        kept = ROOT / "docs" / "schemas" / f"{name}.schema.json"
        kept.write_text(printed, encoding="utf-8")
    COVERAGE.write_text(coverage_list(cited), encoding="utf-8")
    printed = CliRunner().invoke(croupier, ["law", "coverage", "--format", "markdown"]).stdout
    (ROOT / "docs" / "traceability.md").write_text(printed, encoding="utf-8")
    text = DOCUMENT.read_text(encoding="utf-8")
    for name in TABLES:
        text = filled(text, name)
    DOCUMENT.write_text(text, encoding="utf-8")
    command_line_document.DOCUMENT.write_text(command_line_document.filled(), encoding="utf-8")
    service_document.DOCUMENT.write_text(service_document.filled(), encoding="utf-8")
    ELECTIONS.write_text(document(), encoding="utf-8")
    contracts_document.DOCUMENT.write_text(contracts_document.document(), encoding="utf-8")
    licenses_document.DOCUMENT.write_text(licenses_document.document(), encoding="utf-8")
    commands_document.DOCUMENT.write_text(commands_document.document(), encoding="utf-8")
    public = surface.surface(
        surface.KEPT.read_text(encoding="utf-8"), surface.shapes(), __version__
    )
    surface.KEPT.write_text(public, encoding="utf-8")
    packages_diagram.DIAGRAM.write_text(packages_diagram.diagram(), encoding="utf-8")
    stable.KEPT.write_text(stable.grown(), encoding="utf-8")
    promised.KEPT.write_text(promised.promised(), encoding="utf-8")
    submission = ROOT / "docs" / "rules-submission.md"
    begin, end = "<!-- readings: begin -->\n", "\n<!-- readings: end -->"
    before, _, rest = submission.read_text(encoding="utf-8").partition(begin)
    after = rest.partition(end)[2]
    submission.write_text(f"{before}{begin}{readings()}{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
