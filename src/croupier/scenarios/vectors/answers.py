"""Vectors of single commands: accepted and refused commands at every start."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from croupier.acts import Command
from croupier.rules import TableRules
from croupier.scenarios.starts import Start, Starts
from croupier.scenarios.vectors.documents import Refusals
from croupier.scenarios.vectors.plain import refused_data
from croupier.scenarios.vectors.probes import probes
from croupier.scenarios.vectors.reach import why_not
from croupier.scenarios.vectors.sites import WRONG_TIME, refused_at, sites
from croupier.table import Refusal
from croupier.table.machine.core import Events, decide

_NUMBERS: Final = re.compile(r"\d+")


class Accepted(NamedTuple):
    start: Start
    command: Command
    events: Events


class Refused(NamedTuple):
    start: Start
    command: Command
    refusal: Refusal
    site: str
    phase: str | None


class Answers(NamedTuple):
    """The distinct answers: accepted commands and refusals, one of each kind."""

    asked: int
    acts: tuple[Accepted, ...]
    refused: tuple[Refused, ...]


def answers(starts: Starts) -> Answers:
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
            # Finding the place takes time; messages that differ only in numbers share one.
            message = numberless.get(answer.message)
            if message is None:
                message = numberless[answer.message] = _NUMBERS.sub("", answer.message)
            key = (type(command), answer.code, answer.clauses, message)
            if key not in places:
                places[key] = refused_at(stage.state, command, stage.rules)
            when = phase if (site := places[key]) == WRONG_TIME else None
            alike = (type(command), site, answer.code, answer.clauses, when)
            refused.setdefault(alike, Refused(start, command, answer, site, when))
    return Answers(asked, tuple(acts.values()), tuple(refused.values()))


def refusals_data(found: Answers, rules: TableRules) -> Refusals:
    reached = {refusal.site for refusal in found.refused}
    missed = [site for site in sites() if site.name not in reached]
    return {
        "asked": found.asked,
        "places": [site.name for site in sites() if site.name in reached],
        "not_reached": [{"place": site.name, "why": why_not(site, rules)} for site in missed],
        "refusals": [
            {
                "start": refusal.start.name,
                "command": refusal.command.to_dict(),
                "refused": refused_data(refusal.refusal),
                "place": refusal.site,
            }
            for refusal in found.refused
        ],
    }
