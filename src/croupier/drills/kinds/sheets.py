"""Questions about what is said, shown, and placed in an act."""

from __future__ import annotations

from croupier.drills.question import Asking, Question, Told, asks
from croupier.rules import TableRules
from croupier.table.machine.act_sheets import ActSheet, act_sheets
from croupier.table.machine.core import Events
from croupier.table.machine.offered import Field

_CHOICES = 4


@asks("sheets", "What is said, shown, and placed in each act")
def _sheets(asking: Asking) -> Question | None:
    chance = asking.chance
    stage = chance.choose(tuple(asking.room.starts.values())).stage.fork()
    sheets = [one for one in act_sheets(stage.rules.law) if _told_in(one, stage.rules)]
    if not sheets:
        return None
    sheet = chance.choose(sheets)
    own = _told_in(sheet, stage.rules)
    # Near acts of the same group are harder to tell apart.
    near = [one for one in sheets if one.terms.group == sheet.terms.group and asking.level > 1]
    others = {
        clause: says
        for one in near or sheets
        for clause, says in _told_in(one, stage.rules).items()
        if clause not in {step.clause for step in sheet.steps}
    }
    if len(others) < _CHOICES - 1:
        return None
    right = chance.choose(tuple(own))
    wrong = list(others)
    chance.shuffle(wrong)
    choices = [(right, own[right]), *((one, others[one]) for one in wrong[: _CHOICES - 1])]
    chance.shuffle(choices)

    def found(events: Events) -> Told:
        del events
        return {"part": next(one for one, _ in choices if one in own)}

    return Question(
        "sheets",
        asking.level,
        f"Which of these is part of this act? {sheet.title}",
        (("Act", sheet.says),),
        (Field("part", "choice", "Part", choices=tuple(choices)),),
        {"part": right},
        stage,
        found=found,
        why=tuple(
            (f"{', '.join(one.done).capitalize()}: {one.says}", (one.clause,))
            for one in sheet.steps
            if one.clause in own
        ),
    )


def _told_in(sheet: ActSheet, rules: TableRules) -> dict[str, str]:
    """Return what the rules in force have said, shown, or placed in an act, by clause."""
    return {one.clause: one.says for one in sheet.steps if one.done and one.rule in rules.in_force}
