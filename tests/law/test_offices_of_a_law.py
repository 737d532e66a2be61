"""A law calls offices by its own names, wherever people read them; ids stay in records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.baccarat.coup import Hand
from croupier.cli.tables.sitting.lines import act_line
from croupier.drills import DrillRoom, question
from croupier.law.faults import LawError
from croupier.law.fields import OFFICES
from croupier.law.interpretations import registered
from croupier.law.load import load_instrument
from croupier.law.resolve import forget, resolve
from croupier.law.usage import Currency, Usage, under
from croupier.records.narration import narrate
from croupier.reports.screen import _pending, people_in_words
from croupier.reports.words import person_words
from croupier.rules import default_submission, table_rules
from croupier.scenarios.stage import Stage
from croupier.server.pages.house import decided_words, elections
from croupier.server.pages.pieces import pays_most
from croupier.server.resources.page_calls import PAGES
from croupier.table import Refusal
from croupier.table.machine.offered import acts as offered
from croupier.table.machine.position import opening_position, propose
from croupier.table.pit.acts import addressees
from support.command_line import told_with
from support.own_law import OWN_ID, own_law
from support.page_forms import browser_of
from support.pit_service import Clock, Pit
from support.served import served

NAMES = """
[offices]
dealer = "croupier"
floorperson = "inspector"
"pit boss" = "pit manager"
"""


def renamed(path: Path, names: str) -> None:
    """Write the law with these names of offices."""
    head, _, rest = own_law(path.parent).read_text(encoding="utf-8").partition("\n[[clause]]")
    path.write_text(f"{head}{names}\n[[clause]]{rest}", encoding="utf-8")


@pytest.fixture
def law(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    path = own_law(tmp_path / "laws")
    renamed(path, NAMES)
    monkeypatch.setenv("CROUPIER_LAWS", str(path.parent))
    monkeypatch.chdir(tmp_path)
    forget()
    yield path
    monkeypatch.undo()
    forget()


def test_every_office_with_people_may_be_named() -> None:
    assert set(OFFICES) == {str(one) for one in Role if one.office.posted or one.office.seated}


@pytest.mark.parametrize(
    ("names", "fault"),
    [
        ('dealer = "floorperson"', "'floorperson' is also the name of another office"),
        ('dealer = "croupier"\nfloorperson = "croupier"', "'croupier' is also the name"),
        ('dealer = "Croupier"', "'dealer' must be a name in lower case"),
        ('dealer = "<b>"', "'dealer' must be a name in lower case"),
        ('deeler = "croupier"', "unknown key 'deeler'; did you mean dealer?"),
        ("dealer = 3", "'dealer' must be a name in lower case"),
    ],
)
def test_a_name_that_misleads_is_a_fault(tmp_path: Path, names: str, fault: str) -> None:
    path = own_law(tmp_path / "laws")
    renamed(path, f"\n[offices]\n{names}\n")
    with pytest.raises(LawError) as refused:
        load_instrument(path)
    assert fault in str(refused.value)


def test_several_holders_have_the_name_too() -> None:
    usage = Usage(offices={"pit boss": "pit manager", "patron": "guest", "dealer": "boss"})
    said = usage.named("Pit bosses and dealers, for patrons' chips; a patron")
    assert said == "Pit managers and bosses, for guests' chips; a guest"


def test_names_may_be_exchanged_and_articles_agree() -> None:
    usage = Usage(offices={"floorperson": "supervisor", "supervisor": "area manager"})
    said = usage.named("A floorperson or a supervisor rules; the Floorperson's slip, floorpersonal")
    assert said == "A supervisor or an area manager rules; the Supervisor's slip, floorpersonal"


def test_law_show_names_the_offices_of_rules_as_the_law_does(law: Path) -> None:
    rule = """
[[rule]]
id = "{}"
kind = "{}"
title = "Who keeps it, or may have the cards cut again"
cites = ["XX-MINI:7.5(h)#1"]
value = {}
"""
    added = (
        ("duties.require_recut", "order", '["floorperson", "pit boss"]'),
        ("forms.fill_request.copies", "table", '{ "dealer copy" = "dealer", last = "pit boss" }'),
    )
    with law.open("a", encoding="utf-8") as file:
        file.writelines(rule.format(*values) for values in added)
    forget()
    shown = told_with(0, "law", "show", OWN_ID, "duties.require_recut", "--as-of", "latest").stdout
    assert "\ninspector, pit manager\n" in shown
    # A row has the words of the law.
    assert "\n{dealer copy croupier, last pit manager}\n" in shown
    least = told_with(0, "law", "show", OWN_ID, "cut.from_ends", "--as-of", "latest").stdout
    assert "\ncutter elects: at least 10\n" in least
    back = "cut.cutting_card_from_back"
    assert "\ncroupier elects: at least 14\n" in told_with(
        0, "law", "show", OWN_ID, back, "--as-of", "latest"
    ).stdout  # fmt: skip
    found = told_with(0, "law", "search", "cut", "again", "--law", f"{OWN_ID}@latest").stdout
    assert "inspector, pit manager" in " ".join(found.split())


@pytest.mark.usefixtures("law")
@pytest.mark.parametrize(
    ("event", "said"),
    [
        (
            acts.CopiesDistributed(
                "opener", None, ("dealer copy",), ("pit boss",), ("dealer", "floorperson"), ()
            ),
            "Copies of the opener Form (dealer copy: pit manager), signed by croupier, inspector",
        ),
        (acts.CuratorNamed(None, dealer_deals=True, clauses=()), "The croupier is the curator"),
        (
            acts.CardsReturned(None, Hand.PLAYER, ()),
            "The croupier turns the Player's Hand",
        ),
    ],
)
def test_each_sentence_of_the_program_has_the_names(event: acts.Event, said: str) -> None:
    rules = table_rules(default_submission(OWN_ID, "latest"))
    with under(rules.law.usage):
        assert [line.text for line in narrate([event], rules.wagers)] == [said]


@pytest.mark.usefixtures("law")
def test_people_sit_down_by_the_names_of_the_law() -> None:
    told_with(0, "new", f"{OWN_ID}@2011-02-22", "-o", "table.toml")
    words = ("--plain", "table", "table.toml", "--log", "t.jsonl", "--as")
    sat = told_with(0, *words, "Dana (croupier)", "--as", "Flo (floorperson)", text="x\n").stdout
    assert "Dana (croupier)" in sat
    said = told_with(2, *words, "Dana (curator)").stderr
    assert "with one of accounting, cage, croupier, inspector, licensee, pit manager," in said


@pytest.mark.usefixtures("law")
def test_narration_and_labels_have_the_names_and_people_keep_theirs() -> None:
    rules = table_rules(default_submission(OWN_ID, "latest"))
    stage = Stage(rules)
    opening = next(one for one in offered(stage.state, rules) if one.command is acts.OpenTable)
    labels = {one.name: one.label for one in opening.fields}
    assert labels["dealer"] == "Croupier"
    assert labels["floorperson"] == "Inspector"
    events = (
        acts.OfficeAssigned("floorperson", "dealer Lee", ()),
        acts.OfficeAssigned("floorperson", "floorperson", ()),
        acts.CardsVerified("floorperson", ()),
        acts.CardsVerified("Mr. Dealer", ()),
    )
    with under(rules.law.usage):
        said = [line.text for line in narrate(events, rules.wagers)]
    assert said == [
        "dealer Lee is assigned as inspector",
        "The inspector is on duty",
        "The inspector verifies the cards",
        "Mr. Dealer verifies the cards",
    ]


@pytest.mark.usefixtures("law")
def test_a_refusal_has_the_names() -> None:
    rules = table_rules(default_submission(OWN_ID, "latest"))
    opened = propose(
        opening_position(rules), acts.OpenTable(100_000_000, "Ida", "Ned", rules.submission.on)
    )
    assert not isinstance(opened, Refusal)
    paused = propose(opened.after, acts.PauseTable("the light failed"))
    assert not isinstance(paused, Refusal)
    refused = propose(paused.after, acts.ReceiveCards(8, preshuffled=True))
    assert isinstance(refused, Refusal)
    assert "the inspector resumes it" in refused.message


@pytest.mark.usefixtures("law")
def test_a_refusal_keeps_the_names_of_people() -> None:
    rules = table_rules(default_submission(OWN_ID, "latest"))
    refused = propose(
        opening_position(rules),
        acts.OpenTable(100_000_000, "Ann Dealer", "Ann Dealer", rules.submission.on),
    )
    assert isinstance(refused, Refusal)
    assert "Ann Dealer cannot be croupier and inspector at once" in refused.message


@pytest.mark.usefixtures("law")
def test_pages_say_them_and_data_keep_the_ids(tmp_path: Path) -> None:
    told_with(0, "new", f"{OWN_ID}@2011-02-22", "-o", "table.toml")
    clock = Clock()
    with served(tmp_path / "pit.sqlite", more=PAGES, clock=clock) as house:
        pit = Pit(house, clock)
        made = pit.makes("T-1", Path("table.toml"), minutes=60 * 24 * 60)
        assert made.status_code == 201, made.text
        pit.deals("T-1", lambda state: state.rounds >= 1)
        page = browser_of(house, "floorperson", "A person").get("/tables/T-1").text
        assert "A person \u00b7 inspector" in page
        assert "\u00b7 floorperson" not in page
        assert '<option value="dealer">dealer</option>' not in page
        link = house.link("floorperson", "Fay")
        entry = house.anybody().get(f"/enter?link={link}").text
        assert "You are inspector at" in entry
        teller = browser_of(house, "board", "Bo").get("/drills").text
        assert "croupier or inspector or licensee or pit manager" in teller
        drills = browser_of(house, "dealer", "Dee").get("/drills").text
        assert "The exact words that the croupier speaks" in drills
        told = json.dumps(house.person("floorperson", "Dan").sees("/v1/tables/T-1"))
        assert '"floorperson"' in told
        assert '"inspector"' not in told


def test_a_log_has_ids_and_its_narration_the_names(law: Path) -> None:
    told_with(0, "new", f"{OWN_ID}@2011-02-22", "-o", "table.toml")
    dealt = told_with(
        0, "deal", "table.toml", "--seed", "3", "--log", "log.jsonl", "--dealer-errors", "50"
    )
    assert " the dealer" not in dealt.stdout
    log = Path("log.jsonl").read_text(encoding="utf-8").partition("\n")[2]
    assert '"dealer"' in log
    assert "inspector" not in log
    before = table_rules(default_submission(OWN_ID, "latest")).sha256
    assert "PASS" in told_with(0, "verify", "log.jsonl").stdout
    renamed(law, '\n[offices]\ndealer = "banker"\n')
    forget()
    assert table_rules(default_submission(OWN_ID, "latest")).sha256 == before


@pytest.mark.usefixtures("law")
def test_a_drill_asks_with_the_names() -> None:
    told_with(0, "new", f"{OWN_ID}@2011-02-22", "-o", "table.toml")
    told_with(
        0, "drill", "offices", "--submission", "table.toml", "--seed", "4", "-o", "drill.json"
    )
    asked = json.dumps(json.loads(Path("drill.json").read_text(encoding="utf-8"))["questions"])
    assert "The inspector" in asked
    assert "floorperson" not in asked.replace('"floorperson"', "")


@pytest.mark.usefixtures("law")
def test_a_drill_says_where_the_table_is_with_the_names() -> None:
    path = Path("laws/mini.toml")
    names = f'{NAMES}patron = "guest"\n'
    path.write_text(path.read_text(encoding="utf-8").replace(NAMES, names), encoding="utf-8")
    forget()
    rules = table_rules(default_submission(OWN_ID, "latest"))
    with under(rules.law.usage):
        room = DrillRoom(rules)
        (placed,) = room.placed("nobody-there")
        questions = [question(room, "allowed", seed, 1) for seed in range(12)]
    assert ("Table", "Every guest has left") in placed.shown
    for drawn in questions:
        assert drawn is not None
        assert not re.search(r"\b(floorperson|dealer|[Pp]atron)\b", dict(drawn.shown)["Table"])


def test_the_offices_that_a_consent_waits_for_have_the_names() -> None:
    waits = {"id": "1", "words": "x", "by": [], "until": 0, "mine": True}
    with under(Usage(offices={"dealer": "croupier", "floorperson": "inspector"})):
        held: Any = {"staff": {"floorperson": ["Flo"]}}
        pending = _pending({**waits, "needs": ["dealer", "floorperson"]}, held)
    told = "It waits for the consent of the croupier and the inspector."
    assert pending.needs == f"{told} Nobody is assigned as croupier."


def test_a_page_shows_the_highest_award_in_the_currency_of_the_law() -> None:
    pays = {"natural": "¥5,000 for one", "win_by_9": "¥90,000 for one", "star": "meter"}
    with under(Usage(Currency("JPY", "¥", 0))):
        assert pays_most({"pays": pays}) == "to ¥90,000 for one"  # type: ignore[typeddict-item]


@pytest.mark.usefixtures("law")
def test_lists_of_offices_have_the_names_and_send_the_ids() -> None:
    rules = table_rules(default_submission(OWN_ID, "latest"))
    stage = Stage(rules)
    stage.execute(acts.OpenTable(100_000_000, "Ida", "Ned", rules.submission.on))
    assign = next(one for one in offered(stage.state, rules) if one.command is acts.AssignOffice)
    (office,) = (one for one in assign.fields if one.name == "office")
    named = dict(office.choices)
    assert (named["dealer"], named["floorperson"]) == ("croupier", "inspector")
    assert (named["pit boss"], named["surveillance"]) == ("pit manager", "surveillance")


@pytest.mark.usefixtures("law")
def test_whoever_is_notified_has_the_name_of_the_law() -> None:
    path = Path("laws/mini.toml")
    names = f'{NAMES}surveillance = "monitoring room"\n'
    path.write_text(path.read_text(encoding="utf-8").replace(NAMES, names), encoding="utf-8")
    forget()
    laws = [table_rules(default_submission(OWN_ID, "latest")).law]
    assert addressees(laws)["surveillance"] == "monitoring room"


def test_unnamed_staff_have_the_name_of_their_office_and_people_keep_theirs() -> None:
    with under(Usage(offices={"dealer": "banker", "floorperson": "inspector"})):
        assert person_words("dealer") == "banker"
        assert person_words("Ann dealer") == "Ann dealer"
        assert person_words("Ann dealer (dealer, seat 3)") == "Ann dealer (banker, seat 3)"
        by = [{"person": "floorperson", "office": "floorperson"}]
        assert people_in_words(by) == "inspector (inspector)"


def test_a_page_shows_elected_amounts_in_the_currency_of_the_law() -> None:
    elected = {
        "seed": "500", "awards": {"royal": "5000"}, "named": "A", "decks": 8, "burn": True,
    }  # fmt: skip
    notice = {"rule": "seed", "value": 600, "to": "dealer", "at": "2011-02-22T10:00"}
    look: Any = SimpleNamespace(
        seen={"elections": elected, "notices": [notice]}, amounts={"seed", "awards", "named"}
    )
    with under(Usage(Currency("JPY", "\u00a5", 0))):
        cells = re.findall(r"<td[^>]*>([^<]*)</td>", str(elections(look)))
        of_pit = {
            "rule_id": "seed",
            "value": 700,
            "to": "dealer",
            "at": datetime(2011, 2, 22, tzinfo=UTC),
        }
        decided = {"notices": [of_pit], "waiting": [], "amounts": {"seed"}}
        assert "\u00a5700" in str(decided_words(decided))
    shown = ["\u00a5500", "royal: \u00a55,000", "A", "8", "true"]
    assert cells == ["\u00a5600", "dealer", "2011-02-22 10:00", *shown]


def test_elections_of_a_page_are_those_in_force_as_they_are_written() -> None:
    plain = default_submission("us-nj/minibaccarat", "latest", wagers__bonus__offered=True)
    elected = {**plain.elections, "wagers": {"bonus": {"paytable": "B"}}}
    elected.pop("wagers.bonus.paytable", None)
    rules = table_rules(replace(plain, elections=elected))
    assert rules.elections["wagers.bonus.paytable"] == "B"
    assert "wagers" not in rules.elections
    assert set(rules.elections) == {one.id for one in rules.law.elections} & set(rules.settled)


@pytest.mark.usefixtures("law")
def test_reports_of_a_log_and_its_table_have_the_names() -> None:
    told_with(0, "new", f"{OWN_ID}@2011-02-22", "-o", "table.toml")
    told_with(0, "deal", "table.toml", "--seed", "3", "-o", "log.jsonl", "--dealer-errors", "100")
    told_with(0, "explain", "log.jsonl", "--round", "1", "--report", "round.html")
    told_with(0, "replay", "log.jsonl", "--round", "1", "--as", "floorperson", "-o", "replay.html")
    reports = {
        "layout": told_with(0, "layout", "table.toml").stdout,
        "irregularities": told_with(0, "irregularities", "log.jsonl").stdout,
        "readings": told_with(0, "check", "table.toml", "--readings").stdout.replace(
            "(dealer)", ""
        ),
        "decks": told_with(0, "decks", "log.jsonl").stdout,
        "round": Path("round.html").read_text(encoding="utf-8"),
        "replay": Path("replay.html").read_text(encoding="utf-8"),
    }
    assert "Seats from the croupier's right hand on" in reports["layout"]
    assert "By croupier:" in reports["irregularities"]
    assert "waiting for the inspector to verify the cards" in reports["replay"]
    assert "Seen by: inspector." in reports["replay"]
    for name in ("irregularities", "readings", "decks", "round"):
        said = re.sub(r"(?s)<(style|script).*?</\1>|<[^>]*>", "", reports[name])
        assert "croupier" in said, name
        assert not re.search(r"\b(dealer|floorperson|pit boss)\b", said), name


@pytest.mark.usefixtures("law")
def test_a_terminal_asks_for_people_by_the_names() -> None:
    told_with(0, "new", f"{OWN_ID}@2011-02-22", "-o", "table.toml")
    words = ("table", "table.toml", "--log", "log.jsonl")
    asked = told_with(0, *words, text="Ida\n\nq\n").stdout
    assert "Name of the croupier [croupier]: " in asked
    assert "Name of the inspector [inspector]: " in asked
    act = {"also": ["dealer"], "seat": None, "words": "Open the table", "clauses": []}
    with under(Usage(offices={"dealer": "croupier"})):
        assert act_line(act) == "Open the table, with the croupier"


@pytest.mark.usefixtures("law")
def test_readings_have_the_names_under_their_law_alone() -> None:
    own, other = (resolve(one, on="latest") for one in (OWN_ID, "us-nj/minibaccarat"))
    assert "the inspector has the cards" in own.register["C220"].says("table").lower()
    for texts in ([own, other], [other, own], [other]):
        assert "the floorperson has the cards" in registered(texts)["C220"].says("table").lower()
    assert registered([own])["C220"] == own.register["C220"]
    assert own.register["C220"].reading == "table"


@pytest.mark.usefixtures("law")
def test_a_ruling_and_what_is_due_next_have_the_names() -> None:
    rules = table_rules(default_submission(OWN_ID, "latest"))
    given = (acts.RulingGiven("patron-stays", "C57", "floorperson", "left", 3, ()),)
    with under(rules.law.usage):
        room = DrillRoom(rules)
        drawn = question(room, "preparation", 3, 1)
        said = [line.text for line in narrate(given, rules.wagers)]
    assert drawn is not None
    assert any("does this next" in text for text, _ in drawn.why)
    assert not any(re.search(r"the dealer does", text) for text, _ in drawn.why)
    assert "Ruling of inspector, seat 3" in said[0]
