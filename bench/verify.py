"""How fast rounds of others are judged from CSV, and what memory that takes; one core.

    .venv/bin/python bench/verify.py [--rounds 1000000] [--shoes 1000] [--repeat 3] [--wrong 0]

Every round has five settled wagers, of forty stakes each. Whole shoes are dealt and written once;
after that they come again with other numbers and their suits changed about, so that hands are new.
Beside the rounds a second it prints what share of the time goes into reading the lines and cutting
them into cells alone, measured in the same run: the floor under the figure. ``--wrong`` spoils so
many rounds of a thousand, which are then judged at length. Each file is judged in a process of its
own, and the most memory that it took is printed.
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from croupier.baccarat.coup import Coup
from croupier.baccarat.hand import CARD_VALUE, TENS
from croupier.cards import DECK, Card
from croupier.files.lines import blocks_of
from croupier.money.settlement import Stake, settle
from croupier.rules import TableRules, default_submission, table_rules
from croupier.verify.rounds.file import verify_file
from croupier.verify.rounds.wagers import net_of
from yardstick import print_yardstick

BAR = 50
"""How many times as long as reading and cutting the lines judging them may take."""

WAGERS = ("player", "banker", "tie", "bonus_player", "bonus_banker")
STAKES = range(2_500, 22_500, 500)
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
    with path.open("w", encoding="utf-8") as file:
        file.write(f"shoe,round,player,banker,winner,player_total,banker_total,{money}\n")
        written, number = 0, 0
        while written < options.rounds:
            # The suits change place only once every shoe has been there.
            order = SUITS[number // len(shoes) % len(SUITS)]
            lines = shoes[number % len(shoes)][: options.rounds - written]
            number += 1
            text = "".join(f"{number},{line}\n" for line in lines)
            file.write(text.translate(str.maketrans("cdhs", order)))
            written += len(lines)


def floor(path: Path) -> float:
    """Return the seconds that reading the lines and cutting them takes by itself."""
    start = time.process_time()
    for lines in blocks_of(path):
        for line in lines:
            line.split(",")
    return time.process_time() - start


def verified(path: Path) -> tuple[int, int, float]:
    """Judge a file; return its rounds, what was found, and the seconds."""
    rules = rules_of_the_bench()
    start = time.process_time()
    verification = verify_file(path, rules, limit=100)
    return verification.rounds, verification.by_kind.total(), time.process_time() - start


def report(path: Path) -> None:
    """Judge a file in this process, and print its rounds, seconds, floor and memory."""
    rounds, found, seconds = verified(path)
    # What the process took is told by the system, in kilobytes, and never shrinks.
    status = Path("/proc/self/status")
    peak = 0
    if status.exists():
        line = next(one for one in status.read_text().splitlines() if one.startswith("VmHWM"))
        peak = int(line.split()[1]) // 1024
    print(rounds, found, seconds, floor(path), peak)


def main() -> None:
    """Measure and print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--shoes", type=int, default=1_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--wrong", type=int, default=0, help="rounds of a thousand that are wrong")
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.file is not None:
        report(options.file)
        return
    print_yardstick()
    rates, shares, peaks = [], [], []
    rounds = found = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rounds.csv"
        write(path, rules_of_the_bench(), options)
        size = path.stat().st_size
        for _ in range(options.repeat):
            command = [sys.executable, __file__, "--file", str(path)]
            told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            numbers = told.split()
            rounds, found = int(numbers[0]), int(numbers[1])
            seconds, floored = float(numbers[2]), float(numbers[3])
            rates.append(rounds / seconds)
            shares.append(floored / seconds)
            peaks.append(int(numbers[4]))
    rate = statistics.median(rates)
    print(f"{rounds:,} rounds of five wagers, {size / 1e6:,.0f} MB of CSV, {found:,} divergences")
    print(f"{rate:,.0f} rounds/s judged, {size / rounds * rate / 1e6:.0f} MB/s")
    times = 1 / statistics.median(shares)
    print(f"{times:.0f} times as long as reading and cutting the lines alone  (bar: {BAR})")
    print(f"memory at most {max(peaks)} MB")


if __name__ == "__main__":
    main()
