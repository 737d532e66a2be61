"""Golden playthroughs: whole seeded shoes as they are told, with the clauses behind each line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from croupier.records.narration import narrate
from croupier.table.events import Event, NoMoreBetsCalled
from forge import ROOT, play

FOLDER: Final = ROOT / "tests" / "data" / "playthroughs"


class Playthrough(NamedTuple):
    """What is played: a submission, a seed, patrons, and slips of the dealer in a thousand."""

    submission: str
    seed: int
    patrons: int
    mishaps: int

    @property
    def path(self) -> Path:
        """Where the golden text stands."""
        return FOLDER / f"{self}.txt"

    def play(self, log: Path) -> list[Event]:
        """Play the shoe, keep the log, return every event."""
        submission = ROOT / "submissions" / f"{self.submission}.toml"
        return play(log, submission, seed=self.seed, patrons=self.patrons, mishaps=self.mishaps)

    def __str__(self) -> str:
        return self.submission + ("-mishaps" if self.mishaps else "")


GOLDEN: Final = (
    Playthrough("nj-minibaccarat", seed=1, patrons=2, mishaps=0),
    Playthrough("nj-minibaccarat-six-pays-half", seed=5, patrons=2, mishaps=25),
)


def told(events: Iterable[Event]) -> str:
    """Tell events as text: a line for each thing that happens, its clauses behind it."""
    return "".join(f"{line}\n" for line in _lines(list(events)))


def _lines(events: list[Event]) -> Iterator[str]:
    calls = iter([event.round for event in events if isinstance(event, NoMoreBetsCalled)])
    for line in narrate(events):
        if line.text == "Wagers:":
            # Wagers come before the call that begins their round.
            yield f"\nRound {next(calls)}"
        yield f"  {line.text}  [{', '.join(line.clauses)}]"
        for detail in line.details:
            yield f"    {detail}"
