"""Who may give a command is the same by the short look as by the long one."""

from __future__ import annotations

from datetime import date
from itertools import product

import pytest

from croupier import acts
from croupier.acts.roles import Role
from croupier.rules import default_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table.cards.chance import Chance
from croupier.table.machine.session import TableSession
from croupier.table.people import offices
from croupier.table.people.offices import Actor, may

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

GIVEN = (
    acts.PlaceWager(1, "banker", 10_000),
    acts.PlaceWager(2, "banker", 10_000),
    acts.WithdrawWager(1, "banker"),
    acts.PlaceVerbalWager(1, "banker", 10_000, True, "floorperson"),  # noqa: FBT003  (as a command has it)
    acts.CallNoMoreBets(),
    acts.SettleWagers(),
    acts.LeaveTable(1),
    acts.BuyChips(1, 10_000),
    acts.CloseTable(),
    acts.WriteNote("a note"),
)


def test_one_or_two_persons_are_let_in_by_both_looks_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = TableSession(table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22))))
    Autopilot(table, Chance(1), patrons=2).open(date(2011, 2, 22))
    state, rules = table.state, table.rules
    names = [state.seats[seat].name for seat in (1, 2)]
    persons = (*names, "dealer", "floorperson", "nobody")
    actors = [
        Actor(person, office, "", seat)
        for person in persons
        for office, seat in (
            (Role.PATRON, 1), (Role.PATRON, 2), (Role.PATRON, None), (Role.DEALER, None),
            (Role.FLOORPERSON, None), (Role.MACHINE, None),
        )
    ]  # fmt: skip
    groups = [(), *((one,) for one in actors), *product(actors, repeat=2)]
    groups += [(*pair, actors[3]) for pair in product(actors[:6], repeat=2)]
    cases = list(product(GIVEN, groups))
    short = [may(state, command, by, rules) for command, by in cases]
    monkeypatch.setattr(offices, "_plainly", lambda *_: False)
    assert short == [may(state, command, by, rules) for command, by in cases]
    let_in = {by for (_, by), refusal in zip(cases, short, strict=True) if refusal is None}
    assert (Actor(names[0], Role.PATRON, "", 1), Actor("dealer", Role.DEALER)) in let_in
