"""Golden playthroughs: seeded shoes as they are told, with the clauses behind each line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from croupier.acts import Event, NoMoreBetsCalled
from croupier.baccarat.wagers import WAGERS
from croupier.records.narration import narrate
from support.forged_logs import play
from support.project import ROOT

FOLDER: Final = ROOT / "tests" / "data" / "playthroughs"


class Playthrough(NamedTuple):
    """What is played: a submission, a seed, patrons, and slips of the dealer in a thousand.

    ``rounds`` is how many rounds of the shoe; ``None`` for all of it.
    """

    submission: str
    seed: int
    patrons: int
    dealer_errors: int = 0
    rounds: int | None = None

    @property
    def path(self) -> Path:
        """Where the golden text stands."""
        return FOLDER / f"{self}.txt"

    def play(self, log: Path) -> list[Event]:
        """Play the shoe, keep the log, return every event."""
        submission = ROOT / "submissions" / f"{self.submission}.toml"
        return play(
            log,
            submission,
            seed=self.seed,
            patrons=self.patrons,
            dealer_errors=self.dealer_errors,
            rounds=self.rounds,
        )

    def __str__(self) -> str:
        return self.submission + ("-dealer-errors" if self.dealer_errors else "")


# Twelve rounds show a table; the seeds are those in whose rounds most happens.
_some = partial(Playthrough, patrons=3, rounds=12)

GOLDEN: Final = (
    _some("ma", seed=88, dealer_errors=30),
    _some("ma-ez", seed=14),
    _some("ma-house-money", seed=7),
    _some("ma-house-money-half", seed=82, dealer_errors=30),
    _some("ma-royal-9", seed=54),
    _some("ma-royal-9-to-one", seed=7),
    _some("ma-shuffler", seed=11, dealer_errors=30),
    Playthrough("nj-minibaccarat", seed=1, patrons=2),
    _some("nj-minibaccarat-4-percent", seed=47, dealer_errors=30),
    _some("nj-minibaccarat-continuous", seed=16),
    _some("nj-minibaccarat-dragon-7", seed=30),
    Playthrough("nj-minibaccarat-six-pays-half", seed=5, patrons=2, dealer_errors=25),
    _some("nj-minibaccarat-tie-vigorish", seed=90),
    _some("nj-minibaccarat-total-cards", seed=26, dealer_errors=30),
    _some("nj-punto-banco", seed=17, dealer_errors=30),
    Playthrough("nj-punto-banco-4-percent", seed=10, patrons=1),
    _some("nj-punto-banco-dragon-7", seed=70),
    _some("nj-punto-banco-six-pays-half", seed=8),
    _some("nj-punto-banco-total-cards", seed=119, dealer_errors=30),
    _some("nj-punto-banco-total-cards-5-percent", seed=8),
    _some("ny-midi", seed=22),
    _some("ny-midi-ez", seed=107, dealer_errors=30),
    _some("ny-mini", seed=16, dealer_errors=30),
    _some("ny-mini-4-percent", seed=38),
    _some("ny-mini-ez", seed=52),
    Playthrough("ny-mini-literal-row", seed=8, patrons=1),
    _some("ny-mini-six-pays-half", seed=116, dealer_errors=30),
    _some("ny-mini-tie-vigorish", seed=41),
)


def told(events: Iterable[Event]) -> str:
    """Tell events as text: a line for each thing that happens, its clauses behind it."""
    return "".join(f"{line}\n" for line in _lines(list(events)))


def _lines(events: list[Event]) -> Iterator[str]:
    calls = [at for at, event in enumerate(events, start=1) if isinstance(event, NoMoreBetsCalled)]
    for start, end in pairwise([0, *calls, len(events)]):
        # Wagers come before the call that begins their round, not always in one go.
        called = events[end - 1] if end in calls else None
        for line in narrate(events[start:end], WAGERS):
            if line.text == "Wagers:" and isinstance(called, NoMoreBetsCalled):
                yield f"\nRound {called.round}"
                called = None
            yield f"  {line.text}  [{', '.join(line.clauses)}]"
            for detail in line.details:
                yield f"    {detail}"
