"""How fast external rounds with money are verified, next to csv.reader and pyarrow.

    .venv/bin/python bench/verify.py [--rounds 100000] [--shoes 200] [--repeat 1] [--wrong 0]
        [--forms csv,returned,jsonl,lists,parquet,seats,wagers] [--without]

Every round has five settled wagers, of forty stakes each. Whole shoes are dealt and written once;
after that they are repeated with other numbers and permuted suits, so that hands are new. Each form
has a process of its own: a first run compiles, then the file is verified cold, with the kernels
read from the cache, and warm, on all cores and on one. Python's ``csv.reader`` and pyarrow read the
same file in the same process, and do nothing with its rows: csv.reader reads the CSV of a file of
objects. Rates are rounds per second, whatever the rows of a round. ``--without`` verifies without
the kernels, ``--wrong`` spoils so many rounds of a thousand, which are then verified in full.
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
from croupier.baccarat.coup import CARD_VALUE, TENS, Coup
from croupier.money.settlement import Stake, settle
from croupier.records.rounds.mapping import mapping_of
from croupier.rules import TableRules, default_submission, table_rules
from croupier.verify.rounds import file
from croupier.verify.rounds.wagers import net_of
from yardstick import print_yardstick

BAR = 20_000
"""Rounds per second of one core."""

FORMS = ("csv", "returned", "jsonl", "lists", "parquet", "seats", "wagers")
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


def timed(work: Callable[[], object], rounds: int) -> Measured:
    """Return how fast some rounds are handled."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    seconds = time.process_time() - processor, time.perf_counter() - clock
    return Measured(rounds / seconds[0], rounds / seconds[1])


def as_form(path: Path, form: str) -> Path:
    """Write the rounds of a CSV file in another form next to it."""
    new = path.with_suffix(f".{form}")
    with path.open(encoding="utf-8", newline="") as text:
        rounds = [
            {name: _number(name, cell) for name, cell in row.items()}
            for row in csv.DictReader(text)
        ]
    if form == "parquet":
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
        parquet.write_table(arrow.Table.from_pylist(rounds), new)
        return new
    rows = [row for one in rounds for row in ROWS[form](one)]
    with new.open("w", encoding="utf-8", newline="") as out:
        if form in {"jsonl", "lists"}:
            out.writelines(f"{json.dumps(row)}\n" for row in rows)
        else:
            writer = csv.DictWriter(out, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return new


def _number(name: str, cell: str) -> str | int | float:
    if ":" in name:
        return float(cell)
    return int(cell) if name in {"shoe", "round", "player_total", "banker_total"} else cell


Row = dict[str, Any]


def of_round(one: Row) -> Row:
    """Return the columns of a round without its wagers."""
    return {name: value for name, value in one.items() if ":" not in name}


def paid(one: Row) -> Row:
    """Return a round with what came back of each stake."""
    back = {f"paid:{wager}": one[f"net:{wager}"] + one[f"stake:{wager}"] for wager in WAGERS}
    return {name: value for name, value in one.items() if not name.startswith("net:")} | back


def wagers(one: Row) -> list[Row]:
    """Return the wagers of a round."""
    return [
        {"wager": wager, "stake": one[f"stake:{wager}"],
         "paid": one[f"net:{wager}"] + one[f"stake:{wager}"]}
        for wager in WAGERS
    ]  # fmt: skip


ROWS: dict[str, Callable[[Row], list[Row]]] = {
    "csv": lambda one: [one],
    "jsonl": lambda one: [one],
    "returned": lambda one: [paid(one)],
    "lists": lambda one: [{**of_round(one), "wagers": wagers(one)}],
    "seats": lambda one: [{"seat": seat, **paid(one)} for seat in (1, 4, 7)],
    "wagers": lambda one: [{**of_round(one), **each} for each in wagers(one)],
}
"""The rows of a round; in those with ``paid`` it is what came back, the stake included."""


def readers(path: Path, form: str) -> dict[str, Callable[[], object]]:
    """Return what reads the rows of a file and does nothing with them."""
    rows = path.with_suffix(".csv") if form in {"jsonl", "lists", "parquet"} else path

    def by_csv() -> None:
        with rows.open(encoding="utf-8", newline="") as text:
            for _ in csv.reader(text):
                pass

    how = {"jsonl": "json.read_json", "lists": "json.read_json", "parquet": "parquet.read_table"}
    module, _, name = how.get(form, "csv.read_csv").partition(".")
    by_arrow = getattr(import_module(f"pyarrow.{module}"), name)
    return {"csv.reader": by_csv, "pyarrow": lambda: by_arrow(path)}


def report(path: Path, options: argparse.Namespace) -> None:
    """Verify a file in this process, and print the rates as JSON."""
    form = path.suffix.removeprefix(".")
    file.LEAST_BYTES_TO_COMPILE = 0
    if options.without:
        file.LEAST_BYTES = 1 << 62
    rules, found = rules_of_the_bench(), 0
    mapping = mapping_of({"money": {"paid": "returned"}} if form in RETURNED else {})

    def verify() -> None:
        nonlocal found
        found = file.verify_file(path, rules, mapping, limit=100).by_kind.total()

    rates = {"cold": timed(verify, options.rounds), "warm": timed(verify, options.rounds)}
    if not options.without:
        compiled: Any = import_module("croupier.verify.rounds.compiled")
        compiled.THREADS = 1
        rates["one core"] = timed(verify, options.rounds)
    for name, read in readers(path, form).items():
        rates[name] = timed(read, options.rounds)
    # The system reports the peak in kilobytes, and it never shrinks.
    status, peak = Path("/proc/self/status"), 0
    if status.exists():
        line = next(one for one in status.read_text().splitlines() if one.startswith("VmHWM"))
        peak = int(line.split()[1]) // 1024
    print(json.dumps({"found": found, "peak": peak, "rates": rates}))


RETURNED = {"returned", "lists", "seats", "wagers"}


def measured(path: Path, options: argparse.Namespace) -> Row:
    """Verify a file in a process of its own, and return what it prints."""
    command = [sys.executable, __file__, "--file", str(path), "--rounds", str(options.rounds)]
    command += ["--without"] * options.without
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    result: Row = json.loads(told)
    return result


def main() -> None:
    """Measure and print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--shoes", type=int, default=200)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--wrong", type=int, default=0, help="rounds of a thousand that are wrong")
    parser.add_argument("--without", action="store_true", help="verify without the kernels")
    parser.add_argument("--forms", default=",".join(FORMS), help="forms of files, with commas")
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.file is not None:
        report(options.file, options)
        return
    print_yardstick()
    print(
        f"{options.rounds:,} rounds of five settled wagers; rounds/s of the processor, by the clock"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rounds.csv"
        write(path, rules_of_the_bench(), options)
        for form in options.forms.split(","):
            new = path if form == "csv" else as_form(path, form)
            measured(new, options)
            runs = [measured(new, options) for _ in range(options.repeat)]
            size, peak = new.stat().st_size / 1e6, max(run["peak"] for run in runs)
            print(f"{form}: {size:,.0f} MB, {runs[0]['found']:,} divergences, {peak} MB of memory")
            for name in runs[0]["rates"]:
                rates = [statistics.median(run["rates"][name][at] for run in runs) for at in (0, 1)]
                print(f"  {name:<10} {rates[0]:>12,.0f} {rates[1]:>12,.0f}")
    print(f"bar: {BAR:,} rounds/s of one core")


if __name__ == "__main__":
    main()
