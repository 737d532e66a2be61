"""Drill questions under random submissions: each can be answered, and its key is the table's own.

    .venv/bin/python bench/drills.py [--questions N] [--kinds KIND,...] [--seed N]

Submissions are drawn at random under every text that a table can be dealt under. At each of their
tables questions of each kind are drawn and carried out again; the key must be what the table does,
be accepted as an answer, and be the only right one, and a table that is set up anew must ask the
same. The bar is 50 ms of processor time to draw a question and mark an answer; setting up the
tables of a submission is timed apart, and garbage is collected between submissions, as that of a
thousand of them is not a learner's. A kind is printed as soon as it has its questions; a text with
no room for a kind is left out after some of its submissions.
``--questions 100000`` is the whole run, which other seeds and kinds can divide among processes.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from croupier.drills import DRILLS, DrillRoom, Question, mark, question  # noqa: E402
from croupier.drills.marking import read_answer  # noqa: E402
from croupier.law.model import Instrument  # noqa: E402
from croupier.law.resolve import instruments  # noqa: E402
from croupier.rules import TableRules, submission_of, table_rules  # noqa: E402
from croupier.table import Refusal  # noqa: E402
from support.random_submissions import Tables, legal  # noqa: E402
from yardstick import print_yardstick  # noqa: E402

BAR_MS = 50.0
A_TABLE = 100
"""How many questions of a kind are drawn at the tables of one submission."""
A_LAW = 5
"""How many submissions are drawn of a text before the next one."""
BARREN = 20
"""Submissions of a text, none with room for a kind, after which it is not asked for there."""
TITLES = "{:16}{:>10}{:>13}{:>9}{:>9}{:>9}".format(
    "kind", "questions", "submissions", "mean ms", "p99 ms", "worst ms"
)


class WrongQuestionError(Exception):
    """A question that cannot be answered, or whose key is not the table's."""


def drawn(law: Instrument, start: int) -> list[Tables]:
    """Return random submissions that a text allows."""
    found: list[Tables] = []

    @seed(start)
    @settings(
        max_examples=A_LAW,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(tables=legal(law))
    def draw(tables: Tables) -> None:
        found.append(tables)

    draw()
    return found


def submissions(start: int, asks: Callable[[str], bool]) -> Iterator[TableRules]:
    """Yield the rules of random submissions, of one text after the other, without an end.

    A text is left out if ``asks`` says of its key that nothing is asked there.
    """
    for number in itertools.count(start):
        texts = [one for one in instruments() if not one.partial and "third.banker" in one.rules]
        left = [one for one in texts if asks(one.key)]
        if not left:
            return
        for law in left:
            yield from (table_rules(submission_of(one)) for one in drawn(law, number))


class Times:
    """Milliseconds of processor time of each question of a kind, and where they were asked."""

    def __init__(self) -> None:
        self.drawn: list[float] = []
        self.fruitful: Counter[str] = Counter()
        self.barren: Counter[str] = Counter()

    def add(self, law: str, drawn_ms: list[float]) -> None:
        """Add the questions that a submission of a text had room for."""
        self.drawn += drawn_ms
        (self.fruitful if drawn_ms else self.barren)[law] += 1

    def asks(self, law: str, wanted: int) -> bool:
        """Return whether the kind still needs questions, and may find them in a text."""
        has_room = self.fruitful[law] > 0 or self.barren[law] < BARREN
        return len(self.drawn) < wanted and has_room

    def row(self, kind: str) -> str:
        """Return the line that is printed for the kind."""
        times = sorted(self.drawn) or [0.0]
        mean, p99 = sum(times) / len(times), times[int(0.99 * (len(times) - 1))]
        many = f"{kind:16}{len(self.drawn):>10,}{self.fruitful.total():>13,}"
        return f"{many}{mean:>9.2f}{p99:>9.2f}{times[-1]:>9.2f}"


def said(one: Question | None) -> object:
    """Return all that is asked, and its key."""
    return one and (one.words, one.shown, one.fields, dict(one.key), one.why)


def check(one: Question) -> None:
    """Carry out a question at its table. Raises ``WrongQuestionError``."""
    stage = one.stage.fork()
    for command in one.commands:
        if isinstance(stage.try_execute(command), Refusal):
            raise WrongQuestionError(f"the table refuses {command}")
    if dict(one.found(tuple(stage.events))) != dict(one.key):
        raise WrongQuestionError("the key is not the table's")
    if one.key.keys() != {field.name for field in one.fields}:
        raise WrongQuestionError("the key has other fields than are asked for")
    for field in one.fields:
        values, words = (len({pair[at] for pair in field.choices}) for at in (0, 1))
        if read_answer(field, one.key[field.name]) is None or values != words:
            raise WrongQuestionError(f"{field.name} cannot be answered")


def check_marks(one: Question) -> None:
    """Mark what is right and what is wrong. Raises ``WrongQuestionError``."""
    stage = one.stage.fork()
    for command in () if one.commands else one.tries(one.key):
        if isinstance(stage.fork().try_execute(command), Refusal):
            raise WrongQuestionError(f"the table refuses the key, {command}")
    if one.refused(one.key) or mark(one, {}).is_right:
        raise WrongQuestionError("the key is refused, or no answer is right")
    for given_answer in wrong_answers(one):
        marked = mark(one, given_answer)
        if marked.is_right or not marked.broken:
            raise WrongQuestionError(f"{given_answer} is right too, or breaks nothing")


def wrong_answers(one: Question) -> Iterator[dict[str, str]]:
    """Yield the key with one choice replaced by another, for every other choice."""
    for field in one.fields:
        for value, _ in field.choices if field.kind == "choice" else ():
            if str(value) != one.key[field.name]:
                yield {**one.key, field.name: str(value)}


def ask(rules: TableRules, kind: str, room: DrillRoom, again: DrillRoom, count: int) -> list[float]:
    """Ask questions at the tables of a submission; return what each took to draw and mark."""
    asked: list[Question] = []
    times: list[float] = []
    for number in range(1, count + 1):
        started = time.process_time()
        one = question(room, kind, 1, number)
        if one is None:
            return times
        if not mark(one, one.key).is_right:
            raise WrongQuestionError(f"{rules.law.key} {kind} {number}: its key is marked wrong")
        times.append(1000 * (time.process_time() - started))
        asked.append(one)
        try:
            check(one)
            check_marks(one)
        except WrongQuestionError as error:
            shown = f"{one.words} {one.shown} {one.fields} {dict(one.key)}"
            where = f"{rules.submission} {kind} {number}"
            raise WrongQuestionError(f"{where}: {error}: {shown}") from error
    # From the last to the first: what is asked does not depend on what was asked before.
    for number in range(len(asked), 0, -1):
        if said(question(again, kind, 1, number)) != said(asked[number - 1]):
            raise WrongQuestionError(f"{rules.submission} {kind} {number}: asked otherwise again")
    return times


def main() -> int:
    """Draw the questions, and return 1 if a key is wrong or a kind is too slow."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=2_000, help="questions of each kind")
    parser.add_argument("--kinds", help="kinds, separated by commas")
    parser.add_argument("--seed", type=int, default=1, help="first of the submissions")
    given_options = parser.parse_args()
    wanted = given_options.questions
    kinds = given_options.kinds.split(",") if given_options.kinds else [*DRILLS]
    rooms, spent = 0, 0.0
    print_yardstick()
    print(TITLES, flush=True)
    gc.disable()
    found = {kind: Times() for kind in kinds}

    def asked(law: str) -> list[str]:
        return [kind for kind, times in found.items() if times.asks(law, wanted)]

    for rules in submissions(given_options.seed, lambda law: bool(asked(law))):
        law = rules.law.key
        begun = time.process_time()
        room, again = DrillRoom(rules), DrillRoom(rules)
        _ = (room.starts, room.opening, room.reshuffle, room.rounds, room.everything)
        gc.collect()
        rooms, spent = rooms + 1, spent + time.process_time() - begun
        for kind in asked(law):
            times = found[kind]
            count = min(A_TABLE, wanted - len(times.drawn))
            times.add(law, ask(rules, kind, room, again, count))
            if len(times.drawn) == wanted:
                print(times.row(kind), flush=True)
    for kind, times in found.items():
        if len(times.drawn) < wanted:
            print(times.row(kind), "no text has room for more")
    print(f"tables of {rooms} submissions: {spent / rooms:.3f} s each")
    return int(any(max(times.drawn, default=0.0) > BAR_MS for times in found.values()))


if __name__ == "__main__":
    sys.exit(main())
