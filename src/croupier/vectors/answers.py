"""Vectors of single answers: everything asked at every start, what is done and what is refused."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from croupier.acts import Command
from croupier.rules import TableRules
from croupier.scenarios.starts import Start, Starts
from croupier.table import Refusal
from croupier.table.machine.core import Events, decide
from croupier.vectors.documents import Refusals
from croupier.vectors.plain import command_data, refused_data
from croupier.vectors.probes import probes
from croupier.vectors.reach import why_not
from croupier.vectors.sites import WRONG_TIME, refused_at, sites

_NUMBERS: Final = re.compile(r"\d+")


class Accepted(NamedTuple):
    """A command that is carried out at a start, and its events."""

    start: Start
    command: Command
    events: Events


class Refused(NamedTuple):
    """A command that is refused at a start, the refusal, and the place in the code it is made at.

    ``phase`` stands where it is the phase that refuses, as each of them is worth a vector.
    """

    start: Start
    command: Command
    refusal: Refusal
    site: str
    phase: str | None


class Answers(NamedTuple):
    """All that was found by asking: one act for each way of carrying a command out, and so on."""

    asked: int
    acts: tuple[Accepted, ...]
    refused: tuple[Refused, ...]


def answers(starts: Starts) -> Answers:
    """Ask everything at every start; keep the first answer of each kind.

    Acts are alike where the same command brings about the same kinds of events under the same
    clauses. Refusals are alike where one place in the code refuses the same command for the same
    clauses, and where a command comes at the wrong time, in the same phase.
    """
    asked = 0
    acts: dict[object, Accepted] = {}
    refused: dict[object, Refused] = {}
    places: dict[object, str] = {}
    numberless: dict[str, str] = {}
    for start in starts.values():
        stage = start.stage
        phase = stage.state.phase.name.lower()
        for command in probes(stage):
            asked += 1
            answer = decide(stage.state, command, stage.rules)
            if not isinstance(answer, Refusal):
                kinds = tuple((type(event), event.clauses) for event in answer)
                acts.setdefault((type(command), kinds), Accepted(start, command, answer))
                continue
            # Messages that differ in numbers alone come from one place: to find it takes time.
            message = numberless.get(answer.message)
            if message is None:
                message = numberless[answer.message] = _NUMBERS.sub("", answer.message)
            told = (type(command), answer.code, answer.clauses, message)
            if told not in places:
                places[told] = refused_at(stage.state, command, stage.rules)
            site = places[told]
            when = phase if site == WRONG_TIME else None
            alike = (type(command), site, answer.code, answer.clauses, when)
            refused.setdefault(alike, Refused(start, command, answer, site, when))
    return Answers(asked, tuple(acts.values()), tuple(refused.values()))


def refusals_data(found: Answers, rules: TableRules) -> Refusals:
    """Return refusals as plain data, with every place in the code that none of them came from."""
    reached = {one.site for one in found.refused}
    missed = [site for site in sites() if site.name not in reached]
    return {
        "asked": found.asked,
        "places": [site.name for site in sites() if site.name in reached],
        "not_reached": [{"place": site.name, "why": why_not(site, rules)} for site in missed],
        "refusals": [
            {
                "start": one.start.name,
                "command": command_data(one.command),
                "refused": refused_data(one.refusal),
                "place": one.site,
            }
            for one in found.refused
        ],
    }
