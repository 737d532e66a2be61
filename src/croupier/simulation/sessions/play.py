"""Playing sessions in chunks of shoes, which limits memory.

Chunk ``p`` of session ``s`` is block ``s * 2**32 + p`` of the scalar engine.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from croupier.law.usage import money
from croupier.odds.arrays import Floats, Integers
from croupier.odds.card_wagers import lines_of_coups
from croupier.odds.threads import in_turn
from croupier.simulation.plan import MOST_BURNED, Plan, SimulationError
from croupier.simulation.scalar import replay_block
from croupier.simulation.sessions import kernels
from croupier.simulation.sessions import marks as at
from croupier.simulation.sessions.kernels import LONGEST_RUN, Bettor, Book, RoundArrays
from croupier.simulation.sessions.marks import MARKS
from croupier.simulation.sessions.systems import MEMORY, System
from croupier.simulation.sessions.table import SessionTable, WagerArrays

MOST_SESSIONS: Final = 10**7
MOST_ROUNDS: Final = 10**11
"""Maximum rounds of a session: years of computing time."""

_FIRST_SHOES, _MOST_SHOES = 16, 1024
"""Shoes of a session's first chunk, and the maximum for later ones."""
_SINGLE: Final = 64
"""Rounds from a continuous device that count as one shoe in the size of a chunk."""
_BATCH_ROUNDS: Final = 200_000


@dataclass(frozen=True)
class SessionPlan:
    """Sessions of ``shoes`` or ``rounds``. Raises ``SimulationError`` with every error."""

    table: SessionTable
    plan: Plan
    system: System
    bankroll_cents: int
    unit_cents: int
    seed: int
    shoes: int | None = None
    rounds: int | None = None
    goal_cents: int | None = None
    expectations: Floats = field(init=False, repr=False)
    loop: Callable[[RoundArrays, WagerArrays, Bettor, Book], int] | None = field(
        init=False, repr=False, default=None
    )

    def __post_init__(self) -> None:
        if errors := self._errors():
            raise SimulationError(*errors)
        rows = [[float(cents) for cents in row] for row in self.table.expectations]
        object.__setattr__(self, "expectations", np.array(rows))
        if self.system.bet is not None:
            object.__setattr__(self, "loop", kernels.at_table_with(self.system.bet))

    def _errors(self) -> list[str]:
        errors = []
        continuous = bool(self.plan.course.single)
        if (self.shoes is None) == (self.rounds is None):
            errors.append("a session needs a length: add --shoes N or --rounds N")
        else:
            length = self.rounds or self.shoes or 0
            if not 0 < length <= MOST_ROUNDS:
                errors.append(f"a session of {length}: the length must be from 1 to {MOST_ROUNDS}")
        if continuous and self.shoes is not None:
            errors.append("a continuous device never ends a shoe: give a number of rounds")
        if continuous and self.system.counts:
            errors.append("every card returns to a continuous device: there is nothing to count")
        if self.unit_cents < 1:
            errors.append(f"a unit of {self.unit_cents} cents: the minimum is 1 cent")
        lowest, highest = self.table.min_cents, int(self.table.layout.terms[at.MOST, 0])
        if self.unit_cents > highest:
            unit = money(self.unit_cents)
            errors.append(f"a unit of {unit}: the table maximum is {money(highest)}")
        if self.bankroll_cents < lowest:
            bankroll = money(self.bankroll_cents)
            errors.append(f"a bankroll of {bankroll}: the minimum stake is {money(lowest)}")
        if self.goal_cents is not None and self.goal_cents <= self.bankroll_cents:
            errors.append(
                f"a goal of {money(self.goal_cents)}: the goal must be above the bankroll"
            )
        return errors


class SessionChunk(NamedTuple):
    """Dealt rounds of a session, of which the first ``seen`` were played, and their bets."""

    rounds: RoundArrays
    book: Book
    seen: int
    shoes_before: int
    rounds_before: int


def parts_of(session: SessionPlan, number: int, bettor: Bettor) -> Iterator[SessionChunk]:
    """Play one session and yield its chunks; a longer session begins with the same."""
    part, shoes, shoes_before = 0, _FIRST_SHOES, 0
    while not bettor.marks[at.ENDING]:
        shoes_wanted = _wanted(session, bettor, shoes_before, shoes)
        if not shoes_wanted:
            bettor.marks[at.ENDING] = at.DEALT_OUT
            return
        rounds = _dealt(session, (number << 32) + part, shoes_wanted)
        shape = len(rounds.shoe), len(session.table.wagers)
        stake, net = np.empty((2, *shape), dtype=np.int64)
        book = Book(stake, net, np.empty(shape[0], dtype=np.int64))
        rounds_before = int(bettor.marks[at.ROUNDS])
        rounds_seen = _lead(session, rounds, bettor, book)
        yield SessionChunk(rounds, book, rounds_seen, shoes_before, rounds_before)
        shoes_before += shoes_wanted
        part += 1
        shoes = min(2 * shoes, _MOST_SHOES)


def _wanted(session: SessionPlan, bettor: Bettor, had: int, most: int) -> int:
    if session.shoes is not None:
        return min(most, session.shoes - had)
    rounds_left = int(session.rounds or 0) - int(bettor.marks[at.ROUNDS])
    course = session.plan.course
    if course.single:
        return min(most * _SINGLE, rounds_left)
    most_burned = max(MOST_BURNED, course.burned)
    fewest = max((session.plan.shoe.cards - most_burned - course.cards_behind) // 6, 1)
    return min(most, -(-rounds_left // fewest))


def _dealt(session: SessionPlan, block: int, shoes: int) -> RoundArrays:
    plan = session.plan
    shoes_dealt = replay_block(plan, session.seed, block, shoes)
    number = len(shoes_dealt.shoe)
    burned = shoes_dealt.burned[:, : session.table.rules.burn_shown]
    rounds = RoundArrays(
        shoes_dealt.shoe,
        shoes_dealt.cards,
        np.ascontiguousarray(burned),
        np.empty(number, dtype=np.int64),
        np.empty(number, dtype=np.uint8),
        np.empty((number, 2), dtype=np.uint8),
        np.empty((number, 0), dtype=np.int64),
    )
    kernels.judge(rounds.cards, plan.course, rounds.cell, rounds.winner, rounds.totals)
    of_cards = {wager.id: wager for wager in session.table.card_wagers}
    if not of_cards:
        return rounds
    player_thirds, banker_thirds = rounds.cell // 8 % 2, rounds.cell // 4 % 2
    cells = [
        rounds.cell
        if wager not in of_cards
        else lines_of_coups(of_cards[wager], rounds.cards, player_thirds, banker_thirds)
        for wager in session.table.wagers
    ]
    return rounds._replace(cells=np.stack(cells, axis=1))


def _lead(session: SessionPlan, rounds: RoundArrays, bettor: Bettor, book: Book) -> int:
    layout = session.table.layout
    if session.loop is None:
        return int(kernels.at_table(rounds, layout, bettor, book))
    try:
        return int(session.loop(rounds, layout, bettor, book))
    except Exception as error:
        # A custom system may raise anything: report it with the line.
        frame = traceback.extract_tb(error.__traceback__)[-1]
        line = f" (line {frame.lineno} of {frame.filename})"
        raise SimulationError(
            f"{session.system.name} failed: {type(error).__name__}: {error}{line}"
        ) from error


def bettor_of(session: SessionPlan) -> Bettor:
    layout, wagers = session.table.layout, len(session.table.wagers)

    def nothing(*shape: int) -> Integers:
        return np.zeros(shape, dtype=np.int64)

    marks = nothing(at.PLACES)
    marks[[at.BANKROLL, at.PEAK, at.LOWEST]] = session.bankroll_cents
    marks[at.START : at.SINGLE + 1] = (
        session.bankroll_cents, session.unit_cents, session.table.min_cents,
        session.goal_cents or 0, session.rounds or 0, session.plan.shoe.cards,
        session.plan.course.single,
    )  # fmt: skip
    memory = nothing(MEMORY)
    memory[: len(session.system.memory)] = session.system.memory
    road = np.zeros(kernels.LONGEST_ROAD, dtype=np.uint8)
    turnover = nothing(wagers, 1 + layout.rest.shape[2])
    return Bettor(marks, memory, road, nothing(13), nothing(3, wagers), turnover)


# --- many sessions -------------------------------------------------------------------------------


@dataclass
class SessionBatch:
    """The sums of some sessions, and the marks of each; ``expected`` is exact, in cents."""

    first: int
    marks: Integers
    expected: Floats
    turnover: Integers
    results: Integers
    whole_runs: Integers
    cut_runs: Integers
    shoe_nets: list[Integers]
    shoe_results: list[Integers]


@dataclass(frozen=True)
class Watch:
    part: Callable[[int, SessionChunk], None] | None = None
    """Receives the session number and the chunk. If set, one thread plays."""
    stopped: Callable[[], bool] = bool


def play(
    session: SessionPlan, sessions: int, threads: int = 1, watch: Watch | None = None
) -> Generator[SessionBatch]:
    """Play sessions and yield them in batches. Raises ``SimulationError`` if a system fails.

    If stopped, an incomplete session is included only if it is the first.
    """
    watch = watch or Watch()
    rounds = session.rounds or (session.shoes or 1) * (session.plan.shoe.cards // 5)
    batch_sessions = max(1, min(_BATCH_ROUNDS // max(rounds, 1), 1000))
    in_one_thread = watch.part is not None or threads == 1 or sessions == 1
    watch_of_each = watch if in_one_thread else Watch()

    def played(first: int) -> SessionBatch:
        return _played(session, first, min(batch_sessions, sessions - first), watch_of_each)

    firsts = range(0, sessions, batch_sessions)
    with closing(
        (played(first) for first in firsts) if in_one_thread else in_turn(played, firsts, threads)
    ) as batches:
        for batch in batches:
            if len(batch.marks):
                yield batch
            if watch.stopped():
                return


def _played(session: SessionPlan, first: int, sessions: int, watch: Watch) -> SessionBatch:
    wagers, steps = session.table.layout.rest.shape[0], session.table.layout.rest.shape[2]
    batch = SessionBatch(
        first,
        np.zeros((sessions, len(MARKS)), dtype=np.int64),
        np.zeros(sessions),
        np.zeros((wagers, 1 + steps), dtype=np.int64),
        np.zeros(3, dtype=np.int64),
        np.zeros((2, LONGEST_RUN), dtype=np.int64),
        np.zeros((2, LONGEST_RUN), dtype=np.int64),
        [],
        [],
    )
    sessions_done = 0
    for row in range(sessions):
        bettor = bettor_of(session)
        state = np.array([0, 0, -1], dtype=np.int64)
        for part in parts_of(session, first + row, bettor):
            _add_part(session, batch, part, state)
            if watch.part is not None:
                watch.part(first + row, part)
            if watch.stopped():
                break
        if state[1]:
            batch.cut_runs[state[0], min(int(state[1]), LONGEST_RUN) - 1] += 1
        if not bettor.marks[at.ENDING] and (first or row):
            break
        batch.marks[row] = bettor.marks[: len(MARKS)]
        batch.expected[row] = float((bettor.turnover * session.expectations).sum())
        batch.turnover += bettor.turnover
        sessions_done = row + 1
        if watch.stopped():
            break
    batch.marks, batch.expected = batch.marks[:sessions_done], batch.expected[:sessions_done]
    return batch


def _add_part(
    session: SessionPlan, batch: SessionBatch, part: SessionChunk, state: Integers
) -> None:
    """Add all rounds: omitting those after the bettor left would make ruinous streaks seem rare."""
    shoe, winner = part.rounds.shoe, part.rounds.winner
    batch.results += np.bincount(winner, minlength=3)
    if session.plan.course.single:
        kernels.runs(np.zeros_like(shoe), winner, state, batch.whole_runs, batch.cut_runs)
        return
    kernels.runs(shoe + part.shoes_before, winner, state, batch.whole_runs, batch.cut_runs)
    shoes = int(shoe[-1]) + 1
    results, nets = np.zeros((shoes, 3), dtype=np.int64), np.zeros(shoes, dtype=np.int64)
    kernels.by_shoe(part.rounds, part.book.net, part.seen, results, nets)
    batch.shoe_results.append(results)
    if part.seen:
        batch.shoe_nets.append(nets[: int(shoe[part.seen - 1]) + 1])
