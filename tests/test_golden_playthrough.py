"""Golden playthroughs are what they were, and every round of them is right by an oracle of its own.

The oracle reads the JSON of a log and nothing else: it has its own drawing rules, counts, payments and
vigorish, written from the printed law, and imports nothing of the game or its money.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from croupier import acts
from croupier.acts import Event
from croupier.baccarat.cards import parse_cards
from croupier.records.entry import SteppedClock
from croupier.rules import read_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table.cards.chance import Chance
from croupier.table.machine.session import TableSession
from croupier.verify.log import verify_log
from support.coverage_list import listed_citations, note_citations
from support.days import DAYS
from support.forged_logs import play
from support.kept import assert_as_made
from support.logs import recorded
from support.oracles.law import bonus, burned_with, dealt_rightly, house_money, royal_9
from support.oracles.logs import judged
from support.playthroughs import FOLDER, GOLDEN, Playthrough, told
from support.project import ROOT, SUBMISSIONS
from support.volume import spread, volume


@cache
def played(one: Playthrough) -> tuple[list[Event], bytes]:
    """Play a golden shoe once; return its events, and its log."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "table.jsonl"
        return one.play(log), log.read_bytes()


# --- what is golden ----------------------------------------------------------------------------


def test_every_submission_that_can_be_dealt_has_a_golden_playthrough() -> None:
    assert {one.submission for one in GOLDEN} == {path.stem for path in SUBMISSIONS}


@pytest.mark.parametrize("one", GOLDEN, ids=str)
def test_a_golden_playthrough_is_told_as_it_was(one: Playthrough) -> None:
    now = told(played(one)[0])
    assert_as_made(one.path.read_text(encoding="utf-8"), now, one.path.name)


@pytest.mark.parametrize("one", GOLDEN, ids=str)
def test_the_page_of_a_clause_lists_every_event_that_cites_it(one: Playthrough) -> None:
    kept, cited = listed_citations(), listed_citations()
    note_citations(cited, played(one)[1])
    assert cited == kept


def test_no_golden_text_is_left_over() -> None:
    kept = {one.path.name for one in GOLDEN} | {f"{day.name}.txt" for day in DAYS}
    assert {path.name for path in FOLDER.glob("*.txt")} == kept


@pytest.mark.parametrize("one", GOLDEN, ids=str)
def test_every_round_of_a_golden_playthrough_is_right_by_the_oracle(
    tmp_path: Path, one: Playthrough
) -> None:
    log = tmp_path / "table.jsonl"
    log.write_bytes(played(one)[1])
    found = judged(log)
    if one.rounds is not None:
        assert found["rounds"] + found["void"] == one.rounds
        return
    assert found["rounds"] > 50
    assert min(found[winner] for winner in ("player", "banker", "tie")) > 3
    assert (found["void"] > 0, found["simulated"] > 0) == (
        (True, True) if one.dealer_errors else (False, False)
    )


# --- every round by the oracle -----------------------------------------------------------------


def charges(submission: Path) -> bool:
    """Tell whether vigorish is taken under a submission."""
    schemes = {"six-pays-half", "dragon-7"}
    return table_rules(read_submission(submission)).value("vigorish.scheme", str) not in schemes


@pytest.mark.parametrize(
    ("submission", "dealer_errors"),
    spread(product(SUBMISSIONS, [0, 40]), 12, 28),
    ids=lambda one: getattr(one, "stem", one),
)
def test_every_round_under_every_submission_is_right_by_the_oracle(
    tmp_path: Path, submission: Path, dealer_errors: int
) -> None:
    log = tmp_path / "table.jsonl"
    found = Counter[str]()
    for seed in (11, 12):
        play(log, submission, seed=seed, patrons=3, dealer_errors=dealer_errors, rounds=90)
        found += judged(log)
    assert found["rounds"] + found["void"] > 60
    assert found["paid"] > 100
    assert (found["vigorish"] > 0) == charges(submission)
    # In some round everything that the oracle finds on offer was wagered on, and nothing else ever.
    assert found["offered"] > 30
    offers = set(table_rules(read_submission(submission)).offers)
    assert (found["panda 8"] > 0) == ("panda_8" in offers)
    assert (found["house money"] > 0) == ("house_money" in offers)
    assert (found["royal 9 royal"] > 0) == ("royal_9" in offers)


def test_a_patron_whose_total_cards_wagers_reach_his_banker_wager_pays_no_vigorish(
    tmp_path: Path,
) -> None:
    log = tmp_path / "table.jsonl"
    for submission in SUBMISSIONS:
        if "total-cards" in submission.stem:
            play(log, submission, seed=3, patrons=3)
            found = judged(log)
            assert found["waived"] > 0
            assert found["vigorish"] > 0


class Stacked(Autopilot):
    """Deals the kings and nines of three suits first, as no shuffle would."""

    FIRST: Final = frozenset(parse_cards("Ks Kh Kd 9s 9h 9d"))

    def _move_cards(self, command: type[acts.Command]) -> None:
        super()._move_cards(command)
        if command is acts.LoadShoe:
            # The last card of the list is drawn first.
            self._stack.sort(key=self.FIRST.__contains__)


def stacked(log: Path, submission: Path, seeds: range) -> Counter[str]:
    """Deal six rounds of stacked shoes; return what the oracle finds of each sort."""
    rules = table_rules(read_submission(submission))
    found = Counter[str]()
    for seed in seeds:
        with recorded(log, rules, shuffle="stacked") as writer:
            pilot = Stacked(TableSession(rules, record=writer, clock=SteppedClock()), Chance(seed))
            pilot.open(date(2026, 11, 20))
            pilot.play_shoe(6)
            pilot.close()
        found += judged(log)
        assert verify_log(log).is_clean
    return found


@pytest.mark.parametrize("submission", ["ma-royal-9", "ma-royal-9-to-one"])
def test_every_award_of_royal_9_is_right_by_the_oracle(tmp_path: Path, submission: str) -> None:
    path = ROOT / "submissions" / f"{submission}.toml"
    found = stacked(tmp_path / "table.jsonl", path, range(volume(60, 20)))
    ladder = ["star", "spade", "heart", "other_personal", "suited_both", "royal_both", "suited"]
    assert min(found[f"royal 9 {line}"] for line in (*ladder, "royal", "lose")) > 0


def test_a_meter_that_shows_nothing_is_awarded_all_the_same(tmp_path: Path) -> None:
    text = (ROOT / "submissions" / "ma-royal-9-to-one.toml").read_text(encoding="utf-8")
    text = re.sub(r'(spade\.seed = )"[^"]*"', r'\1"0.00"', text)
    text = re.sub(r'(spade\.increment = )"[^"]*"', r'\1"0%"', text)
    text += '\n[interpretations]\nroyal_9.awards_compared = "highest-line"\n'
    submission = tmp_path / "nothing.toml"
    submission.write_text(text, encoding="utf-8")
    found = stacked(tmp_path / "table.jsonl", submission, range(10))
    assert found["royal 9 spade"] > 0


def test_the_must_hit_progressive_is_hit_and_drawn_rightly_by_the_oracle(tmp_path: Path) -> None:
    """Six seats a round bring thirty cents: five hundred dollars last for many shoes, so begin high."""
    text = (ROOT / "submissions" / "ma-royal-9.toml").read_text(encoding="utf-8")
    for old, new in (('seed = "500.00"', 'seed = "999.00"'), ('"1%"', '"4%"')):
        assert old in text
        text = text.replace(old, new)
    submission = tmp_path / "high.toml"
    submission.write_text(text, encoding="utf-8")
    log = tmp_path / "table.jsonl"
    play(log, submission, seed=1, patrons=6, rounds=30)
    # Between 999 and 1,000 dollars it is hit within a round or two, and committed to again.
    assert judged(log)["stax"] > 10
    assert verify_log(log).is_clean


# --- the oracle itself -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "player", "banker"),
    [
        # The law's own example: Banker's five draws against a third card of four.
        ("2h 2d 2s 3d 4h 9c", ["2h", "2s", "4h"], ["2d", "3d", "9c"]),
        ("9h Kd Th 7c", ["9h", "Th"], ["Kd", "7c"]),
        ("2h Kd 2s 3d 8h", ["2h", "2s", "8h"], ["Kd", "3d"]),
        ("2h Kd 4s 5d 8h", ["2h", "4s"], ["Kd", "5d", "8h"]),
    ],
)
def test_the_oracle_deals_by_the_printed_tables(
    cards: str, player: list[str], banker: list[str]
) -> None:
    assert dealt_rightly(cards.split()) == (player, banker)


@pytest.mark.parametrize(
    ("cards", "banker"),
    [
        # Of New York's damaged row only "0" can be read: on it Banker draws, on 1 to 9 he stays.
        ("2h Ad 2s Kd Th 9c", ["Ad", "Kd", "9c"]),
        ("2h Ad 2s Kd 4h", ["Ad", "Kd"]),
        # The rows below are whole, and where Player stands Banker draws on 0 to 5.
        ("2h Ad 2s 2d 4h 9c", ["Ad", "2d", "9c"]),
        ("2h Ad 4s Kd 9c", ["Ad", "Kd", "9c"]),
    ],
)
def test_the_oracle_deals_by_the_damaged_row_where_it_is_taken_by_the_letter(
    cards: str, banker: list[str]
) -> None:
    assert dealt_rightly(cards.split(), literal=True)[1] == banker


@pytest.mark.parametrize(
    ("own", "other", "line"),
    [
        ("9h Kd", "8c Ts", "natural"),
        ("8h Kd", "9c Ts", "lose"),
        ("9h Kd", "9c Ts", "push"),
        ("9h Kd", "2c Ts 7d", "natural"),
        ("2h Kd 7c", "5c Ts Kd", "win_by_4"),
        ("2h Kd 7c", "6c Ts Kd", "lose"),
        ("2h Kd 7c", "Tc Ts Kd", "win_by_9"),
    ],
)
def test_the_oracle_knows_the_bonus(own: str, other: str, line: str) -> None:
    assert bonus(own.split(), other.split()) == line


@pytest.mark.parametrize(
    ("player", "banker", "to_one"),
    [
        ("9h 9h", "Kd Ks", 15),
        ("9h 9d", "Kd Qs", 3),
        ("Td Js", "Ac Ad", 3),
        ("Td Js", "Kc Qd", 0),
    ],
)
def test_the_oracle_knows_a_pair(player: str, banker: str, to_one: int) -> None:
    assert house_money(player.split(), banker.split()) == to_one


@pytest.mark.parametrize(
    ("player", "banker", "line"),
    [
        ("Ks 9h", "9h Ks", "star"),
        ("Kd 9d", "9h Ks", "spade"),
        ("9h Ks", "Kh 9s", "heart"),
        ("9s Kh", "Kh 9s", "other_personal"),
        ("9c Kh", "Kh 9c", "royal_both"),  # It stands at no chair.
        ("Kd 9d", "9s Qs", "suited_both"),
        ("Kd 9d", "9s Qh", "royal_both"),
        ("Kd 9d", "2s 3h", "suited"),
        ("2d 9d", "9s Jh", "royal"),
        ("9d Th", "9s Ah", "lose"),
    ],
)
def test_the_oracle_knows_royal_9(player: str, banker: str, line: str) -> None:
    assert royal_9("Ks 9h", ["Kh 9s", "Kd 9c"], player.split(), banker.split()) == line


@pytest.mark.parametrize(("card", "burned"), [("Ah", 1), ("7h", 7), ("Th", 10), ("Kh", 10)])
def test_the_oracle_burns_by_the_face_value(card: str, burned: int) -> None:
    assert burned_with(card) == burned
