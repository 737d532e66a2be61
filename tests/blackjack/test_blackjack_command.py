"""``croupier blackjack``: what it prints, what it gives to a program, and how it refuses bad input."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from croupier.blackjack import acts
from croupier.cli import main

pytestmark = pytest.mark.under("us-nj/blackjack-wagers@2001-01-16")

ROOT: Final = Path(__file__).parents[2]
STREAK: Final = ROOT / "submissions" / "nj-blackjack-streak.toml"
BONUS: Final = ROOT / "submissions" / "nj-blackjack-bonus.toml"


def run(*words: object, submission: Path = STREAK) -> Result:
    arguments = ["blackjack", "--submission", submission, *words]
    return CliRunner().invoke(main, list(map(str, arguments)), env={"COLUMNS": "200"})


def results(folder: Path, *lines: str) -> Path:
    path = folder / "rounds.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def given(*words: object, submission: Path = STREAK) -> Any:
    result = run(*words, "--format", "json", submission=submission)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def errors(folder: Path, *lines: str, submission: Path = STREAK) -> list[str]:
    """What is told of a file that cannot be played, without its name."""
    result = run("--results", results(folder, *lines), submission=submission)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    head, *told = result.stderr.splitlines()
    assert head.endswith("rounds.jsonl cannot be played:")
    # The first clause that is cited is shown by a command below.
    told = [line for line in told if not line.startswith("  more: ")]
    return [line.removeprefix("  rounds.jsonl:") for line in told]


# --- the reference game ----------------------------------------------------------------------------


def test_every_round_is_shown_with_clauses_and_the_totals_after_them() -> None:
    result = run("--rounds", 4, "--seed", 1, "--patrons", 3)
    assert result.exit_code == 0, result.output
    assert [line for line in result.stdout.splitlines() if line.startswith("Round ")] == [
        f"Round {number}" for number in (1, 2, 3, 4)
    ]
    assert "Clauses are those of NJ-OLD." in result.stdout
    assert re.search(
        r"Seat 1 puts \$25 on a streak of 2 .*\[19:47-2\.22\(b\), 19:47-2\.22\(k\)", result.stdout
    )
    assert "Totals" in result.stdout
    assert "ledger in balance" in result.stdout


def test_a_table_with_the_bonus_wager_tells_what_the_text_does_not() -> None:
    result = run("--rounds", 2, "--seed", 1, submission=BONUS)
    assert result.exit_code == 0, result.output
    assert (
        "does not define the winning event of a bonus wager; in the reference game it is a natural"
        in result.stdout
    )
    assert "[19:47-2.20(h)]" in result.stdout


def test_it_plays_twenty_rounds_of_one_patron_by_cryptographic_chance_unless_told() -> None:
    data = given()
    assert (data["rounds"], data["source"]) == (20, "reference game of 8 decks, cryptographic")
    assert {seat["seat"] for one in data["played"] for seat in one["seats"]} == {1}


def test_more_patrons_than_seats_are_refused() -> None:
    result = run("--patrons", 8)
    assert result.exit_code == 2
    assert "8 patrons: the layout has 7 seats" in result.stderr


# --- a file of results -----------------------------------------------------------------------------


ROUNDS: Final = (
    '{"round": 1, "seat": 3, "hands": ["win"], "streak": {"2": 500, "4": 1000}}',
    "",
    '{"round": 1, "seat": 5, "hands": ["lose", "win", "push"], "streak": {"2": 100}}',
    '{"round": 2, "seat": 3, "hands": ["push"], "dealer_natural": true}',
    '{"round": 2, "seat": 5, "hands": ["lose"], "dealer_natural": true}',
    '{"round": 7, "seat": 3, "hands": ["win", "win", "lose"]}',
    '{"round": 8, "seat": 5, "hands": ["win"]}',
)


def test_rounds_from_outside_are_played_as_they_are_told(tmp_path: Path) -> None:
    data = given("--results", results(tmp_path, *ROUNDS))
    assert data["source"] == "results of rounds.jsonl"
    assert [one["round"] for one in data["played"]] == [1, 2, 7, 8]
    assert all(one["dealer"] is None for one in data["played"])
    totals = {one["wager"]: one for one in data["totals"]}
    # Two hands won pay three to one; the wager on four is abandoned in a round without a hand.
    assert (totals["streak_2"]["won"], totals["streak_2"]["paid_cents"]) == (1, 1500)
    assert (totals["streak_2"]["lost"], totals["streak_2"]["lost_cents"]) == (1, 100)
    assert (totals["streak_4"]["lost"], totals["streak_4"]["lost_cents"]) == (1, 1000)
    assert data["table_win_cents"] == 100 + 1000 - 1500
    assert (data["in_play_cents"], data["ledger_in_balance"]) == (0, True)


def test_rounds_from_outside_are_told_in_words(tmp_path: Path) -> None:
    printed = run("--results", results(tmp_path, *ROUNDS)).stdout
    for line in (
        "Seat 5: lose; win; push",
        "Dealer: a natural",
        "Seat 3: a push leaves the streak unchanged  [19:47-2.22(g)]",
        "Seat 3: $5 on a streak of 2 wins $15 at 3:1",
        "Seat 3: the streak is abandoned; collected: $10 on a streak of 4",
    ):
        assert line in printed


def test_a_bonus_from_outside_is_announced_or_confirmed(tmp_path: Path) -> None:
    path = results(
        tmp_path,
        '{"round": 1, "seat": 1, "hands": ["lose"], "bonus": 100, "shows": 9900}',
        '{"round": 1, "seat": 2, "hands": ["win"], "bonus": 500, "shows": 10000, "confirmed_by": "casino supervisor"}',
        '{"round": 1, "seat": 6, "hands": ["win"], "bonus": 500}',
    )
    data = given("--results", path, submission=BONUS)
    kinds = [event["type"] for event in data["played"][0]["events"]]
    assert ("PayoutAnnounced" in kinds, "PayoutConfirmed" in kinds) == (True, True)
    assert data["table_win_cents"] == 500 - 9900 - 10_000


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "not JSON: Expecting property name enclosed in double quotes at column 2"),
        ("[]", "must be an object; see croupier help blackjack"),
        ('{"round": 1, "round": 1}', "round is given twice"),
        ("[" * 100_000, "not JSON: nested more than 32 deep"),
        ('{"round": 0, "seat": 1, "hands": ["win"]}', "round: 0 is not an integer greater than zero"),
        ('{"round": 1, "seat": true, "hands": ["win"]}', "seat: True is not an integer greater than zero"),
        ('{"round": 1, "seat": 1, "hands": "win"}', "hands: 'win' must be a nonempty list of hands: each win, lose, push, unfinished"),
        ('{"round": 1, "seat": 1, "hands": [[]]}', "hands: [] is not one of win, lose, push, unfinished"),
        ('{"round": 1, "seat": 1, "hands": ["win"], "dealer_natural": 0}', "dealer_natural: 0 must be true or false"),
        ('{"round": 1, "seat": 1, "hands": ["win"], "dealer_natural": true}', "seat 1: no hand wins against a dealer's natural"),
        ('{"round": 1, "seat": 1, "hands": ["win"], "streak": {"2": 5.5}}', "streak: 5.5 is not an integer greater than zero"),
        ('{"round": 1, "seat": 1, "hands": ["win"], "streak": {"two": 500}}', "streak: 'two' is not a streak length"),
        ('{"round": 1, "seat": 1, "hands": ["win"], "bonus": -100}', "bonus: -100 is not an integer greater than zero"),
        ('{"round": 1, "seat": 1, "hands": ["win"], "bonus": 100, "confirmed_by": 5}', "confirmed_by: 5 must be a nonempty string"),
        ('{"round": 1, "seat": 1, "hands": ["win"], "confirmed_by": "dealer"}', "confirmed_by: there is no bonus wager"),
        ('{"round": 1, "seat": 1, "hands": ["win"], "streak": {}}', 'streak: {} must be cents by streak length, such as {"2": 500}'),
        ('{"round": 1, "seat": 1, "hands": ["win"], "streak": "2"}', """streak: '2' must be cents by streak length, such as {"2": 500}"""),
        ('{"round": 1, "seat": 1, "hands": ["win"], "streak": {"100": 500}}', "streak: '100' is not a streak length"),
        ('{"stake": 5, "round": 1, "seat": 1, "hands": []}', "hands: [] must be a nonempty list of hands: each win, lose, push, unfinished"),
        ('{"round": 1, "seat": 1, "hands": ["win"], "streak": {"2": 500, "02": 700}}', "streak: '02' is not a streak length"),
        ('{"round": 1, "seat": 1, "hands": ["win"], "streak": {"0": 500}}', "streak: '0' is not a streak length"),
        ('{"round": 1, "seat": 1, "hands": ["win"], "bonus": 100, "confirmed_by": "casino supervisor"}', "confirmed_by: shows, the amount confirmed, is missing"),
        ('{"round": 1, "seat": 1, "hands": ["win"], "streak": []}', 'streak: [] must be cents by streak length, such as {"2": 500}'),
        ('{"round": 1, "seat": 1, "hands": ["win"], "shows": 500}', "shows: there is no bonus wager"),
        ('{"round": 1, "seat": 1, "hands": ["win"], "bonus": 100, "confirmed_by": " "}', "confirmed_by: ' ' must be a nonempty string"),
        ('{"round": 1, "seat": 8, "hands": ["win"]}', "there is no seat 8: the layout has 7"),
        ('{"round": 1, "seat": 1, "hands": ["win"], "stake": 5}', "'stake': unknown key; the keys are round, seat, hands, dealer_natural, streak, bonus, shows, confirmed_by"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_round_is_refused_with_its_number(
    tmp_path: Path, line: str, told: str
) -> None:
    good = '{"round": 1, "seat": 2, "hands": ["lose"]}'
    assert f"2: {told}" in errors(tmp_path, good, line)


@pytest.mark.parametrize("length", [1, 99])
def test_a_length_that_the_table_does_not_offer_is_refused_by_its_rules(
    tmp_path: Path, length: int
) -> None:
    line = f'{{"round": 1, "seat": 1, "hands": ["win"], "streak": {{"{length}": 500}}}}'
    clause = "NJ-OLD:19:47-2.22(a)#1"
    message = f"1: streak length {length} is not offered: 2, 3, 4, 5 [{clause}]"
    assert errors(tmp_path, line) == [message]


def test_rounds_that_come_again_are_told_each_at_its_first_line(tmp_path: Path) -> None:
    rounds = ((5, 1), (3, 1), (3, 2), (5, 1))
    lines = [f'{{"round": {at}, "seat": {seat}, "hands": ["win"]}}' for at, seat in rounds]
    order = "comes after round 5: rounds must be in ascending order, each once"
    assert errors(tmp_path, *lines) == [f"2: round 3 {order}", f"4: round 5 {order}"]


def test_lines_of_a_round_that_differ_and_seats_that_are_not_there_are_told(tmp_path: Path) -> None:
    assert errors(
        tmp_path,
        '{"round": 1, "seat": 6, "hands": ["lose"], "dealer_natural": true}',
        '{"round": 1, "seat": 7, "hands": ["lose"]}',
        submission=BONUS,
    ) == [
        "2: dealer_natural differs from line 1 of the same round",
        "2: there is no seat 7: the layout has 6",
    ]


def test_every_error_of_a_file_is_told_with_its_line(tmp_path: Path) -> None:
    assert errors(
        tmp_path,
        '{"seat": 0, "hands": []}',
        '{"round": 4, "seat": 1, "hands": ["win"]}',
        '{"round": 4, "seat": 1, "hands": ["win"]}',
        '{"round": 4, "seat": 2, "hands": ["lose"], "dealer_natural": true}',
        '{"round": 3, "seat": 1, "hands": ["win"]}',
        "nothing",
    ) == [
        "1: hands: [] must be a nonempty list of hands: each win, lose, push, unfinished",
        "1: round is missing",
        "1: seat: 0 is not an integer greater than zero",
        "3: seat 1 is recorded twice in the round",
        "4: dealer_natural differs from line 2 of the same round",
        "5: round 3 comes after round 4: rounds must be in ascending order, each once",
        "6: not JSON: Expecting value at column 1",
    ]


@pytest.mark.clause("NJ-OLD:19:47-2.22(k)2", "NJ-OLD:19:47-2.22(a)#1")
def test_everything_that_the_rules_refuse_is_told_with_its_line_and_clause(tmp_path: Path) -> None:
    told = errors(
        tmp_path,
        '{"round": 1, "seat": 3, "hands": ["win"], "streak": {"2": 500, "3": 500}}',
        '{"round": 2, "seat": 3, "hands": ["push"], "streak": {"4": 500}}',
        '{"round": 3, "seat": 3, "hands": ["lose"]}',
        '{"round": 4, "seat": 3, "hands": ["win"], "streak": {"6": 500}}',
        '{"round": 5, "seat": 3, "hands": ["win"], "bonus": 100}',
    )
    assert [line.partition(":")[0] for line in told] == ["2", "4", "5"]
    assert told[0].endswith("[NJ-OLD:19:47-2.22(k)1, NJ-OLD:19:47-2.22(k)2]")
    assert told[1].endswith("[NJ-OLD:19:47-2.22(a)#1]")
    assert told[2].endswith("this table does not offer the bonus wager")


@pytest.mark.clause("NJ-OLD:19:47-2.20(g)3", "NJ-OLD:19:47-2.20(g)4", "NJ-OLD:19:47-2.20(j)#1")
def test_every_payout_that_does_not_keep_the_book_is_told_with_its_line(tmp_path: Path) -> None:
    told = errors(
        tmp_path,
        '{"round": 1, "seat": 1, "hands": ["win"], "bonus": 100, "shows": 10000}',
        '{"round": 1, "seat": 2, "hands": ["win"], "bonus": 100, "shows": 500, "confirmed_by": "casino supervisor"}',
        '{"round": 2, "seat": 1, "hands": ["win"], "bonus": 100, "shows": 100}',
        '{"round": 3, "seat": 1, "hands": ["win"], "bonus": 200}',
        '{"round": 4, "seat": 1, "hands": ["win"], "streak": {"2": 500}}',
        '{"round": 5, "seat": 1, "hands": ["win"], "bonus": 100, "shows": 10000, "confirmed_by": "dealer"}',
        submission=BONUS,
    )
    clauses = [line.rpartition("NJ-OLD:19:47-")[2] for line in told]
    # The seats of this table ascend clockwise: seat 2 is nearer to the dealer's right.
    assert [line.partition(":")[0] for line in told] == ["2", "1", "3", "4", "5", "6"]
    assert clauses == [
        "2.20(g)3]",
        "2.20(g)4]",
        "2.20(j)#1]",
        "2.20(j)#2]",
        "2.22(a)#1]",
        "2.20(g)4]",
    ]


@pytest.mark.parametrize("option", ["--rounds", "--seed", "--patrons"])
def test_results_go_with_none_of_the_options_of_the_reference_game(
    tmp_path: Path, option: str
) -> None:
    result = run("--results", results(tmp_path, *ROUNDS), option, 3)
    assert result.exit_code == 2
    assert f"{option} applies to the reference game" in result.output


@pytest.mark.parametrize(
    ("text", "told"), [(b"\n\n", "the file contains no rounds"), (b"\xff", "not UTF-8")]
)
def test_a_file_without_rounds_is_refused(tmp_path: Path, text: bytes, told: str) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(text)
    result = run("--results", path)
    assert result.exit_code == 2
    assert told in result.stderr


# --- the submission --------------------------------------------------------------------------------


def altered(folder: Path, submission: Path, *changes: tuple[str, str]) -> Path:
    text = submission.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "altered.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.clause("NJ-OLD:19:47-2.20(l)", "NJ-OLD:19:47-2.22(l)")
def test_a_submission_with_both_wagers_is_refused_with_the_clauses(tmp_path: Path) -> None:
    both = altered(tmp_path, BONUS, ("streak.offered = false", 'streak.offered = true\nstreak.pays.2 = "3:1"\nstreak.pays.3 = "7:1"\nstreak.pays.4 = "17:1"\nstreak.pays.5 = "37:1"'))  # fmt: skip
    result = run(submission=both)
    assert result.exit_code == 2
    assert (
        "the streak wager and the blackjack bonus wager are not offered at one table"
        in result.stderr
    )
    assert "[NJ-OLD:19:47-2.20(l), NJ-OLD:19:47-2.22(l)]" in result.stderr


@pytest.mark.clause("NJ-OLD:19:47-2.20(k)#1")
def test_a_schedule_that_does_not_give_the_advantage_elected_is_refused(tmp_path: Path) -> None:
    wrong = altered(
        tmp_path, BONUS, ("1000.00 at 1/5395", "999.00 at 1/5395"), ("50.00 at 200", "40.00 at 200")
    )
    result = run(submission=wrong)
    assert result.exit_code == 2
    assert "blackjack_bonus.schedule.1: the schedule gives a house advantage of" in result.stderr
    assert "blackjack_bonus.schedule.5: $40.00 is not between $50.00 and $5,000.00" in result.stderr


def test_a_table_that_offers_neither_wager_is_refused(tmp_path: Path) -> None:
    plain = altered(
        tmp_path,
        STREAK,
        ("streak.offered = true", "streak.offered = false"),
        ('streak.pays.2 = "3:1"\nstreak.pays.3 = "7:1"\nstreak.pays.4 = "17:1"', ""),
        ('streak.pays.5 = "40:1"', ""),
    )
    result = run(submission=plain)
    assert result.exit_code == 2
    assert "offers neither the streak wager nor the bonus wager" in result.stderr


# --- what stands in the documents --------------------------------------------------------------------


def keys_of(data: Any) -> Iterator[str]:
    if isinstance(data, list):
        for one in data:
            yield from keys_of(one)
    elif isinstance(data, dict):
        for key, value in data.items():
            yield key
            if key != "readings":
                yield from keys_of(value)


def test_every_key_of_a_round_stands_in_the_document() -> None:
    text = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`(\w+)`", text.partition("\n### Events and JSON output\n")[2]))
    found = {
        key
        for submission in (STREAK, BONUS)
        for one in given("--seed", 93, "--rounds", 40, "--patrons", 3, submission=submission)[
            "played"
        ]
        for key in keys_of(one)
    }
    assert found - told == set()


def test_every_event_stands_in_the_documents_with_its_fields() -> None:
    text = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[A-Z]\w+`.*?) \| (.*) \|$", text, flags=re.MULTILINE)
    told = {
        kind: set(re.findall(r"`(\w+)`", fields))
        for kinds, fields in rows
        for kind in re.findall(r"`(\w+)`", kinds)
    }
    inner = {"length", "cents", "seat"}
    # A patron leaves at a table of one's own alone: the command has no word for it.
    kinds = {kind.__name__ for kind in acts.WagerEvent.__subclasses__()} - {"BlackjackPatronLeft"}
    # The format has kept the name that this event had when it was written.
    named = {kind: "LayoutCleared" if kind == "BonusLayoutCleared" else kind for kind in kinds}
    assert set(told) == set(named.values())
    for name, kind in named.items():
        fields = set(getattr(acts, name).__struct_fields__) - {"clauses"}
        assert fields <= told[kind], kind
        words = {"lost", "split", "abandoned", "push", "null"}
        assert told[kind] - fields - words <= inner, kind
