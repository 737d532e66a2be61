"""Rewrites what is kept and made by the program: playthroughs, schemas, tables, traceability.

Run it after a change that is meant, and read the difference before it is kept:

    python tests/regolden.py && git diff tests/data/playthroughs docs
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

import blackjack_playthroughs
from croupier.cli import main as croupier
from croupier.cli.schema import SCHEMAS
from forge import ROOT
from format_elections import DOCUMENT as ELECTIONS
from format_elections import document, readings
from format_tables import DOCUMENT, TABLES, filled
from playthroughs import GOLDEN, told


def main() -> None:
    blackjack_playthroughs.main()
    with TemporaryDirectory() as folder:
        for one in GOLDEN:
            one.path.write_text(told(one.play(Path(folder) / "table.jsonl")), encoding="utf-8")
    for name in SCHEMAS:
        printed = CliRunner().invoke(croupier, ["schema", name]).stdout
        kept = ROOT / "docs" / "schemas" / f"{name}.schema.json"
        kept.write_text(printed, encoding="utf-8")
    printed = (
        CliRunner()
        .invoke(
            croupier, ["law", "coverage", "--format", "markdown", "--tests", str(ROOT / "tests")]
        )
        .stdout
    )
    (ROOT / "docs" / "traceability.md").write_text(printed, encoding="utf-8")
    text = DOCUMENT.read_text(encoding="utf-8")
    for name in TABLES:
        text = filled(text, name)
    DOCUMENT.write_text(text, encoding="utf-8")
    ELECTIONS.write_text(document(), encoding="utf-8")
    submission = ROOT / "docs" / "rules-submission.md"
    begin, end = "<!-- readings: begin -->\n", "\n<!-- readings: end -->"
    before, _, rest = submission.read_text(encoding="utf-8").partition(begin)
    after = rest.partition(end)[2]
    submission.write_text(f"{before}{begin}{readings()}{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
