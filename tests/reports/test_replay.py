"""The page that goes through a record: what it shows after each entry is what was drawn of it."""

import gzip
import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from croupier.cli import main
from croupier.reports.felt.drawing import draw_felt
from croupier.reports.replay import Edit, Shown, edits, frames, marks_of
from croupier.reports.words import say
from croupier.verify import verify_log
from support.browsers import chromium
from support.forged_logs import event_of, forged, has, play, read, where
from support.logs import followed_log
from support.project import ROOT
from support.volume import volume

LOGS: Final = ROOT / "tests" / "data" / "logs"
NEW_YORK: Final = LOGS / "ny-mini.format-2.jsonl.gz"
MARKS: Final = st.lists(st.sampled_from(["<a>", "<b>", "<c>x", "<d/>"]))


def edited(before: list[str], changes: list[Edit]) -> list[str]:
    marks = list(before)
    for place, gone, come in changes:
        marks[place : place + gone] = come
    return marks


@given(MARKS, MARKS)
def test_edits_make_one_drawing_of_another(before: list[str], after: list[str]) -> None:
    assert edited(before, edits(before, after)) == after


@given(st.lists(st.tuples(MARKS, MARKS, st.dictionaries(st.sampled_from("abc"), st.text()))))
def test_frames_lead_to_each_picture_in_turn(
    pictures: list[tuple[list[str], list[str], dict[str, str]]],
) -> None:
    shown = [Shown("".join(felt), "".join(roads), facts) for felt, roads, facts in pictures]
    felt: list[str] = []
    roads: list[str] = []
    facts: dict[str, str] = {}
    numbered = [(number, 0, one) for number, one in enumerate(shown)]
    for one, frame in zip(shown, frames(numbered), strict=True):
        felt, roads = edited(felt, frame["felt"]), edited(roads, frame["roads"])
        facts |= frame["facts"]
        assert (felt, roads) == (marks_of(one.felt), marks_of(one.roads))
        assert {name: said for name, said in facts.items() if said} == {
            name: said for name, said in one.facts.items() if said
        }


@pytest.mark.parametrize("path", sorted(LOGS.glob("*.gz")), ids=lambda path: path.name)
def test_a_log_is_followed_to_where_verification_ends(path: Path) -> None:
    header, steps = followed_log(path)
    *_, last = steps
    verdict = verify_log(path)
    assert last.after.sequence == verdict.entries
    if "TableOpened.meters" not in verdict.unrecorded:
        # An old record does not say what its meters began with.
        assert last.after.ledger == verdict.ledger
    assert header.rules.sha256 == verdict.header.rules.sha256


def replayed(tmp_path: Path, *options: str) -> str:
    out = tmp_path / "replay.html"
    words = ["replay", str(NEW_YORK), "-o", str(out), "--force", *options]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    return out.read_text()


def frames_of(page: str) -> list[dict[str, Any]]:
    found = re.search(r'id="frames">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    loaded: list[dict[str, Any]] = json.loads(found[1])
    return loaded


def test_a_page_has_every_entry_and_says_what_verification_found(tmp_path: Path) -> None:
    page = replayed(tmp_path, "--round", "1-2")
    made = frames_of(page)
    assert {one["round"] for one in made} == {1, 2}
    assert [one["seq"] for one in made] == list(range(made[0]["seq"], made[-1]["seq"] + 1))
    assert "Verified: all events recomputed, with no differences." in page
    assert "in force from" in page
    assert "http://www.w3.org" in page
    assert not re.search(r'(src|href)="(?!#)', page)


def test_the_board_shows_no_name_and_no_money_of_the_house(tmp_path: Path) -> None:
    everything = replayed(tmp_path, "--round", "1")
    assert ">Patron 1<" in everything
    board = replayed(tmp_path, "--round", "1", "--as", "board")
    assert ">Patron 1<" not in board
    assert "Table win" not in board
    assert "Seen by: board" in board


def test_a_page_is_seen_from_the_side_of_its_office(tmp_path: Path) -> None:
    pages = {
        words: replayed(tmp_path, "--round", "1", *words)
        for words in (
            *(("--as", "surveillance"), ("--as", "board"), ("--as", "board", "--side", "dealer")),
            *(("--as", "patron", "--seat", "1"),),
        )
    }
    # From the patrons' side the dealer's chips are above the seats.
    for words, page in pages.items():
        drawing = page.partition('id="felt"')[2].partition("</svg>")[0]
        chips, seat = (
            float(re.findall(rf'y="([0-9.]+)"[^>]*>{name}<', drawing)[0])
            for name in ("Chips", "Tie")
        )
        assert (chips < seat) == (words in {("--as", "board"), ("--as", "patron", "--seat", "1")})


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--round", "5-2"], "write a round, such as 3"),
        (["--round", "x"], "write a round, such as 3"),
        (["--round", "9999"], "no entries of these rounds"),
        (["--seat", "2"], "a patron looks from a seat"),
        (["-o", "page.txt"], "name a file that ends in .html"),
    ],
)
def test_what_cannot_be_shown_is_refused(words: list[str], says: str, tmp_path: Path) -> None:
    out = [] if "-o" in words else ["-o", str(tmp_path / "x.html")]
    result = CliRunner().invoke(main, ["replay", str(NEW_YORK), *words, *out])
    assert result.exit_code == 2
    assert says in " ".join(result.output.split())
    assert not list(tmp_path.iterdir())


def test_a_page_of_very_many_rounds_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.cli.records.replay._MOST_ROUNDS", 3)
    out = ["-o", str(tmp_path / "x.html")]
    result = CliRunner().invoke(main, ["replay", str(NEW_YORK), *out])
    assert result.exit_code == 2
    assert "at most 3 rounds, and these are more: choose some, such as --round 1-3" in result.output
    assert not list(tmp_path.iterdir())
    for few in ("1-3", "5-7"):
        made = frames_of(replayed(tmp_path, "--round", few))
        assert {one["round"] for one in made} == {int(few[0]), int(few[0]) + 1, int(few[2])}


def test_what_is_before_the_rounds_of_a_page_is_not_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[object] = []
    real = draw_felt

    def counted(*given: Any, **named: Any) -> str:
        drawn.append(given)
        return real(*given, **named)

    monkeypatch.setattr("croupier.cli.records.replay.draw_felt", counted)
    made = frames_of(replayed(tmp_path, "--round", "20"))
    assert len(drawn) == len(made)


PICTURES: Final = "felt.innerHTML + roads.innerHTML"


def test_a_browser_goes_forward_and_back_to_the_same_pictures(tmp_path: Path) -> None:
    replayed(tmp_path, "--round", f"1-{volume(3, 2)}")
    with chromium() as browser:
        page = browser.new_page()
        faults: list[str] = []
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto((tmp_path / "replay.html").as_uri())
        # It opens where the first round has all its cards and chips, with its controls in view.
        assert "round 1" in page.inner_text("#here")
        assert "Winner" in page.inner_text("#facts")
        for width, height in ((390, 800), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            box = page.locator("#slider").bounding_box()
            assert box is not None
            assert box["y"] + box["height"] < height
        entries = page.locator("#transcript > li").count()
        seen = []
        page.keyboard.press("Home")
        for at in range(entries):
            seen.append(page.evaluate(PICTURES))
            page.keyboard.press("]" if at % 2 else "ArrowRight")
        assert len(set(seen)) > entries / 4
        assert seen[-1] == page.evaluate(PICTURES)
        page.click("#back")
        for before in reversed(seen[:-1]):
            assert page.evaluate(PICTURES) == before
            page.keyboard.press("Enter")
        for key in ("}", "Shift+ArrowRight"):
            page.keyboard.press("Home")
            page.keyboard.press(key)
            assert "round 2" in page.inner_text("#here")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("Space")
        assert page.inner_text("#play") == "Pause"
        page.keyboard.press("ArrowLeft")
        assert page.inner_text("#play") == "Play"
        page.set_viewport_size({"width": 320, "height": 700})
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 320
        assert faults == []
        without = browser.new_context(java_script_enabled=False).new_page()
        without.goto((tmp_path / "replay.html").as_uri())
        assert without.locator("#transcript > li").last.is_visible()
        assert not without.locator("#controls").is_visible()


def test_the_page_of_a_changed_log_says_so_first_and_ends_where_it_cannot_go_on(
    tmp_path: Path,
) -> None:
    log, out = tmp_path / "log.jsonl", tmp_path / "replay.html"
    lines = gzip.decompress(NEW_YORK.read_bytes()).splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if b'"type":"PatronSeated"' in line)
    log.write_bytes(b"".join((*lines[:at], *lines[at + 1 :])))
    result = CliRunner().invoke(main, ["replay", str(log), "-o", str(out)])
    assert result.exit_code == 1, result.output
    warning = f"WARNING: line {at + 1}: this record was changed: "
    assert result.stderr.startswith(warning)
    page = out.read_text()
    assert '<div class="verdict diverges">' in page
    assert page.index(f'<p class="wrong">{warning}') < page.index("it DIVERGES at line")
    assert "Nothing more can be shown." in page


def test_a_log_that_diverges_is_shown_with_status_1(tmp_path: Path) -> None:
    log, out = tmp_path / "log.jsonl", tmp_path / "replay.html"
    play(log, rounds=2)
    lines = read(log.read_bytes())
    paid = where(lines, has("WagerPaid"))
    event_of(lines[paid], "WagerPaid")["cents"] += 500
    log.write_bytes(forged(lines))
    result = CliRunner().invoke(main, ["replay", str(log), "-o", str(out)])
    assert result.exit_code == 1, result.output
    assert "it DIVERGES at line" in result.stderr
    assert "The chain of this record is intact" in out.read_text()
    with chromium() as browser:
        tab = browser.new_page()
        tab.goto(out.as_uri())
        assert tab.inner_text("#here").startswith(f"Entry {paid} of ")


PLACES: Final = """() => [...document.querySelectorAll('#felt rect, #felt circle, #felt path')]
  .map((one) => one.getBoundingClientRect())
  .map((box) => [box.x, box.y, box.width, box.height])"""


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_layout_is_turned_to_the_place_of_everything_from_the_other_side(
    tmp_path: Path, *, scripts: bool
) -> None:
    with chromium() as browser:
        page = browser.new_context(java_script_enabled=scripts).new_page()
        places = {}
        for side in ("patrons", "dealer"):
            replayed(tmp_path, "--round", "2", "--side", side)
            page.goto((tmp_path / "replay.html").as_uri())
            places[side, False] = page.evaluate(PLACES)
            page.get_by_label(say("turn"), exact=True).check()
            places[side, True] = page.evaluate(PLACES)
        flat = [one for box in places["dealer", False] for one in box]
        assert len(flat) > 200
        assert [one for box in places["patrons", True] for one in box] == pytest.approx(flat, abs=1)
        assert places["patrons", False] != places["dealer", False]
        back = [one for box in places["patrons", False] for one in box]
        assert [one for box in places["dealer", True] for one in box] == pytest.approx(back, abs=1)
        if scripts:
            # Its entries are gone through while it is turned.
            page.keyboard.press("Home")
            assert page.inner_text("#here").startswith("Entry")
            first = page.inner_text("#here")
            page.keyboard.press("ArrowRight")
            assert page.inner_text("#here") != first
            assert page.get_by_label(say("turn"), exact=True).is_checked()
