"""What a patron's last round came to, and its wagers again, whatever has been entered since."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path
from re import findall, search, sub
from typing import TYPE_CHECKING, Final

import pytest

from croupier import acts
from croupier.baccarat.cards import Card
from croupier.scenarios.autopilot import Autopilot
from croupier.scenarios.plainest import given_by, plainest
from croupier.server.desks.pilot import Dealt
from croupier.server.resources.page_calls import PAGES
from croupier.table.cards.chance import Chance
from croupier.table.machine.position import Stamp
from croupier.table.machine.state import Phase
from support.moments import ROYAL_9, royal_9
from support.page_forms import browser_of, part_of
from support.project import ROOT
from support.served import Served, served
from support.tables import consented, make_table
from support.windows import dealt, prepared, ready

if TYPE_CHECKING:
    import httpx

HOUSE_MONEY: Final = ROOT / "submissions" / "ma-house-money.toml"
MANY: Final = 20
"""More entries than a page tells of."""


def shown(patron: httpx.Client, table: str) -> tuple[str, dict[str, int]]:
    """Return what is said of the last round, and the wagers that Repeat places."""
    page = patron.get(f"/tables/{table}").text
    said, again = search(r'class="mine">(.*?)</p>', part_of(page, "own")), search(
        r'data-last="(.*?)"', page
    )  # fmt: skip
    assert said is not None
    assert again is not None
    return said[1], json.loads(unescape(again[1]))


@pytest.mark.under("us-nj/minibaccarat@2011-02-22")
@pytest.mark.parametrize("opened_before", [True, False])
def test_a_round_is_kept_however_much_is_entered_after_it(
    tmp_path: Path, *, opened_before: bool
) -> None:
    with ready(tmp_path) as house:
        grant = {"seat": 1, "tables": ("MB-101",)}
        patron = browser_of(house, "patron", "Patron 1", **grant)
        if opened_before:
            assert shown(patron, "MB-101") == ("No round is settled yet.", {})
        # Player's natural 9 over 5: $100 on Player wins $100, $5 on Tie lose.
        wagers = {(1, "player"): 10_000, (1, "tie"): 500}
        dealt(house, "9h 2c Ts 3d", wagers)
        dealer = house.person("dealer")
        for _ in range(MANY):
            bought = {"type": "BuyChips", "seat": 2, "cents": 2_500}
            assert dealer.does("MB-101", bought).status_code == 200
        last = 'My last round: <b class="net">+$95</b>', {"player": 10_000, "tie": 500}
        assert shown(patron, "MB-101") == last
        # Nor do the cards of the next round take it away, in which others bet.
        dealt(house, "2h 3c 3s", {(2, "player"): 10_000}, upto="SettleWagers")
        assert shown(patron, "MB-101") == last


@pytest.mark.under("us-nj/minibaccarat@2011-02-22")
def test_a_void_round_is_the_last_one_until_the_next_has_a_result(tmp_path: Path) -> None:
    with ready(tmp_path) as house:
        patron = browser_of(house, "patron", "Patron 1", seat=1, tables=("MB-101",))
        board, dealer = browser_of(house, "board"), house.person("dealer")
        floor = house.person("floorperson")
        dealt(house, "9h 2c Ts 3d", {(1, "tie"): 500})
        assert "Player 9 over 5" in part_of(board.get("/tables/MB-101").text, "last")
        dealt(house, "2h 3c 3s", {(1, "player"): 10_000}, upto="SettleWagers")
        empty = {"type": "FindShoeEmpty", "supervisor": "floorperson"}
        assert floor.does("MB-101", empty).status_code == 200
        # Who has asked for it is not asked to do it again.
        browser = browser_of(house, "dealer")
        assert "act-VoidRound" in part_of(browser.get("/tables/MB-101").text, "next")
        waits = dealer.does("MB-101", {"type": "VoidRound"})
        due = part_of(browser.get("/tables/MB-101").text, "next")
        assert "act-VoidRound" not in due
        assert "It waits for the consent of the floorperson." in due
        assert shown(patron, "MB-101")[0] == 'My last round: <b class="net">−$5</b>'
        assert consented(floor, waits).status_code == 200
        # The stakes have come back, and the cards of the round before are not those of this one.
        void = 'My last round: <b class="net">$0</b>: void, stakes returned'
        assert shown(patron, "MB-101") == (void, {"player": 10_000})
        last = part_of(board.get("/tables/MB-101").text, "last")
        assert "Result of round 2" in last
        assert ">Void<" in last
        assert "The stakes were returned." in last
        assert "Cards of round" not in last
        house.do(_shuffled(house))
        assert ">Void<" in part_of(board.get("/tables/MB-101").text, "last")
        dealt(house, "9h 2c Ts 3d", {(1, "player"): 10_000})
        assert "Player 9 over 5" in part_of(board.get("/tables/MB-101").text, "last")
        assert shown(patron, "MB-101")[0] == 'My last round: <b class="net">+$100</b>'


async def _shuffled(house: Served) -> None:
    desk = house.service.tables["MB-101"].desk
    pilot = Autopilot(Dealt(desk), Chance(7), patrons=2)
    while desk.ahead.state.phase is not Phase.BETTING:
        pilot.step()
    await desk.settled()


async def _plays_on(house: Served, name: str, cards: str, added: dict[int, str]) -> None:
    """Deal a round to its end, with payouts of House Money added to these wagers."""
    session, left = Dealt(house.service.tables[name].desk), iter(cards.split())
    while (action := session.due()) is not None:
        command: acts.Command
        if action.command is acts.DrawCard:
            command = acts.DrawCard(Card.of(next(left)))
        elif action.command is acts.SettleHouseMoney:
            command = acts.SettleHouseMoney(added)
        else:
            command = plainest(session.state, session.rules, action)
        session.execute(command, Stamp(given_by(session.state, command, session.rules)))
        if session.state.phase is Phase.BETTING:
            break
    await house.service.tables[name].desk.settled()


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
@pytest.mark.parametrize(("added", "net"), [({}, "−$40"), ({1: "player"}, "−$100")])
def test_house_money_is_of_the_round_that_it_is_settled_in(
    tmp_path: Path, added: dict[int, str], net: str
) -> None:
    with served(tmp_path / "pit.sqlite", more=PAGES) as house:
        file = tmp_path / "house-money.toml"
        file.write_text(HOUSE_MONEY.read_text().replace('pit = "2"', 'pit = "1"'))
        make_table(house, file)
        house.do(prepared(house, "MA-201", 2))
        patron = house.person("patron", "Patron 1", seat=1, tables=("MA-201",))
        wagers = {"player": 10_000, "house_money": 2_000}
        bet = {"type": "PlaceWagers", "seat": 1, "stakes": wagers}
        assert patron.does("MA-201", bet).status_code == 200
        # Player's pair of twos pays 3:1, $60; Player's 4 then loses $100, or $160, to Banker's 9.
        house.do(_plays_on(house, "MA-201", "2h 3d 2c Ks Kd 6s", added))
        page = browser_of(house, "patron", "Patron 1", seat=1, tables=("MA-201",), id="page")
        assert shown(page, "MA-201") == (f'My last round: <b class="net">{net}</b>', wagers)


def sums(patron: httpx.Client) -> list[str]:
    """Return what is said below the chips: what is due beside the last round, and its net."""
    own = part_of(patron.get(f"/tables/{ROYAL_9}").text, "own")
    return [sub("<[^>]+>", "", one) for one in findall(r"<p.*?</p>", own)[1:]]


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
def test_an_award_is_due_by_hand_until_it_is_paid(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", more=PAGES) as house:
        royal_9(house, tmp_path)
        patron = browser_of(house, "patron", "Patron 1", seat=1, tables=(ROYAL_9,))
        other = browser_of(house, "patron", "Patron 2", seat=2, tables=(ROYAL_9,))
        dealer, cage = house.person("dealer"), house.person("cage")
        assert sums(patron) == ["No round is settled yet."]
        assert dealer.does(ROYAL_9, {"type": "SettleWagers"}).status_code == 200
        # Tie pays 8 to 1, $200; the stake of Royal 9, which is paid for one, is kept.
        net, due = "My last round: +$195", "Award due by hand: $10,000.15"
        assert sums(patron) == [due, net]
        assert sums(other) == ["Nothing of mine was settled."]
        assert dealer.does(ROYAL_9, {"type": "ClearLayout"}).status_code == 200
        assert sums(patron) == [due, net]
        paid = {"type": "PayByHand", "number": 1, "slip": 1}
        waits = cage.does(ROYAL_9, paid)
        for office in ("floorperson", "surveillance"):
            assert sums(patron) == [due, net]
            waits = consented(house.person(office), waits, ROYAL_9)
        assert waits.status_code == 200
        assert sums(patron) == ["Award paid by hand: $10,000.15", net]
        assert sums(other) == ["Nothing of mine was settled."]


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
def test_an_award_is_due_by_hand_after_further_rounds(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", more=PAGES) as house:
        royal_9(house, tmp_path)
        patron = browser_of(house, "patron", "Patron 1", seat=1, tables=(ROYAL_9,))
        dealer = house.person("dealer")
        for command in (
            {"type": "SettleWagers"},
            {"type": "ClearLayout"},
            {"type": "PlaceWager", "seat": 1, "wager": "tie", "cents": 2_500},
        ):
            assert dealer.does(ROYAL_9, command).status_code == 200, command
        house.do(_plays_on(house, ROYAL_9, "2h 3d 2c Ks Kd 6s", {}))
        assert sums(patron) == ["Award due by hand: $10,000.15", "My last round: −$25"]


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
def test_an_award_from_the_tray_is_in_the_net(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", more=PAGES) as house:
        royal_9(house, tmp_path, "wagers.royal_9.stax.offered = false")
        patron = browser_of(house, "patron", "Patron 1", seat=1, tables=(ROYAL_9,))
        settled = house.person("dealer").does(ROYAL_9, {"type": "SettleWagers"})
        assert settled.status_code == 200
        assert sums(patron) == ["My last round: +$10,195.15"]
