"""Tells which slips of the hand in the package no test would notice.

    python tests/mutation_tests.py [MODULE ...] [--about] [--processes 2] [--again]

Each module is mutated (``mutation.mutants``), each mutant is shown to the tests of the texts (``mutation.runner``),
and what survives is held against ``data/surviving_mutants.tsv``, which gives the reason of each. With
``--about`` only the tests that are about the modules are asked, which takes a tenth of the time: what
they tell is told, and a survivor of theirs may be told by others. The answers are kept in
``build/mutation`` and asked again where a mutant or, for survivors, a test has changed. Exit 1 where a
survivor has no reason, or a reason no survivor.
"""

# ruff: noqa: T201  (a command prints)

import argparse
import csv
import hashlib
import json
import os
import pickle
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from mutation.mutants import mutants_of
from mutation.runner import (
    NOBODY,
    Loaded,
    Measured,
    Question,
    Ranking,
    ask_imported,
    in_processes,
    run,
)

ROOT: Final = Path(__file__).parents[1]
KEPT: Final = ROOT / "build" / "mutation"
REASONS: Final = ROOT / "tests" / "data" / "surviving_mutants.tsv"

# The modules, and how the names of the tests begin that are about each.
GAME: Final = (
    "tests/test_coup",
    "tests/nj_minibaccarat/test_7_9",
    "tests/nj_minibaccarat/test_7_2_w",
)
SHAPES: Final = (*GAME, "tests/test_a_wager_by_law", "tests/odds/test_custom_wagers")
VIGORISH: Final = (
    "tests/nj_minibaccarat/test_7_3_payout",
    "tests/ny_mini_midi/test_c",
    "tests/ma_minibaccarat/test_ma_11_12",
    "tests/nj_punto_banco/test_3_3_odds",
    "tests/nj_older/test_older_7_3",
)
FORMS: Final = (
    "tests/test_form_book",
    "tests/nj_minibaccarat/test_7_3_forms",
    "tests/nj_minibaccarat/test_7_3_deferred_vigorish",
    "tests/nj_punto_banco/test_3_3_deferred_vigorish_and_forms",
)
LEDGER: Final = ("tests/test_ledger", "tests/offices/test")
STAX: Final = ("tests/ma_minibaccarat/test_ma_12_j",)
VAULT: Final = ("tests/records/test_vault",)
MONEY: Final = (*VIGORISH, "tests/ma_minibaccarat/test_ma_12_i", *STAX, *LEDGER)
ASTRAY: Final = (
    "tests/nj_minibaccarat/test_7_11",
    "tests/ma_minibaccarat/test_ma_13",
    "tests/ny_mini_midi/test_j",
)
SETTLING: Final = (
    *MONEY,
    *ASTRAY,
    "tests/nj_minibaccarat/test_7_3_deferred",
    "tests/nj_minibaccarat/test_7_5",
    "tests/nj_minibaccarat/test_7_8",
    "tests/nj_minibaccarat/test_7_10",
    "tests/nj_minibaccarat/test_7_12",
    "tests/nj_punto_banco/test_3_6",
    "tests/nj_punto_banco/test_3_10",
    "tests/ma_minibaccarat/test_ma_8",
    "tests/ny_mini_midi/test_i",
    "tests/test_next_between_rounds",
)
OFFERS: Final = (
    "tests/test_table_rules",
    "tests/test_submissions",
    "tests/law/test_elections",
    "tests/ma_minibaccarat/test_ma_12",
    *VIGORISH,
)
BONUS: Final = ("tests/blackjack/test_2_20",)
STREAK: Final = ("tests/blackjack/test_2_22",)
BLACKJACK: Final = ("tests/blackjack/",)
MODULES: Final = {
    "baccarat.coup": GAME,
    "baccarat.wagers.record": SHAPES,
    "baccarat.wagers": (*GAME, *MONEY),
    "baccarat.wagers.shapes": SHAPES,
    "blackjack.acts": BLACKJACK,
    "blackjack.bonus": BONUS,
    "blackjack.reference": BLACKJACK,
    "blackjack.results": BLACKJACK,
    "blackjack.session": BLACKJACK,
    "blackjack.strategy": BLACKJACK,
    "blackjack.streak": STREAK,
    "money.forms": FORMS,
    "money.ledger": LEDGER,
    "money.settlement": MONEY,
    "money.stax": (*STAX, *VAULT),
    "rules.table": OFFERS,
    "rules.build": OFFERS,
    "rules.offer_builder": OFFERS,
    "rules.offers": OFFERS,
    "table.cards.drawing": ASTRAY,
    "table.irregular.irregular": ASTRAY,
    "table.settling.settling": SETTLING,
    "table.settling.vigorish": (
        *FORMS,
        *VIGORISH,
        "tests/test_next_between_rounds",
        "tests/ny_mini_midi/test_a",
        "tests/nj_minibaccarat/test_7_5",
        "tests/nj_minibaccarat/test_7_12",
        "tests/ma_minibaccarat/test_ma_3",
        "tests/ma_minibaccarat/test_ma_5",
    ),
}

# The tests that hold the package to the texts. What the program made and keeps (golden playthroughs,
# documents), and what plays at random and for long, is not asked.
TESTS: Final = (
    "tests/nj_minibaccarat", "tests/nj_punto_banco", "tests/nj_older", "tests/ma_minibaccarat",
    "tests/ny_mini_midi", "tests/law/test_elections.py", "tests/test_submissions.py",
    "tests/test_changing_elections.py", "tests/test_ledger.py", "tests/test_doctests.py",
    "tests/test_coup_and_tableau.py", "tests/test_table_rules.py", "tests/test_a_wager_by_law.py",
    "tests/odds/test_custom_wagers.py", "tests/test_next_between_rounds.py",
    "tests/test_form_book.py", "tests/offices", "tests/records/test_vault.py", "tests/blackjack",
)  # fmt: skip

# Those that go through every case there is, or through whole shoes: one of them takes as long as a
# hundred others, and each survivor would have to go through it.
TOO_LONG: Final = (
    "tests/ma_minibaccarat/test_ma_ledger.py",
    "tests/ma_minibaccarat/test_ma_12_i_royal_9.py::test_every_pair_of_hands",
    "tests/ma_minibaccarat/test_ma_12_j_stax.py::test_whoever_reads_the_record_can_prove",
    "tests/ma_minibaccarat/test_ma_7_wagers_by_the_count.py",
    "tests/nj_minibaccarat/test_7_9_third_card.py::test_third_cards_are_decided_from_both",
    "tests/nj_punto_banco/test_3_9_third_card.py::test_the_two_tables_together_decide",
    "tests/nj_punto_banco/test_3_2_wagers.py::test_the_dragon_7_wager_wins_on_a_winning",
    "tests/ma_minibaccarat/test_ma_8_c_3_house_money.py::test_every_four_ranks",
    "tests/test_doctests.py::test_the_examples_of_a_module_give_what_they_say[croupier.odds",
    "tests/test_doctests.py::test_the_examples_of_a_module_give_what_they_say[croupier.scenarios.vectors.pack",
    "tests/test_a_wager_by_law.py::test_it_is_simulated",
    "tests/blackjack/test_blackjack_is_tidy.py",
    "tests/blackjack/test_blackjack_playthroughs.py",
    "tests/blackjack/test_blackjack_session.py::test_nothing_that_patrons",
    "tests/blackjack/test_blackjack_simulate.py",
    "tests/blackjack/test_reference_blackjack.py::test_in_a_fair_game",
    "tests/blackjack/test_streaks_against_a_judge.py",
)


class Survivor(NamedTuple):
    """What names a survivor: its module, the function it stands in, and what is changed."""

    module: str
    where: str
    change: str


def files_about(modules: Sequence[str]) -> list[str]:
    """Return the files of the tests that are about some modules."""
    begin = {name for module in modules for name in MODULES.get(module, ())}
    return sorted(
        {str(path.relative_to(ROOT)) for name in begin for path in ROOT.glob(f"{name}*.py")}
    )


def path_of(module: str) -> Path:
    path = ROOT / "src" / "croupier" / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def questions_of(module: str) -> Iterator[Question]:
    for mutant in mutants_of(path_of(module)):
        yield Question(f"croupier.{module}", path_of(module), mutant, MODULES.get(module, ()))


# --- the answers that are kept -----------------------------------------------------------------


def fingerprint(*texts: bytes) -> str:
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]


def state_of_the_tree() -> str:
    """Return a fingerprint of the package and of the tests: what a survivor has survived."""
    files = sorted(
        [*ROOT.glob("src/**/*.py"), *ROOT.glob("src/**/*.toml"), *ROOT.glob("tests/**/*.py")]
    )
    return fingerprint(*(file.read_bytes() for file in files))


class Answers:
    """What the tests have told of each mutant, kept in a file that grows by a line for each."""

    def __init__(self, *, about: bool, again: bool) -> None:
        self.file = KEPT / ("answers_about.jsonl" if about else "answers.jsonl")
        self.tree = state_of_the_tree()
        KEPT.mkdir(parents=True, exist_ok=True)
        if again:
            self.file.unlink(missing_ok=True)

    def read(self) -> Mapping[str, str]:
        """Return who told each mutant, by its name; nobody, where it has survived this tree."""
        if not self.file.exists():
            return {}
        lines = map(json.loads, self.file.read_text(encoding="utf-8").splitlines())
        return {
            line["mutant"]: line["told"]
            for line in lines
            if line["told"] or line["tree"] == self.tree
        }

    def add(self, question: Question, told: str) -> None:
        line = {"mutant": name_of(question), "told": told, "tree": self.tree}
        # One write for each line, as several processes append to the file.
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def name_of(question: Question) -> str:
    return fingerprint(question.module.encode(), question.mutant.source.encode())


# --- asking ------------------------------------------------------------------------------------


def ask(
    questions: Sequence[Question],
    answers: Answers,
    tests: Sequence[str],
    processes: int,
    *,
    imported: bool,
) -> None:
    """Ask what has no answer yet. This process must not have imported the package itself."""
    known = answers.read()
    open_ = [question for question in questions if name_of(question) not in known]
    if not open_:
        return
    measured = ask_loaded(open_, answers, tests, processes)
    if not imported:
        return
    known = answers.read()
    open_ = [question for question in open_ if name_of(question) not in known]
    print(f"{len(open_)} mutants are asked with a fresh import", file=sys.stderr)
    ranking = Ranking(measured)
    in_processes(
        processes,
        len(open_),
        lambda number: answers.add(open_[number], ask_imported(open_[number], ranking)),
    )


def ask_loaded(
    questions: Sequence[Question], answers: Answers, tests: Sequence[str], processes: int
) -> Measured:
    """Ask in a process that has loaded the package; return what was measured there."""
    file = KEPT / "measured.pickle"
    file.unlink(missing_ok=True)
    child = os.fork()
    if not child:

        def keep(measured: Measured) -> None:
            file.write_bytes(pickle.dumps(measured))

        plugin = Loaded(
            questions,
            keep,
            lambda number, told: answers.add(questions[number], told),
            processes,
        )
        os._exit(run([*tests, *(f"--deselect={one}" for one in TOO_LONG)], [plugin]))
    status = os.waitpid(child, 0)[1]
    if status:
        raise SystemExit("the tests fail where nothing is mutated, or cannot be run")
    measured: Measured = pickle.loads(file.read_bytes())  # noqa: S301  (written just above)
    return measured


# --- the report --------------------------------------------------------------------------------


def reasons() -> Mapping[Survivor, str]:
    with REASONS.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        return {Survivor(*row[:3]): row[3] for row in rows}


def show(title: str, row: Sequence[int]) -> None:
    print(f"{title:<20}{row[0]:>9}{row[1]:>11}{row[2]:>8}{row[3]:>10}")


def report(questions: Mapping[str, Sequence[Question]], answers: Mapping[str, str]) -> int:
    """Print the score of each module and what is not explained; return the exit status."""
    explained = reasons()
    survivors: dict[Survivor, int] = {}
    print(f"{'module':<20}{'mutants':>9}{'at import':>11}{'told':>8}{'survived':>10}")
    totals = [0, 0, 0, 0]
    for module, asked in questions.items():
        told = [answers[name_of(one)] for one in asked if name_of(one) in answers]
        left = [one for one in asked if answers.get(name_of(one)) == NOBODY]
        row = [len(asked), len(asked) - len(told), len(told) - len(left), len(left)]
        totals = [total + number for total, number in zip(totals, row, strict=True)]
        show(module, row)
        for question in left:
            mutant = question.mutant
            survivors[Survivor(module, mutant.where, mutant.change)] = mutant.line
    show("all", totals)
    fresh = [one for one in survivors if one not in explained]
    stale = [one for one in explained if one.module in questions and one not in survivors]
    for title, these in (("No reason is given for:", fresh), ("No longer survives:", stale)):
        if these:
            print(f"\n{title}")
        for one in these:
            print(f"{one.module}:{survivors.get(one, 0)}\t{one.where}\t{one.change}")
    return 1 if fresh or stale else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="such as baccarat.coup")
    parser.add_argument("--processes", type=int, default=2, help="how many ask at a time")
    parser.add_argument("--again", action="store_true", help="forget the answers that are kept")
    parser.add_argument(
        "--about", action="store_true", help="ask only the tests that are about the modules"
    )
    parser.add_argument(
        "--imported", action="store_true", help="ask of what is run at the import, too"
    )
    options = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT / "src"))
    answers = Answers(about=options.about, again=options.again)
    modules = options.modules or list(MODULES)
    questions = {module: list(questions_of(module)) for module in modules}
    every = [one for asked in questions.values() for one in asked]
    tests = files_about(modules) if options.about else TESTS
    ask(every, answers, tests, options.processes, imported=options.imported)
    return report(questions, answers.read())


if __name__ == "__main__":
    raise SystemExit(main())
