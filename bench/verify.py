"""How fast rounds of others are judged from CSV, beside csv.reader, and what memory that takes.

    .venv/bin/python bench/verify.py [--rounds 1000000] [--shoes 1000] [--repeat 3] [--wrong 0]
        [--form csv|jsonl|parquet|seats|wagers]

Every round has five settled wagers, of forty stakes each. Whole shoes are dealt and written once;
after that they come again with other numbers and their suits changed about, so that hands are new.
A process of its own judges the file three times: cold, with the kernels yet to be loaded from the
cache, and then warm, on all cores and on one. Beside it the same process reads the file with
Python's ``csv.reader`` and does nothing with the rows. Times are of the processor; those by the
clock show what several cores bring. ``--without`` judges without the kernels, ``--wrong`` spoils so
many rounds of a thousand, which are then judged at length. Kernels that no run compiled before are
compiled first, which is told apart. ``--form`` judges the same rounds in another form, one flat
object or row a round; what is merely read beside it is still the CSV file.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from croupier.baccarat.cards import DECK, Card
from croupier.baccarat.coup import Coup
from croupier.baccarat.hand import CARD_VALUE, TENS
from croupier.money.settlement import Stake, settle
from croupier.rules import TableRules, default_submission, table_rules
from croupier.verify.rounds import file
from croupier.verify.rounds.wagers import net_of
from yardstick import print_yardstick

BARS = (1, 3)
"""Times as fast as csv.reader that judging must be, and is to be tried for."""

WAGERS = ("player", "banker", "tie", "bonus_player", "bonus_banker")
STAKES = range(2_500, 22_500, 500)
PARTS = {"seats": 3, "wagers": len(WAGERS)}
"""Rows of each round, where it is told on several."""

SUITS = ["".join(order) for order in itertools.permutations("cdhs")]


def rules_of_the_bench() -> TableRules:
    """Return the rules of a table with five wagers and rounded vigorish."""
    return table_rules(
        default_submission(
            "us-nj/minibaccarat",
            date(2011, 2, 22),
            wagers__bonus__offered=True,
            vigorish__rounded=True,
        )
    )


def shoe_lines(rules: TableRules, chance: random.Random, wrong: int) -> Iterator[str]:
    """Deal a shoe to its last hand, and yield its rounds as lines without the shoe's number."""
    cards = list(DECK) * rules.decks_per_shoe
    chance.shuffle(cards)
    first = cards.pop()
    del cards[-(10 if first.rank in TENS else CARD_VALUE[first.index]) :]
    number = 0
    while len(cards) > 20:
        number += 1
        coup = Coup(rules.tableau)
        while not coup.is_complete:
            coup = coup.with_card(cards.pop())
        yield round_line(rules, coup, number, chance, spoiled=chance.randrange(1_000) < wrong)


def round_line(
    rules: TableRules, coup: Coup, number: int, chance: random.Random, *, spoiled: bool
) -> str:
    """Write one round with its five wagers."""
    facts = coup.facts
    stakes = {(0, wager): Stake(chance.choice(STAKES)) for wager in WAGERS}
    money = [
        f"{one.stake.cents / 100},{(net_of(one) + 100 * spoiled) / 100}"
        for one in settle(rules, facts, stakes)
    ]
    winner = "tie" if facts.winner is None else facts.winner.value
    hands = (" ".join(map(shown, coup.player)), " ".join(map(shown, coup.banker)))
    return ",".join(
        (str(number), *hands, winner, str(facts.player_count), str(facts.banker_count), *money)
    )


def shown(card: Card) -> str:
    """Write a card."""
    return card.notation


def write(path: Path, rules: TableRules, options: argparse.Namespace) -> None:
    """Write a file of rounds."""
    chance = random.Random(1)
    shoes = [list(shoe_lines(rules, chance, options.wrong)) for _ in range(options.shoes)]
    money = ",".join(f"stake:{wager},net:{wager}" for wager in WAGERS)
    with path.open("w", encoding="utf-8") as out:
        out.write(f"shoe,round,player,banker,winner,player_total,banker_total,{money}\n")
        written, number = 0, 0
        while written < options.rounds:
            # The suits change place only once every shoe has been there.
            order = SUITS[number // len(shoes) % len(SUITS)]
            lines = shoes[number % len(shoes)][: options.rounds - written]
            number += 1
            text = "".join(f"{number},{line}\n" for line in lines)
            out.write(text.translate(str.maketrans("cdhs", order)))
            written += len(lines)


class Measured(NamedTuple):
    """Rounds per second: of the processor, and by the clock."""

    of_processor: float
    by_clock: float


def timed(work: Callable[[], int]) -> Measured:
    """Return how fast something counts rounds."""
    clock, processor = time.perf_counter(), time.process_time()
    rounds = work()
    return Measured(
        rounds / (time.process_time() - processor), rounds / (time.perf_counter() - clock)
    )


def read(path: Path) -> int:
    """Read the rows of a file with Python's own reader, and return how many there are."""
    with path.open(encoding="utf-8", newline="") as text:
        return sum(1 for _ in csv.reader(text)) - 1


def as_form(path: Path, form: str) -> None:
    """Write the rounds of a CSV file in another form beside it, numbers as numbers."""
    if form == "csv":
        return
    with path.open(encoding="utf-8", newline="") as text:
        rounds = [
            {name: _number(name, cell) for name, cell in row.items()}
            for row in csv.DictReader(text)
        ]
    if form == "jsonl":
        lines = "".join(f"{json.dumps(one)}\n" for one in rounds)
        path.with_suffix(".jsonl").write_text(lines, encoding="utf-8")
    elif form in PARTS:
        as_parts(path, form)
    else:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
        parquet.write_table(arrow.Table.from_pylist(rounds), path.with_suffix(".parquet"))


def as_parts(path: Path, form: str) -> None:
    """Write the rounds of a CSV file on several rows each: of three seats, or of its wagers."""
    with path.open(encoding="utf-8") as lines, path.with_suffix(f".{form}").open("w") as out:
        cells = next(lines).rstrip().split(",")
        if form == "seats":
            out.write(",".join(("seat", *cells)) + "\n")
            for line in lines:
                out.writelines(f"{seat},{line}" for seat in (1, 4, 7))
            return
        out.write(",".join((*cells[:7], "wager", "stake", "net")) + "\n")
        for line in lines:
            cells = line.rstrip().split(",")
            result = ",".join(cells[:7])
            for at, wager in enumerate(WAGERS):
                out.write(f"{result},{wager},{cells[7 + 2 * at]},{cells[8 + 2 * at]}\n")


def _number(name: str, cell: str) -> str | int | float:
    if ":" in name:
        return float(cell)
    return int(cell) if name in {"shoe", "round", "player_total", "banker_total"} else cell


def report(path: Path, form: str, *, without: bool) -> None:
    """Judge a file in this process, and print what came of it and how fast."""
    file.LEAST_BYTES_TO_COMPILE = 0
    if without:
        file.LEAST_BYTES = 1 << 62
    rules = rules_of_the_bench()
    found = []

    def judge() -> int:
        verification = file.verify_file(path.with_suffix(f".{form}"), rules, limit=100)
        found.append(verification.by_kind.total())
        return verification.rounds * PARTS.get(form, 1)

    rows = path.with_suffix(f".{form}") if form in PARTS else path
    told = {"csv": timed(lambda: read(rows)), "cold": timed(judge), "warm": timed(judge)}
    if not without:
        compiled: Any = import_module("croupier.verify.rounds.compiled")
        compiled.THREADS = 1
        told["warm, one core"] = timed(judge)
    # What the process took is told by the system, in kilobytes, and never shrinks.
    status = Path("/proc/self/status")
    peak = 0
    if status.exists():
        line = next(one for one in status.read_text().splitlines() if one.startswith("VmHWM"))
        peak = int(line.split()[1]) // 1024
    print(json.dumps({"rounds": read(path), "found": found[0], "peak": peak, "told": told}))


def measured(path: Path, form: str, *, without: bool) -> dict[str, Any]:
    """Judge a file in a process of its own, and return what it prints."""
    command = [sys.executable, __file__, "--file", str(path), "--form", form]
    command += ["--without"] * without
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    result: dict[str, Any] = json.loads(told)
    return result


def main() -> None:
    """Measure and print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--shoes", type=int, default=1_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--wrong", type=int, default=0, help="rounds of a thousand that are wrong")
    parser.add_argument("--without", action="store_true", help="judge without the kernels")
    parser.add_argument("--form", choices=("csv", "jsonl", "parquet", *PARTS), default="csv")
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.file is not None:
        report(options.file, options.form, without=options.without)
        return
    print_yardstick()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rounds.csv"
        write(path, rules_of_the_bench(), options)
        as_form(path, options.form)
        size = path.with_suffix(f".{options.form}").stat().st_size
        start = time.perf_counter()
        measured(path, options.form, without=options.without)
        print(f"{time.perf_counter() - start:.1f} s for a first run, which compiles if need be")
        runs = [
            measured(path, options.form, without=options.without) for _ in range(options.repeat)
        ]
    rounds, found = runs[0]["rounds"], runs[0]["found"]
    told = f"{rounds:,} rounds of five wagers, {size / 1e6:,.0f} MB of {options.form}"
    print(f"{told}, {found:,} divergences")
    for name in runs[0]["told"]:
        of_processor, by_clock = (
            statistics.median(run["told"][name][at] for run in runs) for at in range(2)
        )
        times = [
            statistics.median(run["told"][name][at] / run["told"]["csv"][at] for run in runs)
            for at in range(2)
        ]
        what = "rows" if options.form in PARTS else "rounds"
        print(f"{name}: {of_processor:,.0f} {what}/s of the processor, {times[0]:.2f} times")
        print(f"{' ' * len(name)}  {by_clock:,.0f} {what}/s by the clock, {times[1]:.2f} times")
    print(f"times are those of csv.reader; bar: {BARS[0]} when warm, better {BARS[1]}")
    print(f"memory at most {max(run['peak'] for run in runs)} MB")


if __name__ == "__main__":
    main()
