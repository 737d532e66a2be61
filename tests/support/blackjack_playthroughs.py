"""Golden playthroughs of the blackjack wagers: seeded rounds as they are told, clauses behind each line.

    python tests/blackjack_playthroughs.py

writes them anew after a change that is meant; read the difference before it is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from croupier.blackjack.session import BlackjackTable, Pilot, narrate
from croupier.rules import read_submission, table_rules
from croupier.table.cards.chance import Chance
from support.project import ROOT

FOLDER: Final = ROOT / "tests" / "data" / "playthroughs" / "blackjack"


class Playthrough(NamedTuple):
    """What is played: a submission, a seed, patrons, and how many rounds."""

    submission: str
    seed: int
    patrons: int
    rounds: int

    @property
    def path(self) -> Path:
        """Where the golden text stands."""
        return FOLDER / f"{self.submission}.txt"

    @property
    def file(self) -> Path:
        """Where the submission stands."""
        return ROOT / "submissions" / f"{self.submission}.toml"

    def told(self) -> str:
        """Play the rounds, and tell them: a line for each thing that happens."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        session = BlackjackTable(table_rules(read_submission(self.file)))
        pilot = Pilot(session, Chance(self.seed), self.patrons)
        for number in range(1, self.rounds + 1):
            yield f"\nRound {number}" if number > 1 else "Round 1"
            for line in narrate(*pilot.play_round()):
                clauses = f"  [{', '.join(line.clauses)}]" if line.clauses else ""
                yield f"  {line.text}{clauses}"

    def __str__(self) -> str:
        return self.submission


GOLDEN: Final = (
    Playthrough("nj-blackjack-streak", seed=181, patrons=3, rounds=40),
    Playthrough("nj-blackjack-bonus", seed=93, patrons=3, rounds=40),
)


def main() -> None:
    """Write every golden text anew."""
    FOLDER.mkdir(exist_ok=True)
    for one in GOLDEN:
        one.path.write_text(one.told(), encoding="utf-8")


if __name__ == "__main__":
    main()
