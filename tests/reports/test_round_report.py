"""`croupier explain --report`: one round on a page, with the layout as it was and the net by seat."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result
from jsonschema_rs import Draft202012Validator

from croupier import acts
from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from croupier.records.reader import LogReader, replayed_round
from croupier.reports.formats import written
from croupier.reports.rounds import round_tree
from croupier.verify.round_report import report_of
from support.forged_logs import forged, read
from support.project import ROOT
from support.texts import dated

RISKY: Final = '<script src=x></script>&amp; #panic() $a$ [b] "q" \x1b[2J'
SHAPE: Final = Draft202012Validator(SCHEMAS["round-report"]())


@cache
def log_of(submission: str) -> str:
    """Return the log of a shoe."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.jsonl"
        table = ROOT / "submissions" / f"{submission}.toml"
        words = ["deal", str(table), "--seed", "7", "--patrons", "4", "--log", str(path), "--quiet"]
        assert CliRunner().invoke(main, words).exit_code == 0
        return path.read_text(encoding="utf-8")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "table.jsonl"
    path.write_text(log_of("nj-minibaccarat"), encoding="utf-8")
    return path


def explain(*words: object) -> Result:
    return CliRunner().invoke(main, ["explain", *map(str, words)])


def reported(log: Path, number: int, *words: object) -> dict[str, Any]:
    out = log.with_suffix(".report.json")
    result = explain(log, "--round", number, "--report", out, "--force", *words)
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    SHAPE.validate(found)
    return found


MOVED: Final = (acts.ChipsBought, acts.PatronSeated, acts.PatronLeft)


@pytest.mark.parametrize("submission", ["nj-minibaccarat", "ma-ez", "ny-mini-tie-vigorish"])
def test_the_net_of_a_seat_is_what_its_chips_and_its_marker_say(
    submission: str, tmp_path: Path
) -> None:
    path = tmp_path / "table.jsonl"
    path.write_text(log_of(submission), encoding="utf-8")
    checked = 0
    with CliRunner().isolation(), main.make_context("croupier", ["check"]):
        for number in range(1, 16):
            played = replayed_round(LogReader(path), number)
            events = [event for entry in played.entries for event in entry.events]
            # Of what a patron does besides wagering, the chips change too.
            if any(isinstance(event, MOVED) for event in events):
                continue
            before, after = played.entries[0].before.state, played.entries[-1].after.state
            found = report_of(path, played, "croupier explain")
            assert all(one["owed_cents"] == one["paid_cents"] for one in found["wagers"])
            for one in found["seats"]:
                chips = [state.seats[one["seat"]].chips_cents for state in (before, after)]
                owed = [state.seats[one["seat"]].owed_cents for state in (before, after)]
                gained = chips[1] - chips[0] - (owed[1] - owed[0])
                assert one["net_cents"] == gained, (number, one)
                checked += 1
    assert checked > 20


def test_a_verdict_begins_with_a_capital(log: Path) -> None:
    found = reported(log, 12)
    for result, begun in (("tie", "Tie: Player "), ("Banker wins", "Banker wins: Player ")):
        page = written(round_tree({**found, "result": result}), "html").decode()
        assert f">{begun}" in page


def test_the_layout_is_as_it_was_before_anything_was_collected(log: Path) -> None:
    found = reported(log, 12)
    shown = found["layout"]
    wagers = {(one["seat"], one["wager"]): one["stake_cents"] for one in found["wagers"]}
    assert {(one["seat"], one["wager"]): one["cents"] for one in shown["stakes"]} == wagers
    entries = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()[1:-1]]
    dealt = {"player": list[str](), "banker": list[str]()}
    first, last = found["steps"][0]["entry"], shown["entry"]
    for entry in entries[first - 1 : last]:
        for event in entry["events"]:
            if event["type"] == "CardDealt":
                dealt[event["hand"]].append(event["card"])
    assert shown["hands"] == dealt
    assert shown["at"] == entries[last - 1]["at"]
    winners = {(one["seat"], one["wager"]) for one in found["wagers"] if one["outcome"] == "win"}
    assert {(seat, wager) for seat, wager in shown["won"]} == winners
    collected = [event["type"] for event in entries[last]["events"]]
    assert "LosingWagersCollected" in collected


def test_the_layout_of_an_earlier_entry_has_what_lay_there_then(log: Path) -> None:
    steps = reported(log, 12)["steps"]
    first_card = next(one for one in steps if "first card" in one["lines"][0])
    shown = reported(log, 12, "--at", first_card["entry"])["layout"]
    assert (len(shown["hands"]["player"]), len(shown["hands"]["banker"]), shown["won"]) == (
        1,
        0,
        [],
    )
    before = reported(log, 12, "--at", steps[0]["entry"])["layout"]
    assert before["hands"]["player"] == []
    assert {one["seat"] for one in before["stakes"]} == {1}


def test_the_layout_is_seen_from_the_side_of_who_answers_a_dispute(log: Path) -> None:
    """As surveillance and the floor see it live: the dealer below, Banker's Hand on the left."""
    out = log.with_suffix(".html")
    assert explain(log, "--round", 3, "--report", out, "--force").exit_code == 0
    drawing = out.read_text(encoding="utf-8").partition("<svg")[2].partition("</svg>")[0]
    at = {
        word: (float(x), float(y))
        for x, y, word in reversed(
            re.findall(r'<text[^>]*? x="([0-9.]+)" y="([0-9.]+)"[^>]*>([^<]*)<', drawing)
        )
    }
    assert at["Chips"][1] > at["Tie"][1]
    assert at["Banker"][0] < at["Player"][0]
    assert at["7"][0] < at["6"][0] < at["5"][0]


def test_each_step_has_its_time_its_actor_and_its_clauses(log: Path) -> None:
    found = reported(log, 12)
    entries = {one["seq"]: one for one in map(json.loads, log.read_text().splitlines()[1:-1])}
    for step in found["steps"]:
        assert step["at"] == entries[step["entry"]]["at"]
        assert all(
            one["person"] in told
            for one, told in zip(entries[step["entry"]]["by"], step["by"], strict=True)
        )
        assert set(step["clauses"]) == {
            clause for event in entries[step["entry"]]["events"] for clause in event["clauses"]
        }


def test_a_report_of_a_seat_has_nothing_of_the_others(log: Path) -> None:
    page = written(round_tree(reported(log, 12, "--seat", 3)), "html").decode()
    found = reported(log, 12, "--seat", 3)
    assert {one["seat"] for one in (*found["wagers"], *found["seats"])} == {3}
    assert {one["seat"] for one in found["layout"]["stakes"]} == {3}
    told = " ".join(line for one in found["steps"] for line in one["lines"])
    assert "seat 3 " in told
    assert not any(f"seat {other} " in told for other in (1, 2, 4))
    assert "Patron 3" in page
    assert not any(f"Patron {other}" in page for other in (1, 2, 4))


def test_a_wrong_payment_is_shown_next_to_what_was_owed(log: Path) -> None:
    lines = read(log.read_bytes())
    winner = next(one for one in reported(log, 12)["wagers"] if one["outcome"] == "win")
    at = reported(log, 12)["layout"]["entry"] + 1
    paid = next(
        one
        for one in lines[at]["events"]
        if one["type"] == "WagerPaid"
        and (one["seat"], one["wager"]) == (winner["seat"], winner["wager"])
    )
    paid["cents"] += 500
    log.write_bytes(forged(lines))
    found = reported(log, 12)
    assert found["record"]["chain"] == "intact"
    wrong = [one for one in found["wagers"] if one["owed_cents"] != one["paid_cents"]]
    assert [(one["seat"], one["wager"]) for one in wrong] == [(winner["seat"], winner["wager"])]
    assert wrong[0]["paid_cents"] == winner["owed_cents"] + 500
    page = written(round_tree(found), "html").decode()
    assert "The record paid other amounts than were owed" in page


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
def test_what_a_draw_brings_is_no_payment_of_the_wager(tmp_path: Path) -> None:
    text = (ROOT / "submissions" / "ma-royal-9.toml").read_text()
    for name, value in (("seed", "10.00"), ("must_hit_by", "11.00"), ("increment", "1%")):
        text, count = re.subn(rf"(stax\.{name} = ).*", rf'\1"{value}"', text)
        assert count == 1
    table, log = tmp_path / "table.toml", tmp_path / "table.jsonl"
    table.write_text(text)
    words = ["deal", str(table), "--seed", "7", "--patrons", "4", "--log", str(log), "--quiet"]
    assert CliRunner().invoke(main, words).exit_code == 0
    drawn, kinds = 0, ("NoMoreBetsCalled", "StaxWon")
    rounds = [kind for one in read(log.read_bytes()) for event in one.get("events", ())
              if (kind := event["type"]) in kinds]  # fmt: skip
    for at, kind in enumerate(rounds):
        if kind != "StaxWon":
            continue
        drawn += 1
        found = reported(log, rounds[:at].count("NoMoreBetsCalled"))
        assert [one["paid_cents"] for one in found["wagers"]] == [
            one["owed_cents"] for one in found["wagers"]
        ]
    assert drawn


def test_the_page_of_a_changed_record_says_so_first_and_in_red(log: Path, tmp_path: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    lines[20] = lines[20].replace(b'"seq":20,', b'"seq":21,')
    log.write_bytes(b"".join(lines))
    for form in ("html", "pdf", "json"):
        out = tmp_path / f"round.{form}"
        result = explain(log, "--round", 12, "--report", out)
        assert result.exit_code == 1
        assert result.stderr.startswith("WARNING: line 21: this record was changed: ")
        assert out.stat().st_size
    found = json.loads((tmp_path / "round.json").read_text(encoding="utf-8"))
    SHAPE.validate(found)
    assert found["record"]["faults"][0]["line"] == 21
    page = (tmp_path / "round.html").read_text(encoding="utf-8")
    verdict = page[page.index('<section class="verdict diverges"') :]
    warning = verdict.index('<p class="wrong">WARNING: line 21: this record was changed')
    # The counts of the hands are in it.
    worth = dict(zip("A23456789TJQK", (*range(1, 10), 0, 0, 0, 0), strict=True))
    player, banker = (
        sum(worth[card[0]] for card in found["layout"]["hands"][hand]) % 10
        for hand in ("player", "banker")
    )
    answer = verdict[: verdict.index("Net by seat")]
    assert answer.count(f"Player {player}") == answer.count(f"Banker {banker}") == 1
    # Question and answer come first, then the round, its entries, and at last every wager.
    order = (
        "Was every wager in round 12 paid what it was owed?",
        "The record paid every wager",
        "Net by seat",
        "Every entry of the round",
        "What each wager was owed",
        "Provenance",
    )
    assert sorted(order, key=page.index) == [*order]
    assert warning < verdict.index("The record paid every wager what it was owed.")
    assert "The chain of this record is BROKEN" in verdict
    assert reported_html_of_intact(tmp_path).count("The chain of this record is intact") == 1


def reported_html_of_intact(folder: Path) -> str:
    path, out = folder / "intact.jsonl", folder / "intact.html"
    path.write_text(log_of("nj-minibaccarat"), encoding="utf-8")
    assert explain(path, "--round", 12, "--report", out).exit_code == 0
    return out.read_text(encoding="utf-8")


def test_a_void_round_returns_every_stake(log: Path) -> None:
    """A round voided by an irregularity: found in a shoe that is dealt with many errors."""
    table = ROOT / "submissions" / "nj-minibaccarat.toml"
    words = ["deal", str(table), "--seed", "3", "--patrons", "2", "--dealer-errors", "200"]
    assert (
        CliRunner().invoke(main, [*words, "--log", str(log), "--force", "--quiet"]).exit_code == 0
    )
    voids = [
        line for line in log.read_text(encoding="utf-8").splitlines() if '"RoundVoided"' in line
    ]
    number = 1
    while voids and number < 80:
        result = explain(log, "--round", number)
        if "void, like the whole round" in result.stdout:
            found = reported(log, number)
            assert {one["outcome"] for one in found["wagers"]} == {"void"}
            assert {one["net_cents"] for one in found["seats"]} == {0}
            return
        number += 1
    pytest.skip("no round with wagers was void in this shoe")


def test_the_text_has_the_net_by_seat_and_takes_one_seat(log: Path) -> None:
    nets = {one["seat"]: one["net_cents"] for one in reported(log, 12)["seats"]}
    told = explain(log, "--round", 12).stdout.partition("Net by seat")[2]
    for seat, cents in nets.items():
        sign = "-" if cents < 0 else ""
        amount = f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02}"
        assert [str(seat), amount] in map(str.split, told.splitlines())
    alone = explain(log, "--round", 12, "--seat", 2).stdout.partition("Settlement of")[2]
    assert "Seat 2, " in alone
    assert "Seat 1, " not in alone


@pytest.mark.parametrize("form", ["text", "csv", "html", "xlsx", "pdf"])
def test_the_same_data_give_the_same_bytes(form: str, log: Path) -> None:
    found = reported(log, 12)
    for paper in ("a4", "letter"):
        assert written(round_tree(copy.deepcopy(found)), form, paper) == written(
            round_tree(found), form, paper
        )


def test_a_report_is_for_either_paper_and_fetches_nothing(log: Path) -> None:
    found = reported(log, 12)
    assert b"[0 0 612 792]" in written(round_tree(found), "pdf", "letter")
    assert b"[0 0 612 792]" not in written(round_tree(found), "pdf", "a4")
    page = written(round_tree(found), "html", "letter").decode()
    assert "@page { size: letter; }" in page
    assert page.count("<svg") == 1
    assert not any(word in page for word in (" src=", "url(", "@import", 'href="http', "https://"))


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_any_text_can_stand_in_a_report(form: str, log: Path) -> None:
    found = reported(log, 12)
    for name in ("log", "law", "law_title", "reproduce", "result"):
        found[name] = RISKY
    found["layout"]["names"]["1"] = found["seats"][0]["patron"] = RISKY
    found["layout"]["layout"]["title"] = found["wagers"][0]["why"] = RISKY
    found["steps"][0]["by"] = found["steps"][0]["lines"] = [RISKY]
    content = written(round_tree(found), form)
    if form == "html":
        assert b"<script" not in content
        assert b"\x1b" not in content


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (lambda log: (log, "--round", 900, "--report", "r.pdf"), "there is no round 900"),
        (lambda log: (log, "--round", 12, "--report", "r.pdf", "--at", 2), "and not 2"),
        (lambda log: (log, "--round", 12, "--report", "r.pdf", "--seat", 7), "nobody sat"),
        (lambda log: (log, "--round", 12, "--at", 222), "add --report FILE"),
        (
            lambda log: (log, "--round", 12, "--report", "r.docx"),
            "name it .txt, .json, .csv, .html, .pdf",
        ),
        (lambda log: (log, "--round", 12, "--seat", 7), "has no wager"),
        (lambda log: (log, "--round", 12, "--report", log), "name it"),
        (
            lambda log: (log, "--round", 12, "--at", 9, "--report", "r.pdf", "--submission", log),
            "remove --submission",
        ),
    ],
)
def test_what_cannot_be_reported_is_refused_and_nothing_is_written(
    words: Callable[[Path], tuple[object, ...]],
    told: str,
    log: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(log.parent)
    before = log.read_bytes()
    refused = explain(*words(log))
    assert refused.exit_code == 2
    assert told in refused.stderr
    assert log.read_bytes() == before
    assert [one.name for one in log.parent.iterdir()] == [log.name]


def test_the_report_of_a_table_that_deals_face_down_hides_what_was_hidden(log: Path) -> None:
    text = (ROOT / "submissions" / "nj-minibaccarat.toml").read_text(encoding="utf-8")
    text = text.replace('"face-up"', '"face-down"\ndeal.banker_first = false')
    table = log.with_name("down.toml")
    table.write_text(text, encoding="utf-8")
    words = ["deal", str(table), "--seed", "7", "--patrons", "2", "--log", str(log), "--force"]
    assert CliRunner().invoke(main, [*words, "--quiet"]).exit_code == 0
    steps = reported(log, 2)["steps"]
    dealt = next(one for one in steps if "Player's Hand, second card" in " ".join(one["lines"]))
    shown = reported(log, 2, "--at", dealt["entry"])["layout"]
    assert shown["hands"]["player"] == ["??", "??"]
    assert "player" not in shown["totals"]
    assert "??" not in reported(log, 2)["layout"]["hands"]["player"]


def test_the_law_of_the_log_is_named(log: Path) -> None:
    found = reported(log, 12)
    assert f"{found['law']}@{found['in_force_from']}" == dated("us-nj/minibaccarat")


# --- an external round -------------------------------------------------------------------------

EXTERNAL: Final = Draft202012Validator(SCHEMAS["external-round-report"]())
TABLE: Final = ROOT / "submissions" / "nj-minibaccarat.toml"
ROUNDS: Final = """shoe,round,seat,player,banker,winner,stake:player,net:player,stake:banker,net:banker
7,5,3,3h 3c,5s Ad,tie,,,50,0
7,5,5,3h 3c,5s Ad,tie,25,-25,,
7,6,3,9h Kc,8,player,,,20,-20
"""


def external(path: Path, number: int, suffix: str, *words: object) -> bytes:
    path.with_suffix(".csv").write_text(ROUNDS, encoding="utf-8")
    out = path.with_suffix(suffix)
    asked = ("--submission", TABLE, "--round", number, "--report", out, "--force", *words)
    result = explain(path.with_suffix(".csv"), *asked)
    assert result.exit_code == 0, result.stderr
    return out.read_bytes()


def test_an_external_round_has_what_was_expected_next_to_what_is_recorded(tmp_path: Path) -> None:
    found = json.loads(external(tmp_path / "rounds", 5, ".json"))
    EXTERNAL.validate(found)
    # Six against six is a tie: Player and Banker go back, and seat 5 was taken $25.
    assert found["result"] == "Player 6, Banker 6, tie"
    owed = [
        (one["seat"], one["wager"], one["outcome"], one["owed_cents"]) for one in found["wagers"]
    ]
    assert owed == [(3, "banker", "push", 0), (5, "player", "push", 25_00)]
    assert [one["owed_cents"] for one in found["seats"]] == [0, 25_00]
    (divergence,) = found["divergences"]
    assert (divergence["seat"], divergence["kind"]) == (5, "settlement")
    assert divergence["clauses"] == ["NJ-MINI:7.2(a)2.iii"]
    page = external(tmp_path / "rounds", 5, ".html").decode()
    assert "Seat 5, Player: $25.00 owed" in page
    assert "NJ-MINI:7.2(a)2.iii" in page
    assert external(tmp_path / "rounds", 5, ".pdf").startswith(b"%PDF-")


def test_the_report_of_an_external_round_is_of_one_seat(tmp_path: Path) -> None:
    found = json.loads(external(tmp_path / "rounds", 5, ".json", "--seat", 3))
    EXTERNAL.validate(found)
    assert {one["seat"] for one in (*found["wagers"], *found["layout"]["stakes"])} == {3}
    assert found["divergences"] == []
    asked = ("--submission", TABLE, "--round", 5, "--seat", 4)
    refused = explain(tmp_path / "rounds.csv", *asked)
    assert (refused.exit_code, "seat 4 has no wager" in refused.stderr) == (2, True)
    told = explain(tmp_path / "rounds.csv", "--submission", TABLE, "--round", 5, "--seat", 5)
    assert "Seat 5, Player" in told.stdout
    assert "Seat 3" not in told.stdout


def test_a_card_without_a_suit_is_drawn_and_a_round_without_a_result_is_told(
    tmp_path: Path,
) -> None:
    found = json.loads(external(tmp_path / "rounds", 6, ".json"))
    EXTERNAL.validate(found)
    assert found["layout"]["hands"] == {"player": ["9h", "Kc"], "banker": ["8"]}
    assert found["result"] == ""
    (wager,) = found["wagers"]
    assert (wager["expected_cents"], wager["owed_cents"]) == (None, None)
    page = external(tmp_path / "rounds", 6, ".html").decode()
    assert "<title>8</title>" in page
    assert "The record does not tell the result" in page


def test_what_a_record_says_is_text_on_the_page(tmp_path: Path) -> None:
    content = ROUNDS.replace("7,5,5", '"<script>x</script>",5,5').replace("7,5,3", '"<b>",4,3')
    (tmp_path / "risky.csv").write_text(content, encoding="utf-8")
    out = tmp_path / "risky.html"
    asked = ("--submission", TABLE, "--round", 5, "--report", out)
    result = explain(tmp_path / "risky.csv", *asked)
    assert result.exit_code == 0, result.stderr
    page = out.read_text(encoding="utf-8")
    assert "<script>x" not in page
    assert "&lt;script&gt;x" in page
