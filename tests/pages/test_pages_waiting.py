"""What waits for somebody: in sentences, first for who must act, and withdrawn by who asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from croupier import acts
from croupier.acts.command import TERMS
from croupier.acts.sentences import sentence
from croupier.cli.tables.sitting.lines import next_lines
from croupier.cli.tables.sitting.served import served_table
from croupier.cli.tables.sitting.sitting import TerminalSitting
from croupier.records.codec import decode_command
from croupier.reports.screen import screen
from croupier.server.resources.page_calls import PAGES
from croupier.table.machine.core import Refusal
from croupier.table.machine.position import Stamp
from croupier.table.machine.state import Phase
from support.closing import closing_command
from support.page_forms import browser_of, form_of, part_of, sent
from support.project import ROOT
from support.served import Person, Served, served
from support.tables import make_table
from support.windows import dealt, with_clerks

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

T: Final = "/tables/MB-101"
FILL: Final = {"slip": 1, "chips": {"10000": 10}}
"""Ten chips of $100, in cents as the record has it."""

VALUES: Final[Mapping[str, Any]] = {
    "of": 12, "seat": 3, "wager": "banker", "cents": 1_234_500, "reason": "the chips fell over",
    "hand": "banker", "ordinal": 2, "actual": "9h", "recorded": "2c", "paid_cents": 777_700, "returned": [2, 4],
    "patron": "Pat", "identified": "a passport", "slip": 1, "pit_clerk": "Peg",
    "taken_by": "Ned", "serial": 101, "spoilt": 100, "dealer": "Dana", "pit_boss": "Pia",
    "patron_signed": True, "statement": "he left", "stated_by": "Dana", "number": 5,
    "inventory_cents": 5_000_000, "floorperson": "Flo", "gaming_date": "2011-02-22",
    "into": {"stax": "the next day"}, "secret": None, "chips": {"10000": 10, "500": 40},
    "closing": False, "box": "B-1", "cash_cents": 123_400, "coupon_cents": 2_500,
    "dealer_confirms": True, "supervisor": "Sue", "shift": "swing", "leaving": "Fay",
    "gone": "Pam", "removed": 4, "cards": 416, "envelope": "E-7", "canceled": True,
    "lit": True,
}  # fmt: skip
"""A value for each field of each command with a consent."""

CENTS: Final = ("1234500", "777700", "5000000", "123400", "10000", "2500")
WITH_A_CONSENT: Final = sorted(name for name, one in TERMS.items() if one.together or one.besides)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with with_clerks(tmp_path) as one:
        yield one


def page_of(house: Served, office: str) -> str:
    answer = browser_of(house, office).get(T)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def read(text: str) -> str:
    """Return what a person reads on a page: its text, and the values in its visible fields."""
    fields = re.findall(r'<input type="text"[^>]* value="([^"]*)"', text)
    # Keys are named where they are explained.
    words = re.sub(r"<kbd.*?</kbd>|<footer.*?</footer>|<[^>]+>", " ", text, flags=re.DOTALL)
    return unescape(" ".join([*fields, words]))


def is_written_for_people(text: str) -> None:
    assert not re.search(r"[\[{}\]]", text.replace("[not shown]", "")), text
    for cents in CENTS:
        assert not re.search(rf"(?<![\d,.]){cents}(?![\d,.])", text), (cents, text)


@pytest.mark.parametrize("name", WITH_A_CONSENT)
def test_a_command_with_a_consent_is_a_sentence(name: str) -> None:
    fields = TERMS[name].command.__struct_fields__
    command = decode_command({"type": name} | {one: VALUES[one] for one in fields})
    said = sentence(command, {"banker": "Banker"})
    is_written_for_people(said)
    assert said.startswith(TERMS[name].title.format(seat=3))
    assert "_" not in said
    # Every value that was given is in it.
    shown = {
        "cents": "$12,345", "paid_cents": "$7,777", "cash_cents": "$1,234", "coupon_cents": "$25",
        "inventory_cents": "$50,000", "wager": "Banker", "hand": "Banker's Hand",
        "chips": "ten $100 chips and 40 chips of $5, $1,200", "returned": "2, 4",
        "patron_signed": "yes", "dealer_confirms": "yes", "closing": "no", "into": "the next day",
        "actual": "9♥", "recorded": "2♣", "canceled": "yes", "lit": "yes",
    }  # fmt: skip
    for one in fields:
        if VALUES[one] is not None:
            told = shown.get(one, str(VALUES[one]))
            assert told.casefold() in said.casefold(), one


def test_a_fill_is_worded_as_on_its_slip() -> None:
    command = decode_command({"type": "ReceiveFill", **FILL})
    told = "Count the chips of a fill into the tray. Fill 1: ten $100 chips, $1,000"
    assert sentence(command, {}) == told


def test_a_text_cannot_seem_to_be_further_fields() -> None:
    command = decode_command({"type": "VoidSlip", "slip": 2, "reason": "torn”, amount $5, note “x"})
    assert sentence(command, {}) == "Void a slip. Slip 2: reason “torn’, amount $5, note ‘x”"
    into = {"stax": "tomorrow”, reason “x"}
    command = decode_command({"type": "RetireMeters", "into": into, "reason": "worn"})
    assert "stax “tomorrow’, reason ‘x”, reason “worn”" in sentence(command, {})
    command = decode_command(
        {"type": "VoidForm", "serial": 101, "pit_clerk": "Peg, amount $5", "pit_boss": "Pia"}
    )
    assert "“Peg, amount $5”" in sentence(command, {})


def test_no_text_has_hidden_characters_at_any_depth(house: Served) -> None:
    into = {"type": "RetireMeters", "into": {"stax": "x\u202egnp"}, "reason": "worn"}
    answer = house.person("licensee").does("MB-101", into)
    assert answer.status_code == 422, answer.text
    assert "into: a text has" in answer.json()["detail"]


def test_a_corrected_card_is_shown_to_those_who_consent_to_it(house: Served) -> None:
    dealt(house, "9h 2c Ts 3d", {(1, "player"): 10_000})
    floor = house.person("floorperson")
    # The layout was cleared after it.
    of = floor.sees(f"/v1{T}")["seq"] - 1
    asked = {"of": of, "reason": "on film", "hand": "player", "ordinal": 1, "actual": "8h"}
    done(floor, type="CorrectSettlement", **asked)
    (waits,) = consents_of(house.person("dealer"))
    assert "in truth 8♥" in waits["words"]


def done(person: Person, **command: Any) -> Any:
    answer = person.does("MB-101", command)
    assert answer.status_code in {200, 202}, answer.text
    return answer.json()


OFFICES: Final = (
    "dealer", "floorperson", "pit boss", "cage", "accounting", "pit clerk", "licensee",
    "surveillance",
)  # fmt: skip


def test_every_form_of_every_office_is_without_braces_and_cents(house: Served) -> None:
    floor, cage, dealer = map(house.person, ("floorperson", "cage", "dealer"))
    for step in range(4):
        for office in OFFICES:
            is_written_for_people(read(page_of(house, office)))
        if step == 0:
            done(floor, type="RequestFill", **FILL)
            done(floor, type="RequestCredit", slip=2, chips={"2500": 1})
        elif step == 1:
            done(cage, type="IssueFill", **FILL)
        elif step == 2:
            done(dealer, type="ReceiveFill", **FILL)


def test_the_keys_that_a_page_shows_are_keys_of_its_office(house: Served) -> None:
    for office in OFFICES:
        answers = "y and n: consent to the first act that waits, or decline it."
        for text in (page_of(house, office), browser_of(house, office).get("/tables").text):
            # Without this box, no key does anything.
            assert 'data-key="' in text
            assert 'id="keys"' in text
            assert answers in text
            assert ("p: pause" in text) is (office in {"dealer", "floorperson", "surveillance"})


def test_an_office_for_which_others_wait_has_its_act_first(house: Served) -> None:
    floor, dealer = map(house.person, ("floorperson", "dealer"))
    assert "data-awaited" not in page_of(house, "cage")
    # An open credit has the lower number: the fill's form still has the fill's slip and chips.
    done(floor, type="RequestCredit", slip=1, chips={"2500": 1})
    done(floor, type="RequestFill", slip=2, chips={"10000": 10})
    text = page_of(house, "cage")
    first = part_of(text, "next")
    assert "Send the chips of a fill to the table" in first
    assert "Nothing waits for you" not in text
    sends = form_of(text, "act-IssueFill-0")
    assert (sends["json.slip"], sends["count.chips.10000"]) == ("2", "10")
    assert "Acts that wait for you: 1" in browser_of(house, "cage").get("/tables").text
    # The form alone sends it.
    with browser_of(house, "cage") as browser:
        form = form_of(browser.get(T).text, "act-IssueFill-0")
        assert sent(house, browser, f"{T}/acts", form).status_code == 303
    assert "data-awaited" not in page_of(house, "cage")
    # The dealer's round comes first; what is counted meanwhile waits along with it.
    text = page_of(house, "dealer")
    assert "no more bets" in part_of(text, "next")
    assert "Count the chips of a fill into the tray" in part_of(text, "consents")
    assert "other-ReceiveFill" not in part_of(text, "acts")
    done(dealer, type="IssueCredit", slip=1, chips={"2500": 1})


def test_a_count_of_a_fill_is_asked_by_denomination(house: Served) -> None:
    text = page_of(house, "floorperson")
    form = form_of(text, "act-RequestFill-0")
    assert {one for one in form if one.startswith("count.chips.")} == {
        f"count.chips.{value}"
        for value in (50, 100, 500, 2_500, 10_000, 50_000, 100_000, 500_000, 2_500_000)
    }
    with browser_of(house, "floorperson") as browser:
        form = form_of(browser.get(T).text, "act-RequestFill-0")
        form |= {"count.chips.10000": "10", "count.chips.500": "40"}
        assert sent(house, browser, f"{T}/acts", form).status_code == 303
    assert "ten $100 chips and 40 chips of $5, $1,200" in page_of(house, "floorperson")


def consents_of(person: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.sees(f"{'/v1' + T}/consents")["consents"]
    return found


def declined(person: Person, waits: str) -> int:
    answer = person.http.post(
        f"/v1{T}/consents/{waits}",
        json={"consent": False},
        headers={"Idempotency-Key": person.key()},
    )
    return answer.status_code


def test_who_asked_sees_what_waits_and_withdraws_it(house: Served) -> None:
    dealer, floor = house.person("dealer"), house.person("floorperson")
    asked = done(dealer, type="CountInventory", chips={"2500": 1})["consent"]
    assert asked["words"].startswith("Count the chips in the tray. One $25 chip, $25")
    assert asked["mine"] is True
    assert [one["mine"] for one in consents_of(floor)] == [False]
    text = page_of(house, "dealer")
    assert "Withdraw" in part_of(text, "consents")
    assert "floorperson" in part_of(text, "consents")
    assert "Withdraw" not in part_of(page_of(house, "floorperson"), "consents")
    # Others cannot: whatever the office.
    for other in (
        house.person("cage"),
        house.person("surveillance"),
        house.person("patron", "Patron 1", seat=1, tables=("MB-101",)),
    ):
        assert consents_of(other) == []
        assert declined(other, asked["id"]) in {403, 410}
    assert declined(dealer, asked["id"]) == 200
    assert consents_of(dealer) == consents_of(floor) == []
    # What was withdrawn cannot be consented to any more.
    answer = floor.http.post(
        f"/v1{T}/consents/{asked['id']}",
        json={"consent": True},
        headers={"Idempotency-Key": floor.key()},
    )
    assert answer.status_code == 410


def test_who_asks_reads_that_nobody_holds_the_office_that_would_consent(house: Served) -> None:
    dealt(house, "9h 2c Ts 3d", {(1, "player"): 10_000})
    floor = house.person("floorperson")
    # The layout was cleared after it.
    of = floor.sees(f"/v1{T}")["seq"] - 1
    done(floor, type="CorrectSettlement", of=of, reason="x", hand="player", ordinal=1, actual="8h")
    waits = "It waits for the consent of the dealer and surveillance."
    assert f"{waits} Nobody is assigned as surveillance." in page_of(house, "floorperson")
    assigned = {"type": "AssignOffice", "person": "surveillance", "office": "surveillance"}
    assert floor.does("MB-101", assigned).status_code == 200
    text = page_of(house, "floorperson")
    assert waits in text
    assert "Nobody is assigned" not in text
    # No card is named where a payment is put right.
    told = {"of": of, "reason": "x", "seat": 1, "wager": "player", "paid_cents": 5_000}
    command = decode_command({"type": "CorrectSettlement", **told})
    assert sentence(command, {"player": "Player"}).endswith(
        "reason “x”, seat 1, Player, what was handed over $50"
    )


def test_a_dispute_is_opened_laid_out_again_and_decided_on_a_page(house: Served) -> None:
    dealt(house, "9h 2c Ts 3d", {(1, "player"): 10_000})
    flo = house.person("floorperson")
    settled = flo.sees(f"/v1{T}")["seq"] - 1
    # Nobody needs to know the number of an entry by heart.
    dealt(house, "", {(1, "player"): 10_000}, upto="CallNoMoreBets")
    fields = {
        f"{act['command']}.{field['name']}": field["choices"]
        for act in flo.sees(f"/v1{T}/legal")["acts"]
        for field in act["fields"]
    }
    round_ = {"value": settled, "label": f"Round 1 (entry {settled})"}
    assert [*fields["OpenDispute.settled"], *fields["CorrectSettlement.of"]] == [round_, round_]
    entry = flo.sees(f"/v1{T}")["seq"]
    wagers = f"Seat 1, Player $100.00 (entry {entry})"
    assert fields["CorrectWager.of"] == [{"value": entry, "label": wagers}]
    with browser_of(house, "floorperson") as floor:
        given: dict[str, dict[str, str]] = {
            "OpenDispute": {"json.settled": str(settled), "text.question": "was it a nine"},
            "ReconstructHand": {"text.looked": "Flo"},
            "DecideDispute": {"text.ruling": "it was", "json.informed": "true"},
        }
        for name, values in given.items():
            form = form_of(floor.get(T).text, f"act-{name}-0")
            assert name == "OpenDispute" or form["json.dispute"] == "1"
            # A patron waits for the ruling: it is what is next, and not only among other acts.
            is_next = "act-DecideDispute-0" in part_of(floor.get(T).text, "next")
            assert is_next is (name != "OpenDispute")
            if name == "DecideDispute":
                # A ruling may name no correction, or one of the round that is disputed.
                assert form["json.corrected"] == "null"
                entry = corrected(house, settled)
                text = floor.get(T).text
                form, said = form_of(text, "act-DecideDispute-0"), f"(entry {entry})"
                assert form["json.corrected"] == "null"
                assert f'<option value="{entry}">Correction of round 1 {said}</option>' in text
                form["json.corrected"] = str(entry)
            assert sent(house, floor, f"{T}/acts", form | values).status_code == 303
        assert "act-DecideDispute-0" not in floor.get(T).text
        decided = house.service.tables["MB-101"].past
        ((one,),) = (house.do(decided.entries(flo.sees(f"/v1{T}")["seq"], 1000)),)
        assert getattr(one.command, "corrected", None) == entry
        # Whoever was overpaid gives it back: the seats can be written.
        form = form_of(floor.get(T).text, "act-CorrectSettlement-0")
        assert form["serials.returned"] == ""


def corrected(house: Served, settled: int) -> int:
    """Correct a card of a settled round; return the entry."""
    floor = house.person("floorperson")
    assigned = {"type": "AssignOffice", "person": "surveillance", "office": "surveillance"}
    assert floor.does("MB-101", assigned).status_code == 200
    card = {"hand": "player", "ordinal": 1, "actual": "8h"}
    waits = done(floor, type="CorrectSettlement", of=settled, reason="on film", **card)
    for office in ("dealer", "surveillance"):
        waits = given(house.person(office), waits["consent"]["id"]).json()
    return int(waits["seq"])


def test_a_closed_table_says_what_opens_it_and_opens_by_next_alone(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", more=PAGES) as house:
        make_table(house)
        floor, dealer = (browser_of(house, one) for one in ("floorperson", "dealer"))
        assert "Waiting for the floorperson: Open the table" in dealer.get(T).text
        text = floor.get(T).text
        assert "Open the table" in part_of(text, "next")
        form = form_of(text, "act-OpenTable-0")
        assert sent(house, floor, f"{T}/acts", form).status_code == 202
        # The asker does not answer; the dealer does, and goes on with the cards.
        text = floor.get(T).text
        assert "Withdraw" in part_of(text, "consents")
        assert "It waits for the consent of the dealer." in part_of(text, "next")
        text = dealer.get(T).text
        assert "Answer what waits for your consent" in part_of(text, "next")
        (waits,) = re.findall(r'id="(consent-[^"]+)"', part_of(text, "consents"))
        form = form_of(text, waits) | {"consent": "yes"}
        path = f"{T}/consents/{waits.removeprefix('consent-')}"
        assert sent(house, dealer, path, form).status_code == 303
        for act in ("Receive", "Inspect"):
            text = dealer.get(T).text
            assert f"{act} the cards" in part_of(text, "next")
            form = form_of(text, f"act-{act}Cards-0")
            assert sent(house, dealer, f"{T}/acts", form).status_code == 303
        # While somebody else must go on, the dealer is told who, and with what.
        waited = "Waiting for the floorperson: Verify the cards"
        assert waited in part_of(dealer.get(T).text, "next")
        # A terminal at the service says the same, and no other office is told.
        with served_table(house.place, house.token("dealer", id="terminal")) as door:
            assert screen(door.look()).prompt == waited
        assert house.person("cage").sees(f"/v1{T}/look")["waits"] is None


FIVE: Final = ("nj-minibaccarat", "nj-punto-banco", "ma", "ny-mini", "ny-midi")
"""A submission under each regulation that a table is dealt under, and New York's two games."""


def next_of(house: Served, path: str, browsers: Mapping[str, httpx.Client], cards: Iterator[str]
            ) -> bool:  # fmt: skip
    """Press the button of Next in the first window that has one; return whether there was one."""
    for browser in browsers.values():
        text = browser.get(path).text
        for waits in re.findall(r'<form[^>]*id="(consent-[^"]+)"', text):
            if 'value="yes"' in text.partition(f'id="{waits}"')[2].partition("</form>")[0]:
                form = form_of(text, waits) | {"consent": "yes"}
                to = f"{path}/consents/{waits.removeprefix('consent-')}"
                assert sent(house, browser, to, form).status_code == 303
                return True
        shown = part_of(text, "next")
        if 'id="pad"' in shown:
            card = next(cards)
            form = form_of(shown, "pad") | {"rank.card": card[0], "suit.card": card[1]}
        elif found := re.search(r'id="(act-[^"]+)" class="act must"', shown):
            # The one thing that nobody can know before: the name of who sits down.
            form = form_of(shown, found[1])
            form |= {"text.patron": "Pat"} if "text.patron" in form else {}
        else:
            continue
        answer = sent(house, browser, f"{path}/acts", form)
        assert answer.status_code in {202, 303}, answer.text
        return True
    return False


@pytest.mark.parametrize("name", FIVE)
def test_next_alone_leads_from_an_empty_table_to_the_first_wager(tmp_path: Path, name: str) -> None:
    file = tmp_path / "submission.toml"
    text = (ROOT / "submissions" / f"{name}.toml").read_text("utf-8")
    file.write_text(re.sub('pit = "[0-9]+"', 'pit = "1"', text), encoding="utf-8")
    with served(tmp_path / "pit.sqlite", more=PAGES) as house:
        make_table(house, file)
        (table,) = house.service.tables
        path, desk = f"/tables/{table}", house.service.tables[table].desk
        browsers = {one: browser_of(house, one) for one in ("dealer", "floorperson")}
        cards = iter(["2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s"])
        for _ in range(60):
            seats = desk.durable.state.seats
            if desk.durable.state.phase is Phase.BETTING and any(
                one.chips_cents for one in seats.values()
            ):
                break
            assert next_of(house, path, browsers, cards), desk.durable.state.phase
        ((seat, pat),) = desk.durable.state.seats.items()
        assert (pat.name, pat.chips_cents) == ("Pat", 10_000)
        assert desk.durable.state.rounds == 0
        patron = browser_of(house, "patron", "Pat", seat=seat, tables=(table,))
        form = form_of(patron.get(path).text, "bets")
        form = {one: value for one, value in form.items() if not one.startswith("stakes.")}
        assert sent(house, patron, f"{path}/acts", form | {"stakes.stakes.player": "100"}
                    ).status_code == 303  # fmt: skip
        assert [*desk.durable.state.stakes.values()]
        # Next goes on, to the call; in punto banco the shoe is offered first.
        for _ in range(3):
            if "act-CallNoMoreBets-0" in part_of(browsers["dealer"].get(path).text, "next"):
                return
            assert next_of(house, path, browsers, cards)
        raise AssertionError


def test_what_is_refused_at_its_consent_ends_and_who_asked_reads_why(house: Served) -> None:
    floor, cage, dealer = map(house.person, ("floorperson", "cage", "dealer"))
    done(floor, type="RequestFill", **FILL)
    first, second, third = (
        done(floor, type="VoidSlip", slip=1, reason=why)["consent"]["id"] for why in "abc"
    )
    assert given(cage, first).status_code == 200
    why, over = "slip 1 is not open", "the act no longer waits, and whoever asked for it sees why"
    for waits in (second, third):
        answer = given(cage, waits)
        assert (answer.status_code, answer.json()["detail"]) == (409, f"{why}; {over}")
    assert [one["ended"] for one in consents_of(floor)] == [why, why]
    # Nobody else is asked any more, though a page may be old, and only who asked removes it.
    assert consents_of(cage) == []
    assert why in given(cage, second).json()["detail"]
    assert why not in given(house.person("accounting"), second).json()["detail"]
    assert (declined(cage, second), given(floor, second).status_code) == (410, 410)
    assert declined(floor, third) == 200
    # It is shown in later rounds and after a new look, too, until who asked has read it.
    dealt(house, "9h 2c Ts 3d", {(1, "player"): 10_000})
    with browser_of(house, "floorperson") as browser:
        text = browser.get(T).text
        assert f"It was not done and no longer waits: {why}." in part_of(text, "consents")
        assert "Noted" in part_of(text, "consents")
        with served_table(house.place, floor.token) as door:
            assert f"{why}. n removes it." in " ".join(next_lines(TerminalSitting(door)))
        path, form = f"{T}/consents/{second}", form_of(text, f"consent-{second}")
        assert sent(house, browser, path, form | {"consent": "no"}).status_code == 303
    assert consents_of(floor) == []
    # A decline is told like a refusal.
    count = done(dealer, type="CountInventory", chips={"2500": 1})["consent"]["id"]
    assert declined(floor, count) == 200
    assert [one["ended"] for one in consents_of(dealer)] == [
        "floorperson (floorperson) declined it"
    ]
    # What was declined takes nobody's place: a hundred acts may wait.
    for _ in range(101):
        count = done(dealer, type="CountInventory", chips={"2500": 1})["consent"]["id"]
        assert declined(floor, count) == 200
    assert len(consents_of(dealer)) == 100


def test_an_act_whose_round_ended_is_told_to_its_asker_and_to_who_was_to_consent(
    house: Served,
) -> None:
    floor, dealer = house.person("floorperson"), house.person("dealer")
    asked = {"type": "PlaceVerbalWager", "seat": 1, "wager": "player", "cents": 10_000}
    asked |= {"dealer_confirms": True, "supervisor": "floorperson"}
    waits = done(dealer, **asked)["consent"]["id"]
    dealt(house, "9h 2c Ts 3d", {(1, "player"): 10_000})
    why = "the round in which it was asked for has ended"
    (own,), (other,) = consents_of(dealer), consents_of(floor)
    assert own["ended"] == other["ended"]
    assert own["ended"].startswith(why)
    assert (own["mine"], other["mine"]) == (True, False)
    # It is read by both, counts as nothing that waits, and only who asked removes it.
    with browser_of(house, "floorperson") as browser:
        shown = part_of(text := browser.get(T).text, "consents")
        assert f"It was not done and no longer waits: {why}" in shown
        assert "<button" not in shown
        assert "Answer what waits" not in part_of(text, "next")
    assert "Noted" in part_of(page_of(house, "dealer"), "consents")
    with served_table(house.place, floor.token) as door:
        sitting = TerminalSitting(door)
        assert why in " ".join(next_lines(sitting))
        assert "n removes it" not in " ".join(next_lines(sitting))
        assert not sitting.consent(given=True)
        assert not sitting.consent(given=False)
    assert given(floor, waits).status_code == 410
    assert why in given(floor, waits).json()["detail"]
    assert declined(floor, waits) == 410
    assert declined(dealer, waits) == 200
    assert consents_of(floor) == consents_of(dealer) == []


def test_acts_whose_round_ended_take_no_place_among_the_hundred(house: Served) -> None:
    dealer = house.person("dealer")
    for _ in range(100):
        done(dealer, type="CountInventory", chips={"2500": 1})
    full = dealer.does("MB-101", {"type": "CountInventory", "chips": {"2500": 1}})
    assert full.json()["code"] == "too_many"
    dealt(house, "9h 2c Ts 3d", {(1, "player"): 10_000})
    for _ in range(100):
        done(dealer, type="CountInventory", chips={"2500": 1})
    assert ["ended" in one for one in consents_of(dealer)] == [False] * 100


def test_an_act_ends_with_the_shift_of_who_asked_for_it(house: Served) -> None:
    floor, dealer = house.person("floorperson"), house.person("dealer")
    waits = done(dealer, type="CountInventory", chips={"2500": 1})["consent"]["id"]
    assert "ended" not in consents_of(floor)[0]
    house.do(entered(house, acts.RelieveDealer("Ben")))
    for person in (floor, dealer):
        (told,) = consents_of(person) or [{"ended": ""}]
        assert told["ended"].startswith("dealer is not assigned as dealer at this table")
    assert given(floor, waits).status_code == 410


def test_an_act_that_a_closed_table_does_not_allow_ends(house: Served) -> None:
    floor, dealer = house.person("floorperson"), house.person("dealer")
    wager = {"seat": 1, "wager": "player", "cents": 10_000, "dealer_confirms": True}
    done(dealer, type="PlaceVerbalWager", supervisor="floorperson", **wager)
    counts = done(dealer, type="CountInventory", chips={"2500": 1})["consent"]["id"]
    house.do(closed(house))
    for person in (dealer, floor):
        # A count may be made at a closed table.
        waits, over = consents_of(person)
        assert waits["id"] == counts
        assert "ended" not in waits
        assert over["ended"] == "not at this moment: the table is closed"


def test_an_act_ends_with_its_day(house: Served) -> None:
    floor, dealer = house.person("floorperson"), house.person("dealer")
    dealt(house, "9h 2c Ts 3d", {(1, "player"): 10_000})
    house.do(closed(house))
    done(dealer, type="CountInventory", chips={"2500": 1})
    boss = house.person("pit boss")
    key = {"Idempotency-Key": boss.key()}
    answer = boss.http.post(f"/v1{T}/days", headers=key)
    assert answer.status_code == 200, answer.text
    for person in (dealer, floor):
        (told,) = consents_of(person)
        assert told["ended"].startswith("the gaming day in which it was asked for has ended")


async def entered(house: Served, command: acts.Command) -> None:
    desk = house.service.tables["MB-101"].desk
    found = desk.enter(command, Stamp())
    assert not isinstance(found, Refusal), found
    await desk.settled()


async def closed(house: Served) -> None:
    """Close the table by its staff."""
    desk = house.service.tables["MB-101"].desk
    while desk.ahead.state.phase is not Phase.CLOSED:
        await entered(house, closing_command(desk.ahead))


def test_what_may_soon_be_done_waits_on_when_it_is_refused_at_its_consent(house: Served) -> None:
    floor, dealer = house.person("floorperson"), house.person("dealer")
    wager = {"seat": 1, "wager": "player", "cents": 10_000, "dealer_confirms": True}
    waits = done(dealer, type="PlaceVerbalWager", supervisor="floorperson", **wager)["consent"][
        "id"
    ]
    done(floor, type="PauseTable", reason="a fire alarm")
    answer = given(floor, waits)
    assert (answer.status_code, answer.json()["code"]) == (409, "paused")
    assert answer.json()["detail"].endswith("; the act waits on for its consent")
    done(floor, type="ResumeTable")
    # Where one person's consent is no help, another's may be.
    assert given(dealer, waits).json()["code"] == "two_persons"
    assert [one["id"] for one in consents_of(floor)] == [waits]
    assert given(floor, waits).status_code == 200
    assert consents_of(floor) == consents_of(dealer) == []


def given(person: Person, waits: str) -> httpx.Response:
    return person.http.post(
        f"/v1{T}/consents/{waits}",
        json={"consent": True},
        headers={"Idempotency-Key": person.key()},
    )
