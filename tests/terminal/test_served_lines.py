"""``croupier table --connect``: line by line, and how it gets to a table."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner, Result

from croupier.cli import main
from croupier.cli.tables.sitting.lines import run_lines
from croupier.cli.tables.sitting.served import served_table
from croupier.verify.log import verify_lines
from support.relay import behind, relayed
from support.tables import make_table
from support.windows import ready

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

T: Final = "MB-101"
DEAL: Final = ("Kd", "4c", "5h", "2s", "6c", "Ah")


def sat(place: str, token: str, *lines: str, words: tuple[str, ...] = ()) -> Result:
    """Sit at a table of a service, and type lines."""
    typed = "".join(f"{line}\n" for line in lines)
    known = {"CROUPIER_TOKEN": token}
    return CliRunner().invoke(main, ["table", "--connect", place, *words], input=typed, env=known)


# --- line by line ------------------------------------------------------------------------------


def test_a_round_line_by_line(tmp_path: Path) -> None:
    with ready(tmp_path) as house:
        wager = ("place a wager", "1", "banker", "100", "", "call")
        done = sat(house.place, house.token("dealer"), *wager, *DEAL, "", "r", "x")
        assert done.exit_code == 0, done.output
        assert "Table MB-101 · open for wagers · dealer (dealer) · live" in done.output
        # Player K 5 6 is 1, Banker 4 2 A is 7; 5% of $100 is $5, shown by a marker.
        assert "“Player 1, Banker 7, Banker wins, six cards”" in done.output
        _, _, after = done.output.partition("Collect and pay, in this order:")
        assert "Paid:\n  seat 1  Banker $100 pays $100 (1 to 1)" in after
        assert "Streaks: Banker 1\n" in done.output
        desk = house.service.tables[T].desk
        lines = house.service.store.lines(T, 0, desk.durable.sequence)
        verdict = verify_lines(Path("log"), lines)
        assert (verdict.is_clean, verdict.rounds) == (True, 1)


MISREAD: Final = {
    "type": "CorrectMisreadCard", "recorded": "Kd", "actual": "Qd", "hand": "player", "ordinal": 1,
    "supervisor": "floorperson",
}  # fmt: skip
"""A card read wrongly waits for the floorperson: the cards stay on the layout."""


@pytest.mark.parametrize("waits", ["", "before the look", "after the look"])
def test_one_enter_settles_and_clears_if_nothing_is_open(tmp_path: Path, waits: str) -> None:
    with ready(tmp_path) as house:
        dealer, said = house.person("dealer"), list[str]()
        typed = iter(("place a wager", "1", "banker", "100", "", "call", *DEAL, "t", "", "x"))

        def ask(prompt: str) -> str:
            del prompt
            text = next(typed)
            settles = said[-1].startswith("  seat 1")
            if waits and settles and text == ("t" if waits == "before the look" else ""):
                assert dealer.does(T, MISREAD).status_code == 202
                time.sleep(3 * (text == "t"))
            return text

        with served_table(house.place, house.token("dealer")) as door:
            run_lines(door, ask, said.append)
        desk = house.service.tables[T].desk
        entries = house.do(house.service.tables[T].past.entries(1, desk.durable.sequence))
        done = [type(one.command).__name__ for one in entries][-2:]
        assert done == (["DrawCard", "SettleWagers"] if waits else ["SettleWagers", "ClearLayout"])
        nexts = [one for one in said if one.startswith("Next: ")]
        assert any(one.startswith("Next: Settle and clear") for one in nexts)
        assert nexts[-1].startswith("Next: Pick up" if waits else "Next: Call")


def test_what_waits_does_not_show_in_the_view_of_a_patron(tmp_path: Path) -> None:
    with ready(tmp_path) as house:
        dealer = house.person("dealer")
        patron = house.person("patron", "Patron 1", seat=1, tables=(T,))
        dealer.does(T, {"type": "PlaceWager", "seat": 1, "wager": "banker", "cents": 10_000})
        dealer.does(T, {"type": "CallNoMoreBets"})
        for card in DEAL:
            assert dealer.does(T, {"type": "DrawCard", "card": card}).status_code == 200
        look = f"/v1/tables/{T}/look"
        assert (dealer.sees(look)["then"], patron.sees(look)["then"]) == ("ClearLayout", None)
        assert dealer.does(T, MISREAD).status_code == 202
        assert (dealer.sees(look)["then"], patron.sees(look)["then"]) == (None, None)


@pytest.mark.clause("NJ-MINI:7.2(d)")
def test_a_patron_has_the_acts_of_one_seat_and_is_refused_with_the_clause(tmp_path: Path) -> None:
    with ready(tmp_path) as house:
        dealer = house.person("dealer")
        patron = house.token("patron", "Patron 1", seat=1, tables=(T,))
        done = sat(house.place, patron, "o", "x", "x")
        assert "Seat 1: place a wager" in done.output
        assert "Seat 2" not in done.output
        assert dealer.does(T, {"type": "PlaceWager", "seat": 2, "wager": "tie", "cents": 2500})
        assert dealer.does(T, {"type": "CallNoMoreBets"}).status_code == 200
        done = sat(house.place, patron, "place", "x")
        said = "Place a wager: not open to you now. It is given by the patron. The table is in"
        assert f"{said} the deal; next:" in done.output
        assert "not understood" in sat(house.place, patron, "plaice", "x").output


def test_a_script_goes_on_over_a_cut_connection(tmp_path: Path) -> None:
    with relayed() as relay, behind(relay, tmp_path) as house:
        said: list[str] = []
        typed = iter(["place a wager", "1", "banker", "100", "", "call", "x"])

        def ask(prompt: str) -> str:
            del prompt
            text = next(typed)
            if text == "call":
                relay.lose_answers()
                threading.Timer(0.5, relay.mend).start()
            return text

        with served_table(f"http://127.0.0.1:{relay.port}", house.token("dealer")) as door:
            refused = run_lines(door, ask, said.append)
        assert refused == 0, said
        assert any("Waiting for it; Ctrl+C leaves." in one for one in said)
        assert "It is done, once." in said
        assert house.service.tables[T].desk.durable.state.phase.name == "DEALING"


def test_whoever_watches_waits_for_what_comes(tmp_path: Path) -> None:
    with ready(tmp_path) as house:
        dealer, said = house.person("dealer"), list[str]()
        patron = house.token("patron", "Patron 1", seat=1, tables=(T,))
        typed = iter(["w", "x"])

        def ask(prompt: str) -> str:
            del prompt
            text = next(typed)
            if text == "w":
                command = {"type": "CallNoMoreBets"}
                place = {"type": "PlaceWager", "seat": 2, "wager": "tie", "cents": 2500}
                threading.Timer(0.3, lambda: dealer.does(T, place)).start()
                threading.Timer(0.6, lambda: dealer.does(T, command)).start()
            return text

        with served_table(house.place, patron) as door:
            run_lines(door, ask, said.append)
        # It ends when the patron may do something else: no wager any longer.
        assert "“No More Bets”" in said


# --- how it gets to a table --------------------------------------------------------------------


def test_a_one_time_link_is_used_up(tmp_path: Path) -> None:
    with ready(tmp_path) as house:
        code = house.link("dealer")
        done = sat(f"{house.place}/enter?link={code}", "", "t", "x")
        assert done.exit_code == 0, done.output
        assert "The link is used up now" in done.stderr
        assert " 1 Patron 1 · " in done.output
        again = sat(f"{house.place}/enter?link={code}", "", "x")
        assert (again.exit_code, "used before" in again.output) == (2, True), again.output


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("127.0.0.1:8750", "write an address such as http://127.0.0.1:8750"),
        ("http://pit.example:8750", "http would send the token in the clear; use https"),
        ("http://secret@127.0.0.1:8750", "an address has no token in it; a shell keeps"),
        ("http://127.0.0.1:8750/?token=secret", "token is not part of an address; a shell keeps"),
        ("http://127.0.0.1:8750/v1", "/v1 is not a page of a service"),
        ("http://127.0.0.1:99999", "--connect"),
        ("http://127.0.0.1:1", "no token; set CROUPIER_TOKEN"),
    ],
)
def test_an_address_that_would_give_the_token_away_is_refused(place: str, said: str) -> None:
    done = sat(place, "", "x")
    assert (done.exit_code, said in done.output) == (2, True), done.output
    assert "secret" not in done.output


def test_several_tables_are_named(tmp_path: Path) -> None:
    with ready(tmp_path) as house:
        make_table(house, table="MB-102")
        token = house.token("dealer")
        done = sat(house.place, token, "x")
        assert done.exit_code == 2
        assert "name a table with --table; yours are: MB-101, MB-102" in done.output
        assert "Table MB-102" in sat(house.place, token, "x", words=("--table", "MB-102")).output
        assert "Table MB-101" in sat(f"{house.place}/tables/MB-101", token, "x").output


def test_a_log_and_a_service_are_not_named_together(tmp_path: Path) -> None:
    done = sat("http://127.0.0.1:1", "", "x", words=("--log", str(tmp_path / "log.jsonl")))
    assert (done.exit_code, "leave out SUBMISSION, --log, --continues," in done.output) == (2, True)


OFFICES: Final = (
    "dealer", "patron", "board", "floorperson", "pit boss", "pit clerk", "cage", "accounting",
    "surveillance", "licensee",
)  # fmt: skip


def test_every_office_reads_the_table_line_by_line(tmp_path: Path) -> None:
    with ready(tmp_path) as house:
        for office in OFFICES:
            more = {"seat": 1, "tables": (T,)} if office == "patron" else {}
            person = "Patron 1" if office == "patron" else f"{office} of a test"
            done = sat(house.place, house.token(office, person, **more), *"rl?toh", "x", "x")
            assert done.exit_code == 0, done.output
            assert f"({office}" in done.output
            assert "Next: " in done.output


def test_a_round_over_a_connection_that_is_cut_before_the_third_card(tmp_path: Path) -> None:
    with relayed() as relay, behind(relay, tmp_path) as house:
        said: list[str] = []
        typed = iter(["place a wager", "1", "banker", "100", "", "call", *DEAL, "x"])

        def ask(prompt: str) -> str:
            del prompt
            text = next(typed)
            if text == DEAL[4]:
                relay.cut()
                threading.Timer(0.5, relay.mend).start()
            return text

        with served_table(f"http://127.0.0.1:{relay.port}", house.token("dealer")) as door:
            run_lines(door, ask, said.append)
        round_ = house.service.tables[T].desk.durable.state.round
        assert round_ is not None
        # The third card of Player was dealt once, whether or not its answer arrived.
        assert [str(one) for one in round_.coup.player][:2] == ["Kd", "5h"]
