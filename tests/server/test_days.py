"""Whole days of tables over HTTP: each command by whoever gives it, with the consents it takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import pytest

from croupier import acts as c
from croupier.acts import Command
from croupier.acts.command import TERMS
from croupier.acts.roles import Role
from croupier.records.codec import from_json
from croupier.records.entry import SteppedClock
from croupier.rules import read_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table.cards.chance import Chance
from croupier.table.machine.position import Proposal
from croupier.table.machine.session import TableSession
from croupier.verify.log import verify_lines
from support.samples import sample_of
from support.served import MA_EZ, NJ, PUNTO_BANCO, Served, served
from support.tables import NOTIFIED, consented, make_table
from support.volume import spread

ON_DUTY = (Role.PIT_BOSS, Role.PIT_CLERK)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "pit.sqlite") as one:
        yield one


class People:
    """Everybody at a table; what a table accepts here is asked of the service."""

    def __init__(self, house: Served, table: str, pit: str) -> None:
        self.house = house
        self.table = table
        self.by = {
            str(office): house.person(office, str(office), pit=pit)
            for office in (Role.DEALER, Role.FLOORPERSON, *ON_DUTY, Role.LICENSEE)
        }
        self.by["machine"] = house.person("machine", "clock", pit=pit)
        self.sent: list[Command] = []

    def __call__(self, proposals: Sequence[Proposal]) -> None:
        """Have the service do what a table is about to accept."""
        for proposal in proposals:
            self.send(proposal.command)

    def send(self, command: Command) -> None:
        row = TERMS[type(command).__name__]
        # What a patron does by hand the dealer enters.
        giver = next((str(one) for one in row.does if str(one) in self.by), "dealer")
        answer = self.by[giver].does(self.table, command.to_dict())
        while answer.status_code == 202:
            person = self.by[answer.json()["consent"]["needs"][0]]
            answer = consented(person, answer, self.table)
        assert answer.status_code == 200, (command, answer.text)
        self.sent.append(command)


@pytest.mark.parametrize("file", [NJ, PUNTO_BANCO, MA_EZ], ids=lambda path: path.stem)
def test_days_are_dealt_over_http_and_the_record_is_that_of_the_table(
    house: Served, file: Path
) -> None:
    rules = read_rules(file)
    layout = rules.submission.layout
    answer = house.person("licensee", "Lou", pit=layout.pit).http.post(
        "/v1/tables",
        params={"notified": NOTIFIED},
        content=file.read_bytes(),
        headers={"Content-Type": "application/toml"},
    )
    assert answer.status_code == 201, answer.text
    people = People(house, layout.table, layout.pit)
    session = TableSession(rules, record=people, clock=SteppedClock())
    pilot = Autopilot(session, Chance(7), patrons=2)
    for day in (date(2026, 11, 20), date(2026, 11, 21)):
        pilot.open(day)
        pilot.play_shoe(4)
        pilot.close()
    watcher = house.person("surveillance", "Sue", pit=layout.pit)
    lines = watcher.http.get(f"/v1/tables/{layout.table}/log").content.splitlines(keepends=True)
    verdict = verify_lines(Path("log"), lines)
    assert (verdict.is_clean, verdict.divergence) == (True, None)
    assert verdict.entries == len(people.sent)
    recorded = [from_json(line)["command"] for line in lines[1:]]
    assert recorded == [one.to_dict() for one in people.sent]
    # The table that was played beside it, with no service, has the same money.
    assert verdict.ledger.balances == session.ledger.balances
    by = [from_json(line)["by"] for line in lines[1:]]
    assert all(by)


# --- every command by every office ---


def test_no_command_is_taken_from_an_office_that_does_not_give_it(house: Served) -> None:
    make_table(house)
    people = People(house, "MB-101", "1")
    people.send(c.OpenTable(5_000_000, "dealer", "floorperson", date(2026, 11, 20)))
    for more in ("accounting", "cage", "surveillance"):
        people.by[more] = house.person(more)
    people.by["board"] = house.person("board")
    for office in (*ON_DUTY, Role.ACCOUNTING, Role.CAGE, Role.LICENSEE, Role.SURVEILLANCE):
        people.send(c.AssignOffice(office, str(office)))
    people.send(c.SeatPatron(1, "Pat"))
    people.by["patron"] = house.person("patron", "Pat", seat=2, tables=("MB-101",))
    asked = taken = 0
    unread: set[str] = set()
    acts = dict(spread(TERMS.items(), len(TERMS) // 4))
    for name, row in acts.items():
        command = sample_of(name)
        over = {Role.SUPERVISOR: {Role.FLOORPERSON, Role.PIT_BOSS}}
        gives = {one for office in row.does for one in (office, *over.get(office, ()))}
        for holder, person in people.by.items():
            answer = person.does("MB-101", command)
            asked += 1
            enters = holder == "dealer" and Role.PATRON in row.does
            if holder in gives or enters:
                assert answer.status_code != 500, (name, holder)
                taken += answer.status_code == 200
                continue
            # What cannot be read is refused before it is known who may give it.
            unread.update([name] * (answer.status_code == 422))
            if answer.status_code != 422:
                assert answer.status_code == 403, (name, holder, answer.text)
                assert answer.json()["code"] in {"not_your_office", "not_your_seat", "two_persons"}
    assert asked == len(acts) * len(people.by)
    assert taken
    assert unread == set()
    lines = [*house.service.store.lines("MB-101")]
    assert verify_lines(Path("log"), lines).is_clean
