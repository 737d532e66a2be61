"""Judging a file of rounds: what ``croupier verify`` does with a record that others kept."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from croupier.files.errors import FileError
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.reading import CsvRounds, Rounds, open_rounds
from croupier.rules import TableRules
from croupier.verify.rounds.census import census_data
from croupier.verify.rounds.findings import Judgement
from croupier.verify.rounds.judge import RoundsJudge, judged_rounds
from croupier.verify.rounds.quick import Known, QuickJudge, Told

__all__ = ["finished", "judge_all", "judge_file"]

_OFTEN: Final = 4
"""Where one round in so many has the same fault, it may be the table's rules that are others."""

_LEAST_ROUNDS: Final = 20
_OF_THE_TABLE: Final = ("third_card", "settlement", "vigorish", "offer", "limit")


def judge_file(
    path: Path,
    rules: TableRules,
    mapping: RoundMapping | None = None,
    *,
    behind: int | None = None,
    limit: int | None = None,
) -> Judgement:
    """Judge a file of rounds by the rules of its table, and count what became of them.

    ``mapping`` names other people's columns and values, ``behind`` is how many cards lie behind the
    cutting card where that is told, ``limit`` how many divergences are kept. Memory does not grow
    with the file. Raises ``FileError`` where not one line of the file can be read as a round.
    """
    judge = RoundsJudge(rules, behind=behind, limit=limit)
    judge_all(open_rounds(path, mapping, rules.tableau), judge)
    return finished(judge)


def judge_all(
    rounds: Rounds, judge: RoundsJudge, told: Told | None = None, known: Known | None = None
) -> None:
    """Judge the rounds of a file by the quickest way that takes it.

    ``told`` is given every round, or those alone that are not known to be right: then ``known`` is
    given the others, as ``QuickJudge`` says.
    """
    if isinstance(rounds, CsvRounds) and QuickJudge.takes(rounds, judge.rules):
        QuickJudge(judge, rounds, told, known).run()
        return
    for one in judged_rounds(rounds, judge):
        if told is not None:
            told(one)


def finished(judge: RoundsJudge) -> Judgement:
    """Return a judgement with its census. Raises ``FileError`` where no round was read."""
    judgement = judge.judgement
    if not judgement.rounds:
        lines = judgement.by_kind["format"]
        if not lines:
            raise FileError("there are no rounds in it")
        kept = [f"line {one.line}: {one.message}" for one in judgement.divergences[:3]]
        raise FileError(f"not one of {lines} lines can be read as a round", *kept)
    judgement.hints += _hints(judgement)
    judgement.census = census_data(judge.rules, judge.census, suited=judge.suited)
    return judgement


def _hints(judgement: Judgement) -> list[str]:
    """Return what may be behind divergences of one kind that come again and again."""
    if judgement.rounds < _LEAST_ROUNDS:
        return []
    often = [
        f"{kind} in {judgement.by_kind[kind]:,} of {judgement.rounds:,} rounds"
        for kind in _OF_THE_TABLE
        if judgement.by_kind[kind] * _OFTEN >= judgement.rounds
    ]
    if not often:
        return []
    return [f"So often ({', '.join(often)}): is this the submission of the table that dealt them?"]
